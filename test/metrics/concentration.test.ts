import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  concentration,
  evenness,
  gini,
  herfindahl,
  lorenzCurve,
  millerMadowEntropy,
  shannonEntropy,
  unbiasedHerfindahl,
} from "../../src/metrics/index.ts";

const counts = fc.array(fc.nat(500), { maxLength: 40 });
const traffic = counts.filter((sites) => sites.some((count) => count > 0));

describe("concentration", () => {
  test("keeps every measure in its range, whatever the counts", () => {
    fc.assert(
      fc.property(counts, (sites) => {
        const got = concentration(sites);
        for (const name of [
          "hhi",
          "hhiUnbiased",
          "gini",
          "giniPositive",
          "top1",
          "top5",
          "top10",
          "coverage",
        ] as const) {
          const value = got[name];
          if (value !== null) expect(value >= 0 && value <= 1, `${name} = ${value}`).toBe(true);
        }
        expect(Object.values(got).every((value) => value === null || Number.isFinite(value))).toBe(true);
        if (got.theil !== null) expect(got.theil).toBeLessThanOrEqual(Math.log(sites.length) + 1e-12);
        if (got.effectiveSites !== null) expect(got.effectiveSites).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  test("does not depend on the order of the sites; shares do not depend on the unit of the counts", () => {
    fc.assert(
      fc.property(traffic, fc.integer({ min: 2, max: 9 }), (sites, factor) => {
        const [plain, reversed] = [concentration(sites), concentration([...sites].reverse())];
        const scaled = concentration(sites.map((count) => count * factor));
        for (const name of ["hhi", "gini", "giniPositive", "top5", "coverage", "theil"] as const) {
          expect(reversed[name]).toBeCloseTo(plain[name] as number, 10);
          expect(scaled[name]).toBeCloseTo(plain[name] as number, 10);
        }
      }),
    );
  });

  test("falls, or stays, when traffic moves from a busier site to a less busy one", () => {
    fc.assert(
      fc.property(traffic, fc.nat(), fc.nat(), (sites, from, to) => {
        const [i, j] = [from % sites.length, to % sites.length];
        const gap = (sites[i] as number) - (sites[j] as number);
        if (gap < 2) return;
        const moved = sites.with(i, (sites[i] as number) - 1).with(j, (sites[j] as number) + 1);
        expect(gini(moved) as number).toBeLessThanOrEqual((gini(sites) as number) + 1e-12);
        expect(herfindahl(moved) as number).toBeLessThanOrEqual((herfindahl(sites) as number) + 1e-12);
        expect(shannonEntropy(moved) as number).toBeGreaterThanOrEqual((shannonEntropy(sites) as number) - 1e-12);
      }),
    );
  });

  test("sites without traffic raise Gini and leave HHI, entropy and Gini over positive sites alone", () => {
    fc.assert(
      fc.property(traffic, (sites) => {
        const [some, more] = [concentration(sites), concentration([...sites, 0, 0])];
        expect(more.gini as number).toBeGreaterThan(some.gini as number);
        expect(more.hhi).toBe(some.hhi);
        expect(more.hhiUnbiased).toBe(some.hhiUnbiased);
        expect(more.effectiveSitesShannon).toBe(some.effectiveSitesShannon);
        expect(more.giniPositive).toBe(some.giniPositive);
      }),
    );
  });

  test("has the values of equal shares and of a monopoly", () => {
    expect(concentration([4, 4, 4, 4])).toMatchObject({ hhi: 0.25, gini: 0, coverage: 1, theil: 0, top1: 0.25 });
    expect(concentration([7, 0, 0, 0])).toMatchObject({
      sites: 4,
      n: 7,
      hhi: 1,
      hhiUnbiased: 1,
      effectiveSites: 1,
      effectiveSitesShannon: 1,
      gini: 0.75,
      giniPositive: 0,
      top1: 1,
      coverage: 0.25,
    });
  });

  test("is null where it is undefined", () => {
    expect(Object.values(concentration([]))).toEqual([0, 0, ...new Array(11).fill(null)]);
    expect(concentration([1, 0])).toMatchObject({ hhi: 1, hhiUnbiased: null, effectiveSites: null });
    // No site was met twice: the unbiased index is 0, and no number of equal sites is large enough.
    expect(concentration([1, 1, 1])).toMatchObject({ hhiUnbiased: 0, effectiveSites: null });
    // Weighted traffic (exposure) is no sample of whole events.
    expect(concentration([1.5, 0.5])).toMatchObject({ hhi: 0.625, hhiUnbiased: null });
    expect(lorenzCurve([0, 0])).toBeNull();
    expect(evenness([3])).toBeNull();
  });

  test("refuses counts that are negative or not finite", () => {
    for (const count of [-1, NaN, Infinity]) expect(() => concentration([1, count])).toThrow(RangeError);
  });

  test("the Lorenz curve rises from (0, 0) to (1, 1) below the diagonal, and its area gives Gini", () => {
    fc.assert(
      fc.property(traffic, (sites) => {
        const curve = lorenzCurve(sites) as [number, number][];
        let area = 0;
        curve.forEach(([x, y], i) => {
          expect(y).toBeLessThanOrEqual(x + 1e-12);
          const [beforeX, beforeY] = curve[i - 1] ?? [0, 0];
          expect(y).toBeGreaterThanOrEqual(beforeY);
          area += ((x - beforeX) * (y + beforeY)) / 2;
        });
        expect(curve.at(-1)).toEqual([1, 1]);
        expect(1 - 2 * area).toBeCloseTo(gini(sites) as number, 10);
      }),
    );
  });
});

describe("estimates from a sample of n events", () => {
  const shares = [0.5, 0.3, 0.15, 0.05];
  const trueHhi = 0.25 + 0.09 + 0.0225 + 0.0025;

  /** The exact expectation over all multinomial samples of n events. */
  function expectation(n: number, statistic: (sample: number[]) => number): number {
    let sum = 0;
    const visit = (sample: number[], left: number, probability: number): void => {
      const site = sample.length;
      const share = shares[site] as number;
      if (site === shares.length - 1) {
        let rest = probability;
        for (let i = 1; i <= left; i++) rest *= share / i;
        sum += rest * statistic([...sample, left]);
        return;
      }
      let weight = probability;
      for (let count = 0; count <= left; count++) {
        visit([...sample, count], left - count, weight);
        weight *= share / (count + 1);
      }
    };
    let factorial = 1;
    for (let i = 2; i <= n; i++) factorial *= i;
    visit([], n, factorial);
    return sum;
  }

  test("the unbiased HHI is flat in n, and the plug-in is too high by (1 - HHI) / n", () => {
    for (const n of [2, 3, 5, 10, 20]) {
      expect(expectation(n, () => 1)).toBeCloseTo(1, 10);
      expect(expectation(n, (sample) => unbiasedHerfindahl(sample) as number)).toBeCloseTo(trueHhi, 10);
      expect(expectation(n, (sample) => herfindahl(sample) as number)).toBeCloseTo(trueHhi + (1 - trueHhi) / n, 10);
    }
  });

  test("Miller and Madow's correction removes most of the bias of the entropy", () => {
    const truth = -shares.reduce((sum, share) => sum + share * Math.log(share), 0);
    const bias = (estimate: (sample: number[]) => number | null) =>
      Math.abs(expectation(20, (sample) => estimate(sample) as number) - truth);
    expect(bias(millerMadowEntropy)).toBeLessThan(bias(shannonEntropy) / 3);
  });
});
