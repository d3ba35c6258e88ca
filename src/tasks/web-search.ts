import { readRanking } from "../agents/payloads.ts";
import type { Task } from "../agents/task.ts";
import type { WebSearchTopic } from "../corpora/format.ts";
import { sitePrecision, siteRecall } from "../metrics/federated-search.ts";
import { judged, ndcg, recall } from "../metrics/ranking.ts";
import { lossOf, lossScores } from "./losses.ts";

/** The depths at which rankings are scored. */
const depths = [1, 3, 5, 10] as const;

/** A query, to be answered with page ids, best first. */
export const webSearch: Task<WebSearchTopic> = {
  name: "web-search",
  actions: ["search", "summary", "answer", "plan", "scripts"],
  measures: [
    ...["ndcg", "recall", "judged"].flatMap((name) => depths.map((k) => `${name}@${k}`)),
    "siteRecall",
    "sitePrecision",
  ],
  question: (topic) => topic.query,
  variables: (topic) => ({ query: topic.query }),
  readAnswer(payload, seen) {
    const documents = readRanking(payload, seen);
    return documents === null ? null : { documents };
  },
  answerOf: (documents) => ({ documents }),
  relevant: (topic) => Object.keys(topic.relevant),
  score(topic, outcome) {
    const ranking = (outcome.answer?.documents ?? []).map(({ id }) => id);
    const worthless = (topic.judged ?? []).map((id): [string, number] => [id, 0]);
    const grades = new Map([...worthless, ...Object.entries(topic.relevant)]);
    const gold = new Set(topic.goldSites);
    return {
      ...Object.fromEntries(depths.map((k) => [`ndcg@${k}`, ndcg(ranking, grades, k)])),
      ...Object.fromEntries(depths.map((k) => [`recall@${k}`, recall(ranking, grades, k)])),
      ...Object.fromEntries(depths.map((k) => [`judged@${k}`, judged(ranking, grades, k)])),
      siteRecall: outcome.asksSites ? siteRecall(outcome.contactedSites, gold) : null,
      sitePrecision: outcome.asksSites ? sitePrecision(outcome.contactedSites, gold) : null,
      ...lossScores(lossOf(Object.keys(topic.relevant), topic.goldSites, outcome)),
    };
  },
};
