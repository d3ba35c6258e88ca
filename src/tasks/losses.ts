import type { Outcome, Scores } from "../agents/task.ts";

/** Where a relevant document was lost on its way into the answer, the first stage that fails. */
export type Loss = "notSelected" | "notRetrieved" | "notReturned" | "notRanked";

/**
 * The stage at which a query lost all its relevant documents: no site that holds one was asked; no search found one;
 * no content agent handed one over; the user agent left it out of its answer. Null when the answer has one. A
 * strategy that asks no site cannot lose at the first stage.
 */
export function lossOf(relevant: readonly string[], goldSites: readonly string[], outcome: Outcome): Loss | null {
  const { answer, asksSites, contactedSites, found, seen } = outcome;
  const answered = new Set(answer?.documents.map(({ id }) => id));
  if (relevant.some((id) => answered.has(id))) return null;
  if (relevant.some((id) => seen.has(id))) return "notRanked";
  if (relevant.some((id) => found.has(id))) return "notReturned";
  if (asksSites && !goldSites.some((site) => contactedSites.has(site))) return "notSelected";
  return "notRetrieved";
}

/** The stages as 0/1 measures. */
export function lossScores(loss: Loss | null): Scores {
  return {
    lossNotSelected: loss === "notSelected" ? 1 : 0,
    lossNotRetrieved: loss === "notRetrieved" ? 1 : 0,
    lossNotReturned: loss === "notReturned" ? 1 : 0,
    lossNotRanked: loss === "notRanked" ? 1 : 0,
  };
}
