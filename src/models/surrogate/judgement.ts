import { hash32 } from "../../kernel/random.ts";
import { logistic } from "./chance.ts";
import type { Judgement } from "./profile.ts";
import type { Question } from "./question.ts";
import type { SeenPage } from "./situation.ts";

/** A page and what the agent takes it to be worth. */
export interface JudgedPage {
  readonly seen: SeenPage;
  /** The share of the question found on it, in [0, 1]. */
  readonly match: number;
  /** The match, with what its place adds and what the noise does to it. */
  readonly worth: number;
}

/** Judges all pages, in the order given. */
export function judge(pages: readonly SeenPage[], question: Question, how: Judgement, seed: number): JudgedPage[] {
  const { "trust-in-order": trust, noise } = how;
  return pages.map((seen) => {
    const { page } = seen;
    const match = page === null ? seen.match : page.relevanceTo(question);
    const key = page === null ? hash32(seen.id) : page.key;
    return { seen, match, worth: match + trust / (1 + seen.rank) + noise * logistic(seed, key) };
  });
}

/** -Infinity where there is no page. */
export function bestWorth(pages: readonly JudgedPage[]): number {
  let best = -Infinity;
  for (const { worth } of pages) if (worth > best) best = worth;
  return best;
}

/** The best first; ties by id. */
export function ranked(pages: readonly JudgedPage[]): JudgedPage[] {
  return pages.toSorted((a, b) => b.worth - a.worth || (a.seen.id < b.seen.id ? -1 : 1));
}
