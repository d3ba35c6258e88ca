import type { Assistant } from "./site-ledger.ts";

/** A strategy with its model, as people read it. */
export function assistantName({ strategy, model, thinking }: Assistant): string {
  if (model === null) return strategy;
  return `${strategy}, ${model}${thinking === false ? ", not thinking" : ""}`;
}

/** What the names of measures mean, in a few words. */
const meanings: Readonly<Record<string, string>> = {
  ndcg: "quality of the first k pages of the answer; 1 is the best order there is",
  recall: "share of the relevant pages that are among the first k",
  judged: "share of the first k pages that somebody has judged",
  failureUserAgent: "share of failures that are the user agent's",
  failureContentAgents: "share of failures that are the content agents'",
  siteRecall: "share of the sites with a relevant page that were asked",
  sitePrecision: "share of the sites asked that have a relevant page",
  accuracy: "share of answers that a judge calls right",
  f1: "overlap of words with the right answer",
  exactMatch: "share of answers equal to a right one",
  answerContainment: "share of answers that contain a right one",
  answerFromEvidence: "share of answers that some page shown says",
  answerFromMemory: "share of right answers that no page shown says",
  answerGuessed: "share of wrong answers that no page shown says",
  keyPointMatch: "share of the key points whose words the report has",
  turns: "turns of the user agent a query",
  agents: "different sites asked a query",
  requests: "requests to sites a query",
  userValidity: "share of the user agent's turns that were a valid action",
  contentTurns: "turns of content agents a request",
  contentValidity: "share of requests that came back with pages",
  latencyMs: "virtual time from question to answer",
  geoWordSd: "spread of the words that cite each site",
  geoPositionSd: "the same, weighted by position",
  geoOverallSd: "words and position together",
  citationEntropy: "evenness of citations in a report, 1 is even",
  largestCitationShare: "share of the most cited site in a report",
  citedAgents: "different sites cited a report",
  noReference: "share of reports that cite nobody",
};

export function measureMeaning(name: string): string | null {
  return meanings[name.split("@")[0] as string] ?? null;
}
