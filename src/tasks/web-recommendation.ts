import { blockJson } from "../agents/grammar.ts";
import { group, segment } from "../agents/prompt.ts";
import type { Task } from "../agents/task.ts";
import type { WebRecommendationTopic } from "../corpora/format.ts";
import { attributionMeasures, attributionScores, rankingBlame, siteMeasures, siteScores } from "./losses.ts";
import { holdsRelevant, rankingMeasures, rankingOf, rankingScores, readRankingAnswer } from "./rankings.ts";

type Visit = WebRecommendationTopic["history"][number];

const msPerMinute = 60_000;
/** The last pages of a history, whose titles stand for it where no model reads it. */
const lastPages = 3;

/** What a person read, from which the agent infers what they want next, to be answered with page ids, best first. */
export const webRecommendation: Task<WebRecommendationTopic> = {
  name: "web-recommendation",
  actions: ["search", "summary", "answer", "plan", "scripts"],
  measures: [...rankingMeasures, ...siteMeasures, ...attributionMeasures],
  judged: [],
  judgePrompts: [],
  headline: ["ndcg@3", "ndcg@5", "recall@3", "recall@5", "siteRecall"],
  question: ({ history }) =>
    history
      .slice(-lastPages)
      .map(({ title }) => title)
      .join(" "),
  variables: ({ history }) => ({ history: group(visitLines(history)) }),
  readAnswer: readRankingAnswer,
  answerOf: rankingOf,
  relevant: (topic) => Object.keys(topic.relevant),
  score(topic, outcome) {
    const relevant = Object.keys(topic.relevant);
    const hasFailed = !holdsRelevant(relevant, outcome);
    return {
      ...rankingScores(new Map(Object.entries(topic.relevant)), outcome),
      ...siteScores(relevant, topic, outcome, hasFailed),
      ...attributionScores(rankingBlame(topic, outcome, hasFailed)),
    };
  },
};

/** The history in its order, a line of JSON a page; times are told as minutes before the last page. */
function visitLines(history: readonly Visit[]) {
  const lastMs = history.at(-1)?.atMs;
  return history.map(({ doc, title, url, atMs }) => {
    const minutesBefore =
      atMs === undefined || lastMs === undefined ? undefined : Math.round((lastMs - atMs) / msPerMinute);
    return segment(blockJson({ visited: title, page: doc, url, minutesBefore }));
  });
}
