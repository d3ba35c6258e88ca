import type { Draw } from "./bootstrap.ts";

/**
 * The two-sided p of no difference by Fisher's randomisation test over pairs: how often differences with signs at
 * random have a sum as far from 0 as the observed one, in (0, 1]. One difference per topic, so that pairs are
 * independent. The observed signs count as one of the draws, so p is never 0. Null without differences.
 */
export function randomizationTest(differences: readonly number[], draw: Draw, resamples = 10_000): number | null {
  if (differences.length === 0) return null;
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  // Sums of the same numbers differ in their last bits with the order of signs; such ties count as equal.
  const rounding = 1e-12 * differences.reduce((sum, difference) => sum + Math.abs(difference), 0);
  let asFar = 1;
  for (let b = 0; b < resamples; b++) {
    let sum = 0;
    for (const difference of differences) sum += draw() < 0.5 ? difference : -difference;
    if (Math.abs(sum) >= observed - rounding) asFar++;
  }
  return asFar / (resamples + 1);
}

/**
 * The p values of a family of comparisons, adjusted by Holm's method (1979), in their order: comparing them with a
 * level keeps the chance of any false finding below it.
 */
export function holm(pValues: readonly number[]): number[] {
  const adjusted = [...pValues];
  const ascending = [...pValues.keys()].sort((a, b) => (pValues[a] as number) - (pValues[b] as number) || a - b);
  let largest = 0;
  ascending.forEach((position, rank) => {
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * (pValues[position] as number)));
    adjusted[position] = largest;
  });
  return adjusted;
}
