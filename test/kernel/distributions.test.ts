import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Categorical } from "../../src/kernel/categorical.ts";
import { poissonProcess, Zipf } from "../../src/kernel/distributions.ts";
import { Streams } from "../../src/kernel/random.ts";
import { chiSquare, chiSquareBound, moments } from "./theory.ts";

const n = 100_000;
const stream = (entity: string) => new Streams(11, 0).stream("distributions", entity);
const sample = (draw: () => number, size = n) => Array.from({ length: size }, draw);
const counts = (draw: () => number, cells: number, size = n) => {
  const result = new Array<number>(cells).fill(0);
  for (let i = 0; i < size; i++) result[draw()]!++;
  return result;
};

describe("uniform draws", () => {
  it("fill [0, 1) evenly and have 53 bits", () => {
    const source = stream("uniform");
    const values = sample(() => source.uniform());
    expect(values.every((u) => u >= 0 && u < 1 && Number.isInteger(u * 2 ** 53))).toBe(true);
    expect(values.some((u) => !Number.isInteger(u * 2 ** 52))).toBe(true);
    const cells = new Array<number>(100).fill(0);
    for (const u of values) cells[Math.floor(u * 100)]!++;
    expect(
      chiSquare(
        cells,
        cells.map(() => n / 100),
      ),
    ).toBeLessThan(chiSquareBound(99));
  });

  it("of integers are even", () => {
    const source = stream("integer");
    const cells = counts(() => source.integer(7), 7);
    expect(
      chiSquare(
        cells,
        cells.map(() => n / 7),
      ),
    ).toBeLessThan(chiSquareBound(6));
    for (const size of [0, -1, 1.5, NaN, 2 ** 33]) expect(() => source.integer(size)).toThrow(`got ${size}`);
  });
});

describe("moments", () => {
  it("of the exponential", () => {
    const source = stream("exponential");
    const values = sample(() => source.exponential(300));
    const { mean, variance } = moments(values);
    expect(Math.abs(mean - 300)).toBeLessThan((4 * 300) / Math.sqrt(n));
    expect(Math.abs(variance / 300 ** 2 - 1)).toBeLessThan(4 * Math.sqrt(8 / n));
    const beyondMean = values.filter((value) => value > 300).length / n;
    expect(Math.abs(beyondMean - Math.exp(-1))).toBeLessThan(4 * Math.sqrt(0.25 / n));
    expect(source.exponential(0)).toBeCloseTo(0, 10);
  });

  it("of the normal, the fourth among them", () => {
    const source = stream("normal");
    const standard = sample(() => (source.normal(50, 4) - 50) / 4);
    const { mean, variance } = moments(standard);
    expect(Math.abs(mean)).toBeLessThan(4 / Math.sqrt(n));
    expect(Math.abs(variance - 1)).toBeLessThan(4 * Math.sqrt(2 / n));
    expect(Math.abs(moments(standard.map((z) => z ** 4)).mean - 3)).toBeLessThan(4 * Math.sqrt(96 / n));
    const within = standard.filter((z) => Math.abs(z) < 1.959964).length / n;
    expect(Math.abs(within - 0.95)).toBeLessThan(4 * Math.sqrt((0.95 * 0.05) / n));
  });

  it("of the lognormal: median, and mean of the logarithm's exponential", () => {
    const source = stream("lognormal");
    const values = sample(() => source.lognormal(300, 0.4)).sort((a, b) => a - b);
    expect(Math.abs(values[n / 2]! / 300 - 1)).toBeLessThan((4 * 0.4 * 1.2533) / Math.sqrt(n));
    const mean = 300 * Math.exp(0.08);
    const sd = mean * Math.sqrt(Math.exp(0.16) - 1);
    expect(Math.abs(moments(values).mean - mean)).toBeLessThan((4 * sd) / Math.sqrt(n));
  });

  it("have parameters that are checked", () => {
    const source = stream("bad");
    expect(() => source.exponential(-1)).toThrow("got -1");
    expect(() => source.exponential(NaN)).toThrow("got NaN");
    expect(() => source.normal(0, -2)).toThrow("got -2");
    expect(() => source.normal(Infinity, 1)).toThrow("got Infinity");
    expect(() => source.lognormal(0, 1)).toThrow("got 0");
    expect(() => source.lognormal(1, -1)).toThrow("got -1");
  });
});

describe("categorical draws", () => {
  const weights = [5, 0, 1, 2.5, 0, 1.5];

  it.each([
    ["from weights", weights],
    ["from a prepared table", new Categorical(weights)],
  ])("follow the weights %s and never give one of weight 0", (name, table) => {
    const source = stream(`categorical ${name}`);
    const observed = counts(() => source.categorical(table), 6);
    expect([observed[1], observed[4]]).toEqual([0, 0]);
    const positive = [0, 2, 3, 5];
    const expected = positive.map((i) => (n * weights[i]!) / 10);
    expect(
      chiSquare(
        positive.map((i) => observed[i]!),
        expected,
      ),
    ).toBeLessThan(chiSquareBound(3));
  });

  it("invert the distribution function at its very edges", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(5), { minLength: 1, maxLength: 20 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (list, u) => {
          fc.pre(list.some((weight) => weight > 0));
          const index = new Categorical(list).at(u);
          expect(list[index]).toBeGreaterThan(0);
          const total = list.reduce((sum, weight) => sum + weight, 0);
          const below = list.slice(0, index).reduce((sum, weight) => sum + weight, 0);
          expect(below <= u * total && u * total <= below + list[index]!).toBe(true);
        },
      ),
    );
    expect(new Categorical([0, 1, 0]).at(0)).toBe(1);
    expect(new Categorical([0, 1, 0]).at(1 - 2 ** -53)).toBe(1);
  });

  it("refuse weights without a meaning", () => {
    expect(() => new Categorical([1, -1])).toThrow("got -1 at index 1");
    expect(() => new Categorical([1, NaN])).toThrow("got NaN at index 1");
    for (const none of [[], [0, 0]]) expect(() => new Categorical(none)).toThrow("positive");
  });
});

it("a shuffle gives every order of four with equal frequency", () => {
  const source = stream("shuffle");
  const orders = new Map<string, number>();
  for (let i = 0; i < n; i++) {
    const order = source.shuffle([0, 1, 2, 3]).join("");
    orders.set(order, (orders.get(order) ?? 0) + 1);
  }
  const observed = [...orders.values()];
  expect(observed.length).toBe(24);
  expect(
    chiSquare(
      observed,
      observed.map(() => n / 24),
    ),
  ).toBeLessThan(chiSquareBound(23));
});

describe("Zipf", () => {
  it.each([0, 0.7, 1, 1.1, 2.5])("has the law's frequencies with exponent %d", (exponent) => {
    const zipf = new Zipf(20, exponent);
    const source = stream(`zipf ${exponent}`);
    const observed = counts(() => zipf.sample(source) - 1, 20);
    const powers = observed.map((_, i) => (i + 1) ** -exponent);
    const sum = powers.reduce((total, power) => total + power, 0);
    powers.forEach((power, i) => expect(zipf.probability(i + 1)).toBeCloseTo(power / sum, 12));
    expect(
      chiSquare(
        observed,
        powers.map((power) => (n * power) / sum),
      ),
    ).toBeLessThan(chiSquareBound(19));
  });

  it("checks its parameters", () => {
    for (const ranks of [0, -3, 1.5, NaN]) expect(() => new Zipf(ranks, 1)).toThrow(`got ${ranks}`);
    for (const exponent of [-0.1, NaN, Infinity]) expect(() => new Zipf(5, exponent)).toThrow(`got ${exponent}`);
  });
});

describe("a Poisson process", () => {
  it("has Poisson counts in windows of whole ms, however fast it is", () => {
    for (const [entity, ratePerMs, windowMs] of [
      ["slow", 200 / 3_600_000, 60_000],
      ["fast", 5, 1],
    ] as const) {
      const next = poissonProcess(stream(`poisson ${entity}`), ratePerMs);
      const windows = 20_000;
      const perWindow = new Array<number>(windows).fill(0);
      for (let time = next(); time < windows * windowMs; time = next()) perWindow[Math.floor(time / windowMs)]!++;
      const expected = ratePerMs * windowMs;
      const { mean, variance } = moments(perWindow);
      expect(Math.abs(mean - expected)).toBeLessThan(4 * Math.sqrt(expected / windows));
      const varianceError = Math.sqrt((expected + 2 * expected ** 2) / windows);
      expect(Math.abs(variance - expected)).toBeLessThan(4 * varianceError);
    }
  });

  it("gives integer times that never decrease", () => {
    const next = poissonProcess(stream("poisson times"), 0.01);
    const times = sample(next, 10_000);
    expect(times.every((time, i) => Number.isSafeInteger(time) && time >= (times[i - 1] ?? 0))).toBe(true);
  });

  it("refuses a rate of zero", () => {
    for (const rate of [0, -1, NaN, Infinity]) expect(() => poissonProcess(stream("x"), rate)).toThrow(`got ${rate}`);
  });
});
