import { logistic } from "./chance.ts";
import type { SeenPage } from "./page.ts";
import type { Judgement } from "./profile.ts";
import type { Question } from "./question.ts";
import type { Situation } from "./situation.ts";

/** A page and what an agent takes it to be worth. */
export interface JudgedPage {
  readonly seen: SeenPage;
  readonly worth: number;
}

/** What a page is worth to an agent: how well it matches, what its place adds, and what the noise does to it. */
function worthOf(seen: SeenPage, question: Question, how: Judgement, seed: number): number {
  return seen.matchWith(question) + how["trust-in-order"] / (1 + seen.rank) + how.noise * logistic(seed, seen.key);
}

/** What the best page is worth that the person has not been on; -Infinity where there is none. */
export function bestWorth({ pages, question, visitedPages }: Situation, how: Judgement, seed: number): number {
  let best = -Infinity;
  for (const seen of pages) if (!visitedPages.has(seen.id)) best = Math.max(best, worthOf(seen, question, how, seed));
  return best;
}

/** All pages, the best first; ties by id. */
export function ranked({ pages, question }: Situation, how: Judgement, seed: number): JudgedPage[] {
  const judged = pages.map((seen) => ({ seen, worth: worthOf(seen, question, how, seed) }));
  return judged.sort((a, b) => b.worth - a.worth || (a.seen.id < b.seen.id ? -1 : 1));
}
