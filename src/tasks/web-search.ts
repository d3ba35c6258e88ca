import type { Task } from "../agents/task.ts";
import type { WebSearchTopic } from "../corpora/format.ts";
import { attributionMeasures, attributionScores, rankingBlame, siteMeasures, siteScores } from "./losses.ts";
import { holdsRelevant, rankingMeasures, rankingOf, rankingScores, readRankingAnswer } from "./rankings.ts";

/** A query, to be answered with page ids, best first. */
export const webSearch: Task<WebSearchTopic> = {
  name: "web-search",
  actions: ["search", "summary", "answer", "plan", "scripts"],
  measures: [...rankingMeasures, ...siteMeasures, ...attributionMeasures],
  judged: [],
  judgePrompts: [],
  headline: ["ndcg@3", "ndcg@5", "recall@3", "recall@5", "judged@5", "siteRecall"],
  question: (topic) => topic.query,
  variables: (topic) => ({ query: topic.query }),
  readAnswer: readRankingAnswer,
  answerOf: rankingOf,
  relevant: (topic) => Object.keys(topic.relevant),
  score(topic, outcome) {
    const relevant = Object.keys(topic.relevant);
    const worthless = (topic.judged ?? []).map((id): [string, number] => [id, 0]);
    const hasFailed = !holdsRelevant(relevant, outcome);
    return {
      ...rankingScores(new Map([...worthless, ...Object.entries(topic.relevant)]), outcome),
      ...siteScores(relevant, topic, outcome, hasFailed),
      ...attributionScores(rankingBlame(topic, outcome, hasFailed)),
    };
  },
};
