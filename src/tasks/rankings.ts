import { readRanking } from "../agents/payloads.ts";
import type { Hit } from "../agents/ports.ts";
import type { Answer, Citation, Outcome, Scores } from "../agents/task.ts";
import { judged, ndcg, recall } from "../metrics/ranking.ts";

/** The depths at which rankings are scored. */
const depths = [1, 3, 5, 10] as const;

/** The measures of an answer that is a ranking of documents. */
export const rankingMeasures = ["ndcg", "recall", "judged"].flatMap((name) => depths.map((k) => `${name}@${k}`));

/** Documents as what an answer cites, in their order. */
export function citationsOf(documents: readonly Hit[]): Citation[] {
  return documents.map(({ id, site }) => ({ site, document: id }));
}

export function rankingOf(documents: readonly Hit[]): Answer {
  return { documents, citations: citationsOf(documents) };
}

/** Reads an answer that is an array of document ids. */
export function readRankingAnswer(payload: string, seen: ReadonlyMap<string, Hit>): Answer | null {
  const documents = readRanking(payload, seen);
  return documents === null ? null : rankingOf(documents);
}

/** Scores of a ranking; a query without an answer has an empty one. */
export function rankingScores(grades: ReadonlyMap<string, number>, { answer }: Outcome): Scores {
  const ranking = (answer?.documents ?? []).map(({ id }) => id);
  return {
    ...Object.fromEntries(depths.map((k) => [`ndcg@${k}`, ndcg(ranking, grades, k)])),
    ...Object.fromEntries(depths.map((k) => [`recall@${k}`, recall(ranking, grades, k)])),
    ...Object.fromEntries(depths.map((k) => [`judged@${k}`, judged(ranking, grades, k)])),
  };
}

/** Whether an answer holds one of the relevant documents at least: the paper's success in the ranking tasks. */
export function holdsRelevant(relevant: readonly string[], { answer }: Outcome): boolean {
  return answer?.documents.some(({ id }) => relevant.includes(id)) ?? false;
}
