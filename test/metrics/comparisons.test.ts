import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { holm, randomizationTest } from "../../src/metrics/index.ts";
import { uniform } from "./uniform.ts";

describe("the randomisation test", () => {
  test("approaches the exact share of sign patterns", () => {
    // All 256 patterns of signs, counted.
    const differences = [0.31, 0.12, 0.25, -0.04, 0.18, 0.02, -0.11, 0.27];
    const observed = differences.reduce((sum, difference) => sum + difference, 0);
    let asFar = 0;
    for (let pattern = 0; pattern < 256; pattern++) {
      const sum = differences.reduce((total, d, i) => total + ((pattern >> i) & 1 ? d : -d), 0);
      if (Math.abs(sum) >= observed - 1e-12) asFar++;
    }
    expect(randomizationTest(differences, uniform(7), 50_000)).toBeCloseTo(asFar / 256, 2);
  });

  test("finds nothing where all pairs agree, and gives no p without pairs", () => {
    expect(randomizationTest([0, 0, 0], uniform(1), 100)).toBe(1);
    expect(randomizationTest([], uniform(1))).toBeNull();
  });

  test("rejects a true null about as often as its level says", () => {
    const draw = uniform(42);
    const worlds = 300;
    let rejected = 0;
    for (let world = 0; world < worlds; world++) {
      const differences = Array.from({ length: 20 }, () => draw() - draw());
      if ((randomizationTest(differences, draw, 300) as number) <= 0.05) rejected++;
    }
    expect(rejected / worlds).toBeGreaterThan(0.01);
    expect(rejected / worlds).toBeLessThan(0.1);
  });
});

describe("Holm's adjustment", () => {
  test("multiplies the smallest p by the number of comparisons, and never lets a larger one pass first", () => {
    const adjusted = holm([0.01, 0.04, 0.03, 0.005]);
    [0.03, 0.06, 0.06, 0.02].forEach((p, i) => expect(adjusted[i]).toBeCloseTo(p, 12));
    expect(holm([])).toEqual([]);
  });

  test("never lowers a p, keeps their order, and does not depend on the order of the comparisons", () => {
    const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
    fc.assert(
      fc.property(pValues, (values) => {
        const adjusted = holm(values);
        const smallest = Math.min(...values);
        adjusted.forEach((p, i) => {
          const own = values[i] as number;
          expect(p).toBeGreaterThanOrEqual(own);
          expect(p).toBeLessThanOrEqual(1);
          if (own === smallest) expect(p).toBe(Math.min(1, values.length * own));
          values.forEach((other, j) => {
            if (other <= own) expect(adjusted[j] as number).toBeLessThanOrEqual(p);
          });
        });
        expect(holm([...values].reverse()).reverse()).toEqual(adjusted);
      }),
    );
  });
});
