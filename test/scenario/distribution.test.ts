import { describe, expect, test } from "vitest";
import { Streams } from "../../src/kernel/random.ts";
import { type Distribution, sampler } from "../../src/scenario/distribution.ts";

const n = 40_000;

function draws(distribution: Distribution): number[] {
  const draw = sampler(distribution, new Streams(1, 0).stream("test", distribution.distribution));
  return Array.from({ length: n }, draw).sort((a, b) => a - b);
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("samplers", () => {
  test.each<Distribution>([
    { distribution: "lognormal", medianMs: 3, sigma: 2 },
    { distribution: "exponential", meanMs: 2 },
    { distribution: "constant", valueMs: 0 },
    { distribution: "uniform", lowMs: 0, highMs: 2 },
  ])("$distribution gives whole milliseconds of at least 0", (distribution) => {
    for (const ms of draws(distribution)) if (!Number.isInteger(ms) || ms < 0) expect(ms).toBe("a whole number");
  });

  test("lognormal: median and 84.13 % point", () => {
    const sorted = draws({ distribution: "lognormal", medianMs: 1500, sigma: 0.5 });
    expect(sorted[n / 2]! / 1500).toBeCloseTo(1, 1.5);
    expect(sorted[Math.round(n * 0.84134)]! / (1500 * Math.exp(0.5))).toBeCloseTo(1, 1.5);
  });

  test("exponential: mean and median", () => {
    const sorted = draws({ distribution: "exponential", meanMs: 2000 });
    expect(mean(sorted) / 2000).toBeCloseTo(1, 1.5);
    expect(sorted[n / 2]! / (2000 * Math.LN2)).toBeCloseTo(1, 1.5);
  });

  test("uniform: both ends and what lies between, equally often", () => {
    const values = draws({ distribution: "uniform", lowMs: 5, highMs: 8 });
    expect([...new Set(values)]).toEqual([5, 6, 7, 8]);
    for (const end of [5, 6, 7]) expect(values.filter((ms) => ms <= end).length / n).toBeCloseTo((end - 4) / 4, 1.7);
  });

  test("constant", () => {
    expect(new Set(draws({ distribution: "constant", valueMs: 17 }))).toEqual(new Set([17]));
  });
});
