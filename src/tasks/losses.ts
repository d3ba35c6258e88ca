import type { Outcome, Prepared, Scores } from "../agents/task.ts";
import { sitePrecision, siteRecall } from "../metrics/federated-search.ts";

/** Where a relevant document was lost on its way into the answer, the first stage that fails. */
export type Loss = "notSelected" | "notRetrieved" | "notReturned" | "notRanked";

/**
 * The stage at which a query that failed lost all its relevant documents: no site that holds one was asked; no search
 * found one; no content agent handed one over; the user agent had one and did not make an answer of it. A strategy
 * that asks no site cannot lose at the first stage.
 */
function lossOf(relevant: readonly string[], goldSites: readonly string[], outcome: Outcome): Loss {
  const { asksSites, contactedSites, found, seen } = outcome;
  if (relevant.some((id) => seen.has(id))) return "notRanked";
  if (relevant.some((id) => found.has(id))) return "notReturned";
  if (asksSites && !goldSites.some((site) => contactedSites.has(site))) return "notSelected";
  return "notRetrieved";
}

/** The stages as 0/1 measures: all 0 for a query that did not fail. */
function lossScores(loss: Loss | null): Scores {
  return {
    lossNotSelected: loss === "notSelected" ? 1 : 0,
    lossNotRetrieved: loss === "notRetrieved" ? 1 : 0,
    lossNotReturned: loss === "notReturned" ? 1 : 0,
    lossNotRanked: loss === "notRanked" ? 1 : 0,
  };
}

const noLossScores: Scores = {
  lossNotSelected: null,
  lossNotRetrieved: null,
  lossNotReturned: null,
  lossNotRanked: null,
};

/** What all tasks measure of the way from the sites to the answer, in the order of reports. */
export const siteMeasures = ["siteRecall", "sitePrecision"] as const;

/**
 * Scores of the sites asked, and where a query that failed lost its documents. A topic without any document to find
 * has nothing to lose on the way: its values are null.
 */
export function siteScores(
  relevant: readonly string[],
  { goldSites }: Prepared<object>,
  outcome: Outcome,
  hasFailed: boolean,
): Scores {
  const gold = new Set(goldSites);
  const { asksSites, contactedSites } = outcome;
  const isMeasured = asksSites && gold.size > 0;
  return {
    siteRecall: isMeasured ? siteRecall(contactedSites, gold) : null,
    sitePrecision: isMeasured ? sitePrecision(contactedSites, gold) : null,
    ...(relevant.length === 0 ? noLossScores : lossScores(hasFailed ? lossOf(relevant, goldSites, outcome) : null)),
  };
}

/** The paper's two-way attribution of failures, in the order of reports. */
export const attributionMeasures = ["failureUserAgent", "failureContentAgents"] as const;

/** Whose fault a failure is; null for a query that did not fail, so that means are shares of the failures. */
export function attributionScores(blame: "user-agent" | "content-agents" | null): Scores {
  return {
    failureUserAgent: blame === null ? null : blame === "user-agent" ? 1 : 0,
    failureContentAgents: blame === null ? null : blame === "content-agents" ? 1 : 0,
  };
}

/**
 * The paper's rule for ranking tasks: a failure is the user agent's if it asked no site that holds a relevant document,
 * else the content agents'. It says nothing of strategies that ask no sites.
 */
export function rankingBlame({ goldSites }: Prepared<object>, outcome: Outcome, hasFailed: boolean) {
  if (!hasFailed || !outcome.asksSites) return null;
  return goldSites.some((site) => outcome.contactedSites.has(site)) ? "content-agents" : "user-agent";
}
