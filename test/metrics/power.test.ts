import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { meanAtLevel } from "../../src/metrics/intervals.ts";
import { detectableDifference, powerOfPairedTest, topicsNeeded } from "../../src/metrics/power.ts";
import { uniform } from "./uniform.ts";

/** The spread of paired NDCG@3 differences that the published figures imply. */
const sd = 0.42;

describe("the power of a paired comparison", () => {
  test("300 topics find 6.8 points of NDCG@3, and 3.2 points take between 1,200 and 1,550", () => {
    expect(detectableDifference(sd, 300)).toBeCloseTo(0.068, 3);
    const needed = topicsNeeded(0.032, sd);
    expect(needed).toBeGreaterThan(1200);
    expect(needed).toBeLessThan(1550);
  });

  test.each([
    { n: 10, difference: 0.4 },
    { n: 40, difference: 0.19 },
    { n: 300, difference: 0.068 },
  ])("is what a simulation finds with $n topics", ({ n, difference }) => {
    const draw = uniform(n);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
    const trials = 4000;
    let found = 0;
    for (let trial = 0; trial < trials; trial++) {
      const { low, high } = meanAtLevel(
        Array.from({ length: n }, () => difference + sd * normal()),
        0.95,
      );
      if ((low as number) > 0 || (high as number) < 0) found++;
    }
    // Three standard errors of the simulated share, and what the approximation is off.
    expect(Math.abs(found / trials - (powerOfPairedTest(difference, sd, n) as number))).toBeLessThan(0.025);
  });

  test("needed topics and detectable differences agree", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 2, noNaN: true }),
        fc.double({ min: 0.02, max: 1, noNaN: true }),
        (of, share) => {
          const difference = of * share;
          const n = topicsNeeded(difference, of);
          expect(detectableDifference(of, n) as number).toBeLessThanOrEqual(difference * (1 + 1e-9));
          if (n > 2) expect(detectableDifference(of, n - 1) as number).toBeGreaterThan(difference * (1 - 1e-9));
        },
      ),
    );
  });

  test("no difference is found at the level of the test alone", () => {
    expect(powerOfPairedTest(0, sd, 300)).toBeCloseTo(0.05, 3);
    expect(powerOfPairedTest(0.1, sd, 1)).toBeNull();
    expect(detectableDifference(0, 10)).toBe(0);
  });
});
