import { hash32 } from "../../kernel/random.ts";
import { logistic } from "./chance.ts";
import type { Judgement } from "./profile.ts";
import type { Question } from "./question.ts";
import type { SeenPage } from "./situation.ts";

/** A page and what the agent takes it to be worth. */
export interface JudgedPage extends SeenPage {
  readonly worth: number;
}

/** Judges all pages, in the order given. */
export function judge(pages: readonly SeenPage[], question: Question, how: Judgement, seed: number): JudgedPage[] {
  return pages.map((seen) => {
    const { page, rank } = seen;
    const match = page === null ? seen.match : page.relevanceTo(question);
    const key = page === null ? hash32(seen.id) : page.key;
    const worth = match + how["trust-in-order"] / (1 + rank) + how.noise * logistic(seed, key);
    return { ...seen, match, worth };
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
  return pages.toSorted((a, b) => b.worth - a.worth || (a.id < b.id ? -1 : 1));
}
