import { solve } from "../../src/metrics/linear-algebra.ts";

export interface Fitted {
  readonly position: readonly number[];
  readonly residuals: readonly number[];
  readonly evaluations: number;
}

/** Half the width of a difference quotient: smooths over thresholds, which make figures jump. */
const step = 0.06;

/**
 * Makes a sum of squared residuals small over the unit cube, by Levenberg and Marquardt's method with difference
 * quotients. `onStep` hears of every improvement.
 */
export async function leastSquares(
  start: readonly number[],
  residualsAt: (position: readonly number[]) => Promise<readonly number[]>,
  iterations: number,
  onStep: (fitted: Fitted) => void,
): Promise<Fitted> {
  let position = [...start];
  let residuals = await residualsAt(position);
  let evaluations = 1;
  let damping = 0.1;
  for (let iteration = 0; iteration < iterations; iteration++) {
    const slopes: (readonly number[])[] = [];
    for (const [index, place] of position.entries()) {
      const moved = place + step <= 1 ? step : -step;
      const there = await residualsAt(position.with(index, place + moved));
      evaluations++;
      slopes.push(there.map((residual, row) => (residual - (residuals[row] as number)) / moved));
    }
    const dot = (a: readonly number[], b: readonly number[]): number =>
      a.reduce((sum, value, index) => sum + value * (b[index] as number), 0);
    const normal = slopes.map((a) => slopes.map((b) => dot(a, b)));
    const gradient = slopes.map((slope) => -dot(slope, residuals));
    let improved = false;
    for (let attempt = 0; attempt < 5 && !improved; attempt++) {
      const damped = normal.map((row, i) => row.map((value, j) => value + (i === j ? damping * (1 + value) : 0)));
      const move = solve(damped, gradient) ?? gradient.map(() => 0);
      const next = position.map((place, index) => Math.min(1, Math.max(0, place + (move[index] as number))));
      const there = await residualsAt(next);
      evaluations++;
      improved = dot(there, there) < dot(residuals, residuals);
      if (improved) [position, residuals] = [next, there];
      damping *= improved ? 0.4 : 4;
    }
    onStep({ position, residuals, evaluations });
    if (!improved) break;
  }
  return { position, residuals, evaluations };
}
