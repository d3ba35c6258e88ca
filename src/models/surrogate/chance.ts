import { gumbel, hash32, hashUniform } from "../../kernel/random.ts";

// All chance of the surrogate is a hash of the request's seed and of what is decided: nothing is drawn in sequence, so
// that no decision and no option shifts another.

/** Decisions, by the hash of their name. */
export const decisions = {
  malformed: hash32("malformed"),
  kindOfMalformed: hash32("kind of malformed"),
  searchOn: hash32("search on"),
  newText: hash32("new text"),
  firstText: hash32("first text"),
  askAgain: hash32("ask again"),
  summarise: hash32("summarise"),
  endWhenReminded: hash32("end when reminded"),
  numberOfSites: hash32("number of sites"),
  guess: hash32("guess"),
  thoughtTokens: hash32("thought tokens"),
} as const;

export function happens(seed: number, decision: number, probability: number): boolean {
  return hashUniform(seed, decision) < probability;
}

/** The quantile function of the standard logistic distribution. */
function logit(u: number): number {
  return Math.log(u / (1 - u));
}

/** Standard logistic noise of one option. */
export function logistic(seed: number, option: number): number {
  return logit(hashUniform(seed, option));
}

/** A log-logistic draw: positive, with the given median; `spread` is the scale of its logarithm. */
export function logLogistic(seed: number, decision: number, median: number, spread: number): number {
  return median * Math.exp(spread * logit(hashUniform(seed, decision)));
}

/** The number of successes in `trials` trials of one probability. */
export function binomial(seed: number, decision: number, trials: number, probability: number): number {
  let successes = 0;
  for (let trial = 1; trial <= trials; trial++) {
    if (hashUniform(seed, decision + trial) < probability) successes += 1;
  }
  return successes;
}

/** One of several names with a probability in proportion to its weight; the same names compete under one seed. */
export function weighted<Name extends string>(seed: number, weights: Readonly<Record<Name, number>>): Name {
  let best: Name | undefined;
  let bestUtility = -Infinity;
  for (const name of Object.keys(weights) as Name[]) {
    const utility = Math.log(weights[name]) + gumbel(hashUniform(seed, hash32(name)));
    if (best === undefined || utility > bestUtility) {
      best = name;
      bestUtility = utility;
    }
  }
  return best as Name;
}
