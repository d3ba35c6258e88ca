import { inverse, type Matrix, solve } from "./linear-algebra.ts";

/** Parameters estimated by maximum likelihood. */
export interface Estimates {
  readonly parameters: readonly number[];
  /** From the observed information; null where the data do not determine the parameters. */
  readonly standardErrors: readonly number[] | null;
  readonly logLikelihood: number;
  /** Whether the steps became small before their number ran out. */
  readonly converged: boolean;
}

/** A log-likelihood with its slope and curvature at a point. */
export interface Curvature {
  readonly value: number;
  readonly gradient: readonly number[];
  /** The matrix of second derivatives, with the sign changed: positive definite near a maximum. */
  readonly information: Matrix;
}

const mostSteps = 100;
const smallStep = 1e-9;

/** Newton's method, each step halved until it helps. */
export function maximise(start: readonly number[], at: (parameters: readonly number[]) => Curvature): Estimates {
  let parameters = [...start];
  let here = at(parameters);
  let converged = false;
  for (let step = 0; step < mostSteps && !converged; step++) {
    const move = damped(here.information, here.gradient);
    let share = 1;
    let next = here;
    let place = parameters;
    for (; share > 1e-10; share /= 2) {
      place = parameters.map((value, index) => value + share * (move[index] as number));
      next = at(place);
      if (next.value >= here.value) break;
    }
    if (share <= 1e-10) {
      converged = true; // no better place in this direction: the maximum, as far as numbers go
      break;
    }
    converged = move.every((value, index) => Math.abs(share * value) <= smallStep * (1 + Math.abs(parameters[index]!)));
    [parameters, here] = [place, next];
  }
  const covariance = inverse(here.information);
  return {
    parameters,
    standardErrors: covariance?.map((row, index) => Math.sqrt(row[index] as number)) ?? null,
    logLikelihood: here.value,
    converged,
  };
}

/** The step to where the gradient vanishes; where the curvature is not that of a maximum, a shorter one uphill. */
function damped(information: Matrix, gradient: readonly number[]): number[] {
  const size = Math.max(1e-6, ...information.map((row, index) => Math.abs(row[index] as number)));
  for (let ridge = 0; ; ridge = ridge === 0 ? 1e-6 : ridge * 10) {
    const lifted = information.map((row, i) => row.map((value, j) => value + (i === j ? ridge * size : 0)));
    const move = solve(lifted, gradient);
    if (move !== null) return move;
  }
}

/** Half the distance of difference quotients, relative to a parameter of size 1. */
const distance = 1e-4;

/** The slope and curvature of a smooth log-likelihood by central differences: for a handful of parameters. */
export function byDifferences(logLikelihood: (parameters: readonly number[]) => number) {
  return (parameters: readonly number[]): Curvature => {
    const steps = parameters.map((value) => distance * Math.max(1, Math.abs(value)));
    const moved = (changes: readonly (readonly [index: number, by: number])[]): number => {
      const place = [...parameters];
      for (const [index, by] of changes) place[index]! += by;
      return logLikelihood(place);
    };
    const value = logLikelihood(parameters);
    const ends = steps.map((h, i) => ({ above: moved([[i, h]]), below: moved([[i, -h]]) }));
    const gradient = ends.map(({ above, below }, i) => (above - below) / (2 * steps[i]!));
    const information = steps.map(() => steps.map(() => 0));
    for (const [i, h] of steps.entries()) {
      information[i]![i] = -(ends[i]!.above - 2 * value + ends[i]!.below) / (h * h);
      for (let j = 0; j < i; j++) {
        const k = steps[j]!;
        const mixed =
          moved([[i, h], [j, k]]) - moved([[i, h], [j, -k]]) - moved([[i, -h], [j, k]]) + moved([[i, -h], [j, -k]]); // biome-ignore format: one corner a column
        information[i]![j] = information[j]![i] = -mixed / (4 * h * k);
      }
    }
    return { value, gradient, information };
  };
}
