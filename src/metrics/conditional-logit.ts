import { type Curvature, type Estimates, maximise } from "./maximum-likelihood.ts";

/** One choice: what speaks for each option, and which was taken. */
export interface Choice {
  /** A row an option, a column a feature. */
  readonly options: readonly (readonly number[])[];
  readonly chosen: number;
}

/**
 * The conditional logit (McFadden 1974) of choices: the weights of the features in the options' utilities, by Newton's
 * method. A choice of several options in order is a row of choices, each without the options taken before. A weak
 * prior keeps the weight of a feature finite that decides every choice it could, or tells nothing.
 */
export function conditionalLogit(choices: readonly Choice[], features: number): Estimates {
  return maximise(new Array<number>(features).fill(0), (weights) => curvatureOf(choices, weights));
}

/** 1 / variance of the normal prior of a weight, whose standard deviation is thus 30. */
const precision = 1 / 900;

function curvatureOf(choices: readonly Choice[], weights: readonly number[]): Curvature {
  const size = weights.length;
  let value = -0.5 * precision * weights.reduce((sum, weight) => sum + weight * weight, 0);
  const gradient = weights.map((weight) => -precision * weight);
  const information = weights.map((_, row) => weights.map((__, column) => (column === row ? precision : 0)));
  for (const { options, chosen } of choices) {
    const shares = choiceShares(options, weights);
    value += Math.log(shares[chosen] as number);
    const mean = new Array<number>(size).fill(0);
    options.forEach((row, option) => {
      for (let i = 0; i < size; i++) mean[i]! += shares[option]! * row[i]!;
    });
    options.forEach((row, option) => {
      for (let i = 0; i < size; i++) {
        const off = row[i]! - mean[i]!;
        if (option === chosen) gradient[i]! += off;
        for (let j = 0; j <= i; j++) information[i]![j]! += shares[option]! * off * (row[j]! - mean[j]!);
      }
    });
  }
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) information[j]![i] = information[i]![j]!;
  return { value, gradient, information };
}

/** The chance of each option under the weights. */
function choiceShares(options: readonly (readonly number[])[], weights: readonly number[]): number[] {
  const utilities = options.map((row) => row.reduce((sum, value, index) => sum + value * weights[index]!, 0));
  const best = Math.max(...utilities);
  const odds = utilities.map((utility) => Math.exp(utility - best));
  const total = odds.reduce((sum, each) => sum + each, 0);
  return odds.map((each) => each / total);
}

/** The mean of -log of the chance that the weights gave to what was chosen; null without choices. */
export function logLoss(choices: readonly Choice[], weights: readonly number[]): number | null {
  if (choices.length === 0) return null;
  const total = choices.reduce(
    (sum, { options, chosen }) => sum - Math.log(choiceShares(options, weights)[chosen] as number),
    0,
  );
  return total / choices.length;
}
