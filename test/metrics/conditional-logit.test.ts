import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Choice, conditionalLogit, logLoss } from "../../src/metrics/conditional-logit.ts";
import { inverse, solve } from "../../src/metrics/linear-algebra.ts";
import { byDifferences, maximise } from "../../src/metrics/maximum-likelihood.ts";
import { uniform } from "./uniform.ts";

describe("the conditional logit", () => {
  const weights = [1.2, -0.7, 0.4];

  /** Choices among six options by utility plus Gumbel noise. */
  function simulated(seed: number, count: number): Choice[] {
    const draw = uniform(seed);
    return Array.from({ length: count }, () => {
      const options = Array.from({ length: 6 }, () => weights.map(() => 2 * draw() - 1));
      const utilities = options.map(
        (row) => row.reduce((sum, value, index) => sum + value * weights[index]!, 0) - Math.log(-Math.log(draw())),
      );
      return { options, chosen: utilities.indexOf(Math.max(...utilities)) };
    });
  }

  test("recovers known weights, and its standard errors cover them at their level", () => {
    let covered = 0;
    const trials = 200;
    for (let trial = 0; trial < trials; trial++) {
      const { parameters, standardErrors, converged } = conditionalLogit(simulated(trial, 150), 3);
      expect(converged).toBe(true);
      weights.forEach((weight, index) => {
        if (Math.abs((parameters[index] as number) - weight) < 1.96 * (standardErrors?.[index] as number)) covered++;
      });
    }
    expect(covered / (3 * trials)).toBeGreaterThan(0.925);
    expect(covered / (3 * trials)).toBeLessThan(0.975);
  });

  test("foresees better than the uniform choice", () => {
    const { parameters } = conditionalLogit(simulated(1, 500), 3);
    const held = simulated(2, 500);
    expect(logLoss(held, [0, 0, 0])).toBeCloseTo(Math.log(6), 12);
    expect(logLoss(held, parameters) as number).toBeLessThan(Math.log(6) - 0.1);
    expect(logLoss([], parameters)).toBeNull();
  });

  test("stays finite where a feature decides every choice, or says nothing", () => {
    const choices = Array.from({ length: 20 }, () => ({
      options: [
        [1, 5],
        [0, 5],
      ],
      chosen: 0,
    }));
    const { parameters, standardErrors } = conditionalLogit(choices, 2);
    expect(parameters[0]).toBeGreaterThan(3);
    expect(parameters[1]).toBeCloseTo(0, 9);
    expect(standardErrors?.every(Number.isFinite)).toBe(true);
  });
});

describe("maximum likelihood", () => {
  test("by differences agrees with the closed form of a normal sample", () => {
    const draw = uniform(5);
    const values = Array.from({ length: 400 }, () => draw() + draw() + draw());
    const casesAt = ([mean, logSd]: readonly number[]): Float64Array =>
      Float64Array.from(values, (x) => -logSd! - 0.5 * ((x - mean!) / Math.exp(logSd!)) ** 2);
    const { parameters, standardErrors, converged } = maximise([0, 0], byDifferences(casesAt));
    const mean = values.reduce((sum, x) => sum + x, 0) / 400;
    const sd = Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 400);
    expect(converged).toBe(true);
    expect(parameters[0]).toBeCloseTo(mean, 5);
    expect(Math.exp(parameters[1] as number)).toBeCloseTo(sd, 5);
    expect(standardErrors?.[0]).toBeCloseTo(sd / 20, 2);
    expect(standardErrors?.[1]).toBeCloseTo(1 / Math.sqrt(800), 2);
  });

  test("says that data do not determine a parameter", () => {
    const { standardErrors } = maximise(
      [1, 1],
      byDifferences(([x]) => Float64Array.from([2, 3, 4], (each) => -((x! - each) ** 2))),
    );
    expect(standardErrors).toBeNull();
  });
});

test("solving and inverting agree with multiplication", () => {
  const entry = fc.double({ min: -2, max: 2, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.array(entry, { minLength: 4, maxLength: 4 }), { minLength: 4, maxLength: 4 }), (rows) => {
      // A matrix times its transpose, plus 1 on the diagonal: positive definite.
      const matrix = rows.map((a, i) =>
        rows.map((b, j) => a.reduce((sum, x, k) => sum + x * b[k]!, 0) + (i === j ? 1 : 0)),
      );
      const times = (vector: readonly number[]): number[] =>
        matrix.map((row) => row.reduce((sum, x, k) => sum + x * vector[k]!, 0));
      const wanted = [1, -2, 3, 0.5];
      times(solve(matrix, wanted) as number[]).forEach((x, i) => expect(x).toBeCloseTo(wanted[i]!, 8));
      (inverse(matrix) as number[][]).forEach((row, i) =>
        times(row).forEach((x, j) => expect(x).toBeCloseTo(i === j ? 1 : 0, 8)),
      );
    }),
  );
  expect(
    solve(
      [
        [1, 2],
        [2, 4],
      ],
      [1, 1],
    ),
  ).toBeNull();
  expect(inverse([[-1]])).toBeNull();
});
