import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bcaInterval,
  type Cluster,
  clusteredMean,
  clusteredWilsonInterval,
  crossedMean,
  FRACTION,
  type Interval,
  Moments,
  noInterval,
  pairedDifference,
  pairedShareDifference,
  resampleMeans,
  percentileEnds,
  tInterval,
  wilsonInterval,
} from "../../src/metrics/index.ts";
import { uniform } from "./uniform.ts";

const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const fractions = fc.array(fraction, { maxLength: 30 });
const cluster = fc
  .array(fraction, { maxLength: 5 })
  .map((values): Cluster => ({ sum: values.reduce((a, b) => a + b, 0), count: values.length }));
const clusters = fc.array(cluster, { maxLength: 12 });

function expectSound(interval: Interval, n: number): void {
  expect(interval.n).toBe(n);
  expect(interval.level).toBe(0.95);
  expect(interval.mean === null).toBe(n === 0);
  expect(interval.low === null).toBe(interval.high === null);
  if (interval.mean === null || interval.low === null || interval.high === null) return;
  expect(interval.low).toBeGreaterThanOrEqual(0);
  expect(interval.low).toBeLessThanOrEqual(interval.mean);
  expect(interval.mean).toBeLessThanOrEqual(interval.high);
  expect(interval.high).toBeLessThanOrEqual(1);
}

const casesOf = (all: readonly Cluster[]) => all.reduce((n, { count }) => n + count, 0);

describe("every interval of a fraction", () => {
  test("contains its mean, stays within [0, 1] and is never NaN", () => {
    fc.assert(
      fc.property(fractions, clusters, fc.nat(), (values, topics, seed) => {
        expectSound(tInterval(values, FRACTION), values.length);
        expectSound(bcaInterval(values, uniform(seed), 50), values.length);
        expectSound(clusteredMean(topics, uniform(seed), 50), casesOf(topics));
        const cells = topics.map((topic, i) => ({ ...topic, topic: `t${i % 4}`, user: `u${i % 3}` }));
        expectSound(crossedMean(cells, uniform(seed), 50), casesOf(topics));
      }),
    );
  });

  test("of 0/1 cases too, alone or in clusters, and never collapses to a point", () => {
    const binary = fc
      .integer({ min: 0, max: 6 })
      .chain((count) => fc.integer({ min: 0, max: count }).map((sum): Cluster => ({ sum, count })));
    fc.assert(
      fc.property(fc.array(binary, { maxLength: 12 }), (topics) => {
        const n = casesOf(topics);
        const successes = topics.reduce((total, { sum }) => total + sum, 0);
        for (const interval of [wilsonInterval(successes, n), clusteredWilsonInterval(topics)]) {
          expectSound(interval, n);
          if (interval.low !== null && interval.high !== null) expect(interval.high).toBeGreaterThan(interval.low);
        }
      }),
    );
  });

  test("has neither mean nor ends without cases, and no ends with one topic", () => {
    const draw = uniform(1);
    expect(tInterval([])).toEqual(noInterval("t"));
    expect(wilsonInterval(0, 0)).toEqual(noInterval("wilson"));
    expect(bcaInterval([], draw)).toEqual(noInterval("bca"));
    expect(clusteredMean([{ sum: 0, count: 0 }], draw)).toEqual(noInterval("bootstrap-topic-user"));
    expect(tInterval([0.3])).toMatchObject({ mean: 0.3, low: null, high: null, n: 1 });
    expect(clusteredMean([{ sum: 2, count: 4 }], draw)).toMatchObject({ mean: 0.5, low: null, high: null, n: 4 });
    expect(clusteredWilsonInterval([{ sum: 2, count: 4 }])).toMatchObject({ mean: 0.5, low: null, high: null, n: 4 });
    const oneUser = ["t1", "t2"].map((topic) => ({ topic, user: "u", sum: 1, count: 1 }));
    expect(crossedMean(oneUser, draw)).toMatchObject({ mean: 1, low: null, high: null, n: 2 });
  });
});

describe("Wilson's interval", () => {
  test("has the values that Newcombe (1998, table I, method 3) prints", () => {
    const published = [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ] as const;
    for (const [successes, n, low, high] of published) {
      expect(wilsonInterval(successes, n).low).toBeCloseTo(low, 4);
      expect(wilsonInterval(successes, n).high).toBeCloseTo(high, 4);
    }
    expect(wilsonInterval(0, 281).high).toBeGreaterThan(0.01);
  });

  test("ends where the observed share is 1.96 standard errors away", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1000 }), fc.nat(1000), (n, raw) => {
        const successes = 1 + (raw % (n - 1));
        const { mean, low, high } = wilsonInterval(successes, n);
        for (const end of [low as number, high as number]) {
          const distance = Math.abs((mean as number) - end) / Math.sqrt((end * (1 - end)) / n);
          expect(distance).toBeCloseTo(1.959963984540054, 8);
        }
      }),
    );
  });

  test("is symmetric in success and failure", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.nat(1000), (n, raw) => {
        const successes = raw % (n + 1);
        const [some, others] = [wilsonInterval(successes, n), wilsonInterval(n - successes, n)];
        expect(some.low).toBeCloseTo(1 - (others.high as number), 12);
      }),
    );
  });

  test("counts repeats of a topic that always agree as one case", () => {
    const independent = wilsonInterval(3, 10);
    const repeated = Array.from({ length: 10 }, (_, i): Cluster => ({ sum: i < 3 ? 8 : 0, count: 8 }));
    const clustered = clusteredWilsonInterval(repeated);
    expect(clustered.n).toBe(80);
    // The variance over clusters has divisor 9 and not 10, so it is a little wider still.
    expect(clustered.low as number).toBeLessThan(independent.low as number);
    expect(clustered.low).toBeCloseTo(independent.low as number, 1);
    expect(clustered.high).toBeCloseTo(independent.high as number, 1);
    const unanimous = clusteredWilsonInterval(repeated.map(({ count }) => ({ sum: 0, count })));
    expect(unanimous.high).toBe(wilsonInterval(0, 10).high);
  });

  test("refuses more successes than cases", () => {
    expect(() => wilsonInterval(3, 2)).toThrow(RangeError);
  });
});

describe("the bootstrap over topics", () => {
  test("with one case a topic is the ordinary bootstrap", () => {
    const values = [0.1, 0.9, 0.4, 0.4, 0.7];
    const topics = values.map((sum): Cluster => ({ sum, count: 1 }));
    const { low, high } = clusteredMean(topics, uniform(3));
    const ordinary = percentileEnds(resampleMeans(values, uniform(3)), 0.95);
    expect({ low, high }).toEqual(ordinary);
  });

  test("covers the true mean in about 95 of 100 worlds, where taking arrivals as independent does not", () => {
    const draw = uniform(2024);
    const worlds = 300;
    const covered = { clustered: 0, independent: 0 };
    for (let world = 0; world < worlds; world++) {
      // Topics differ in difficulty; each arrives one to nine times and always scores the same. The true mean is 0.5.
      const topics = Array.from({ length: 50 }, (): Cluster => {
        const [score, count] = [draw(), 1 + Math.floor(9 * draw())];
        return { sum: score * count, count };
      });
      const arrivals = topics.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count));
      const holds = ({ low, high }: Interval) => (low as number) <= 0.5 && 0.5 <= (high as number);
      if (holds(clusteredMean(topics, draw, 400))) covered.clustered++;
      if (holds(tInterval(arrivals))) covered.independent++;
    }
    expect(covered.clustered / worlds).toBeGreaterThan(0.9);
    expect(covered.clustered / worlds).toBeLessThan(0.99);
    expect(covered.independent / worlds).toBeLessThan(0.75);
  });

  test("over topics and users is wider where users differ as well", () => {
    const draw = uniform(9);
    const users = Array.from({ length: 10 }, () => draw());
    const rows = Array.from({ length: 30 }, (_, topic) =>
      users.map((level, user) => ({
        topic: `t${topic}`,
        user: `u${user}`,
        sum: (level + draw() / 10) / 1.1,
        count: 1,
      })),
    );
    const topics = rows.map(
      (row): Cluster => ({ sum: row.reduce((sum, cell) => sum + cell.sum, 0), count: row.length }),
    );
    const width = ({ low, high }: Interval) => (high as number) - (low as number);
    expect(width(crossedMean(rows.flat(), draw))).toBeGreaterThan(3 * width(clusteredMean(topics, draw)));
  });

  test("the same draws give the same interval", () => {
    const topics = [
      { sum: 1, count: 2 },
      { sum: 0, count: 1 },
      { sum: 3, count: 3 },
    ];
    expect(clusteredMean(topics, uniform(5))).toEqual(clusteredMean(topics, uniform(5)));
  });
});

describe("means", () => {
  test("of equal values have exactly no spread", () => {
    fc.assert(
      fc.property(fraction, fc.integer({ min: 2, max: 50 }), (value, n) => {
        const moments = new Moments(new Array<number>(n).fill(value));
        expect([moments.mean, moments.sd]).toEqual([value, 0]);
        expect(tInterval(moments)).toMatchObject({ low: value, high: value });
      }),
    );
  });

  test("refuse what is not a finite number", () => {
    expect(() => new Moments([1, NaN])).toThrow(RangeError);
    expect(() => tInterval([Infinity])).toThrow(RangeError);
  });

  test("paired by topic: the difference changes sign with the sides, and pairs are checked", () => {
    const pairs = fc.array(fc.tuple(fraction, fraction), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(pairs, (values) => {
        const [a, b] = [values.map(([left]) => left), values.map(([, right]) => right)];
        const [forth, back] = [pairedDifference(a, b), pairedDifference(b, a)];
        expect(forth.mean).toBeCloseTo(-(back.mean as number), 12);
        expect(forth.low).toBeCloseTo(-(back.high as number), 12);
        expect(forth.p === null ? null : forth.p >= 0 && forth.p <= 1).not.toBe(false);
      }),
    );
    expect(() => pairedDifference([1], [1, 2])).toThrow(RangeError);
  });
});

describe("the difference of paired shares", () => {
  test("has an interval even where no pair differs", () => {
    const values = Array.from({ length: 50 }, (_, index) => index % 2);
    const { mean, low, high } = pairedShareDifference(values, values);
    expect(mean).toBe(0);
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
    const never = pairedShareDifference(Array(40).fill(0), Array(40).fill(0));
    expect(never.high as number).toBeCloseTo(wilsonInterval(0, 40).high as number, 10);
  });

  test.each([
    { both: 0.5, one: 0.2, other: 0.1 },
    { both: 0.02, one: 0.1, other: 0.02 },
  ])("covers the true one at its level: $both, $one, $other", ({ both, one, other }) => {
    const draw = uniform(77);
    const trials = 2000;
    let covered = 0;
    for (let trial = 0; trial < trials; trial++) {
      const pairs = Array.from({ length: 60 }, () => {
        const u = draw();
        return u < both ? [1, 1] : u < both + one ? [1, 0] : u < both + one + other ? [0, 1] : [0, 0];
      });
      const { low, high } = pairedShareDifference(
        pairs.map(([a]) => a as number),
        pairs.map(([, b]) => b as number),
      );
      if ((low as number) <= one - other && one - other <= (high as number)) covered++;
    }
    expect(covered / trials).toBeGreaterThan(0.93);
    expect(covered / trials).toBeLessThan(0.985);
  });
});
