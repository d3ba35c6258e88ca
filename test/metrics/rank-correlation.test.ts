import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cohenKappa,
  fitPowerLaw,
  fitZipf,
  fitZipfToCounts,
  kendall,
  rankBiasedOverlap,
} from "../../src/metrics/index.ts";

const item = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h");
const ranking = fc.uniqueArray(item, { maxLength: 8 });
const persistence = fc.constantFrom(0.1, 0.5, 0.8, 0.9, 0.98);

describe("rank-biased overlap", () => {
  test("lies within [0, 1], is symmetric, and its extrapolation lies between its bounds", () => {
    fc.assert(
      fc.property(ranking, ranking, persistence, (a, b, p) => {
        const got = rankBiasedOverlap(a, b, p);
        for (const value of [got.ext, got.min, got.res, got.truncated, got.truncatedNormalized, got.averageOverlap]) {
          expect(value >= 0 && value <= 1).toBe(true);
        }
        expect(got.min).toBeLessThanOrEqual(got.ext + 1e-9);
        expect(got.ext).toBeLessThanOrEqual(got.min + got.res + 1e-9);
        expect(rankBiasedOverlap(b, a, p)).toEqual(got);
      }),
    );
  });

  test("of a ranking with itself is 1, of disjoint ones 0", () => {
    fc.assert(
      fc.property(ranking, persistence, (a, p) => {
        expect(rankBiasedOverlap(a, a, p).ext).toBeCloseTo(1, 12);
        if (a.length > 0)
          expect(
            rankBiasedOverlap(
              a,
              a.map((name) => `other ${name}`),
              p,
            ).ext,
          ).toBe(0);
      }),
    );
  });

  test("refuses a persistence outside (0, 1)", () => {
    for (const p of [0, 1, NaN]) expect(() => rankBiasedOverlap(["a"], ["a"], p)).toThrow(RangeError);
  });
});

describe("Kendall's tau", () => {
  test("lies within [-1, 1], changes sign with the order and ignores the unit", () => {
    const pairs = fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { maxLength: 15 });
    fc.assert(
      fc.property(pairs, (values) => {
        const [x, y] = [values.map(([left]) => left), values.map(([, right]) => right)];
        const { tauB, tauA } = kendall(x, y);
        const turned = kendall(
          x,
          y.map((value) => -value),
        );
        const scaled = kendall(
          x.map((value) => 3 * value + 1),
          y,
        );
        expect(scaled.tauB).toBe(tauB);
        for (const tau of [tauB, tauA]) if (tau !== null) expect(tau >= -1 && tau <= 1).toBe(true);
        if (tauB !== null) expect(turned.tauB).toBeCloseTo(-tauB, 12);
        else expect(turned.tauB).toBeNull();
      }),
    );
  });
});

describe("power laws", () => {
  test("find the exponent of exact Zipf shares", () => {
    for (const exponent of [0, 0.5, 1, 1.7]) {
      const shares = Array.from({ length: 60 }, (_, i) => 1000 * Math.exp(-exponent * Math.log(i + 1)));
      expect(fitZipf(shares)?.exponent).toBeCloseTo(exponent, 9);
    }
  });

  test("give finite figures or null for any counts", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { maxLength: 20 }), (counts) => {
        for (const fit of [fitZipf(counts), fitZipfToCounts(counts), fitPowerLaw(counts, 1)]) {
          if (fit !== null) expect(Object.values(fit).every(Number.isFinite)).toBe(true);
        }
      }),
    );
  });

  test("refuse a lower bound that is not a whole number from 1", () => {
    for (const bound of [0, 1.5, NaN]) expect(() => fitPowerLaw([1, 2], bound)).toThrow(RangeError);
  });
});

test("Cohen's kappa is agreement beyond chance", () => {
  // 20 and 15 of 50 agree; the raters say yes in half and in 60 of 100 cases: (0.7 - 0.5) / (1 - 0.5).
  const pairs = [
    ...Array.from({ length: 20 }, () => [1, 1]),
    ...Array.from({ length: 5 }, () => [1, 0]),
    ...Array.from({ length: 10 }, () => [0, 1]),
    ...Array.from({ length: 15 }, () => [0, 0]),
  ] as [number, number][];
  const kappa = cohenKappa(
    pairs.map(([x]) => x),
    pairs.map(([, y]) => y),
  );
  expect(kappa).toBeCloseTo(0.4, 12);
  expect(cohenKappa([1, 1], [1, 1])).toBeNull();
  expect(cohenKappa([], [])).toBeNull();
});
