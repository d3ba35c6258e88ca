import { inverse, type Matrix, solve } from "./linear-algebra.ts";

/** Parameters estimated by maximum likelihood. */
export interface Estimates {
  readonly parameters: readonly number[];
  /** From the information at the end; null where the data do not determine the parameters. */
  readonly standardErrors: readonly number[] | null;
  readonly logLikelihood: number;
  /** Whether nothing was left to gain before the steps ran out. */
  readonly converged: boolean;
}

/** A log-likelihood with its slope and curvature at a point. */
export interface Curvature {
  readonly value: number;
  readonly gradient: readonly number[];
  /** What the cases say about the parameters: the second derivatives with their sign changed, or an estimate of them. */
  readonly information: Matrix;
}

const mostSteps = 200;

/** A step that promises less log-likelihood is not worth it: the parameters are a hundred-thousandth of an error off. */
const smallestGain = 1e-10;

/** Newton's method, each step halved until it helps. */
export function maximise(start: readonly number[], at: (parameters: readonly number[]) => Curvature): Estimates {
  let parameters = [...start];
  let here = at(parameters);
  let converged = false;
  for (let step = 0; step < mostSteps && !converged; step++) {
    const move = damped(here.information, here.gradient);
    const promised = 0.5 * move.reduce((sum, value, index) => sum + value * here.gradient[index]!, 0);
    converged = promised < smallestGain;
    for (let share = 1; !converged; share /= 2) {
      const place = parameters.map((value, index) => value + share * (move[index] as number));
      const next = at(place);
      if (next.value > here.value) {
        [parameters, here] = [place, next];
        break;
      }
      converged = share < 1e-10; // no better place in this direction: the maximum, as far as numbers go
    }
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

/**
 * The slope of a smooth log-likelihood by central differences, and its curvature from the slopes of the single cases
 * (Berndt, Hall, Hall and Hausman 1974): for a handful of parameters and many independent cases.
 * @param casesAt the log-likelihood of each case
 */
export function byDifferences(casesAt: (parameters: readonly number[]) => Float64Array) {
  return (parameters: readonly number[]): Curvature => {
    const slopes = parameters.map((value, index) => {
      const step = distance * Math.max(1, Math.abs(value));
      const above = casesAt(parameters.with(index, value + step));
      const below = casesAt(parameters.with(index, value - step));
      return above.map((each, place) => (each - below[place]!) / (2 * step));
    });
    const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
    return {
      value: total(casesAt(parameters)),
      gradient: slopes.map(total),
      information: slopes.map((a) => slopes.map((b) => a.reduce((sum, value, place) => sum + value * b[place]!, 0))),
    };
  };
}
