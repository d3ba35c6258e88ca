import { normalProbability } from "./normal-distribution.ts";
import { tQuantile } from "./t-distribution.ts";

/** What a two-sided paired t test is planned with: its level and the chance to find a difference that is there. */
export interface TestPlan {
  /** In (0, 1). */
  readonly alpha: number;
  /** In (alpha, 1). */
  readonly power: number;
}

/** The usual plan. */
export const usualPlan: TestPlan = { alpha: 0.05, power: 0.8 };

/**
 * The chance that a two-sided paired t test at level `alpha` finds a mean difference over `n` topics whose differences
 * have the standard deviation `sd`, in [0, 1]. By the normal approximation of the non-central t distribution
 * (Abramowitz and Stegun 26.7.10), which is within about 0.005 from n = 10 on. Null below two topics.
 */
export function powerOfPairedTest(difference: number, sd: number, n: number, alpha = usualPlan.alpha): number | null {
  if (n < 2) return null;
  const df = n - 1;
  const critical = tQuantile(1 - alpha / 2, df);
  const shift = (Math.abs(difference) * Math.sqrt(n)) / sd;
  const below = (t: number): number =>
    normalProbability((t * (1 - 1 / (4 * df)) - shift) / Math.sqrt(1 + (t * t) / (2 * df)));
  return 1 - below(critical) + below(-critical);
}

/** The smallest mean difference that `n` topics find with the planned power, in the unit of `sd`; null below two. */
export function detectableDifference(sd: number, n: number, { alpha, power }: TestPlan = usualPlan): number | null {
  if (n < 2) return null;
  if (sd === 0) return 0;
  let [low, high] = [0, sd];
  const isFound = (difference: number): boolean => (powerOfPairedTest(difference, sd, n, alpha) as number) >= power;
  while (!isFound(high)) high *= 2;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (isFound(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The least number of topics with which a mean difference above 0 is found with the planned power. */
export function topicsNeeded(difference: number, sd: number, { alpha, power }: TestPlan = usualPlan): number {
  if (!(difference > 0)) throw new RangeError(`a difference must be above 0; got ${difference}`);
  const isEnough = (n: number): boolean => (powerOfPairedTest(difference, sd, n, alpha) as number) >= power;
  let enough = 2;
  while (!isEnough(enough)) enough *= 2;
  let tooFew = enough === 2 ? 1 : enough / 2;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
