import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gumbel, hash32, hashUniform, mix32, Streams } from "../../src/kernel/random.ts";
import { chiSquare, chiSquareBound, moments } from "./theory.ts";

const draws = (streams: Streams, purpose: string, entity: string): number[] => {
  const stream = streams.stream(purpose, entity);
  return [stream.uniform(), stream.uniform(), stream.uniform()];
};

describe("keyed streams", () => {
  const reference = draws(new Streams(7, 0), "arrivals", "user-1");

  it("draw the same for the same key, whatever else is drawn", () => {
    const streams = new Streams(7, 0);
    draws(streams, "arrivals", "user-2");
    expect(draws(streams, "arrivals", "user-1")).toEqual(reference);
    expect(draws(new Streams("7", 0), "arrivals", "user-1")).toEqual(reference);
  });

  it("draw differently when any part of the key differs", () => {
    const others = [
      draws(new Streams(8, 0), "arrivals", "user-1"),
      draws(new Streams(7, 1), "arrivals", "user-1"),
      draws(new Streams(7, 0), "latency", "user-1"),
      draws(new Streams(7, 0), "arrivals", "user-2"),
    ];
    expect(new Set([reference, ...others].flat()).size).toBe(15);
  });

  it("take the replication as a part of its own, not as seed + 1", () => {
    expect(draws(new Streams(7, 1), "a", "b")).not.toEqual(draws(new Streams(8, 0), "a", "b"));
    expect(draws(new Streams(1, 23), "a", "b")).not.toEqual(draws(new Streams(12, 3), "a", "b"));
  });

  it("cannot be made to collide by what their parts contain", () => {
    const part = fc.string({ unit: fc.constantFrom("1", "2", ":", "a", "/") });
    fc.assert(
      fc.property(fc.tuple(part, part, part), fc.tuple(part, part, part), (a, b) => {
        fc.pre(a.join("\0") !== b.join("\0"));
        expect(draws(new Streams(a[0], 0), a[1], a[2])).not.toEqual(draws(new Streams(b[0], 0), b[1], b[2]));
      }),
    );
  });

  it("of a million keys never have equal first two draws", () => {
    let streams = new Streams(7, 0);
    const keys = 1_000_000;
    const firsts = new Float64Array(keys);
    const seconds = new Float64Array(keys);
    const perReplication = keys / 10;
    for (let i = 0; i < keys; i++) {
      if (i % perReplication === 0) streams = new Streams(7, i / perReplication);
      const entity = i % perReplication;
      const stream = streams.stream(entity % 2 === 0 ? "latency" : "choice", `user-${entity >> 1}`);
      firsts[i] = stream.uniform();
      seconds[i] = stream.uniform();
    }
    const sorted = firsts.toSorted();
    const repeated = new Set(sorted.filter((first, i) => first === sorted[i - 1]));
    const pairs = new Set<string>();
    let candidates = 0;
    firsts.forEach((first, i) => {
      if (!repeated.has(first)) return;
      candidates++;
      pairs.add(`${first} ${seconds[i]}`);
    });
    expect(pairs.size).toBe(candidates);
  });

  it("start out uniform and uncorrelated over neighbouring keys", () => {
    const streams = new Streams(7, 0);
    const firsts = Array.from({ length: 50_000 }, (_, i) => streams.stream("choice", `user-${i}`).uniform());
    const cells = new Array<number>(100).fill(0);
    for (let i = 1; i < firsts.length; i++)
      cells[Math.floor(firsts[i]! * 10) * 10 + Math.floor(firsts[i - 1]! * 10)]!++;
    expect(
      chiSquare(
        cells,
        cells.map(() => (firsts.length - 1) / 100),
      ),
    ).toBeLessThan(chiSquareBound(99));
  });

  it("give seeds in [0, 2^31) that the streams' draws do not show", () => {
    const streams = new Streams(7, 0);
    const seeds = Array.from({ length: 1000 }, (_, i) => streams.seedFor("model", `query-${i}`));
    expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31)).toBe(true);
    expect(new Set(seeds).size).toBe(1000);
    expect(streams.seedFor("model", "query-0")).toBe(seeds[0]);
    expect(Math.floor(streams.stream("model", "query-0").uniform() * 2 ** 31)).not.toBe(seeds[0]);
  });

  it("refuse seeds and replications that are no numbers", () => {
    expect(() => new Streams(NaN, 0)).toThrow("got NaN");
    for (const replication of [-1, 0.5, NaN]) expect(() => new Streams(1, replication)).toThrow(`got ${replication}`);
  });
});

describe("hashes of options", () => {
  const n = 100_000;
  const neighbours: [string, (i: number) => [number, number]][] = [
    ["neighbouring options", (i) => [hashUniform(7, i), hashUniform(7, i + 1)]],
    ["neighbouring seeds", (i) => [hashUniform(i, 7), hashUniform(i + 1, 7)]],
    ["exchanged seed and option", (i) => [hashUniform(i, i + 1), hashUniform(i + 1, i)]],
    [
      "options of one text's family",
      (i) => [hashUniform(7, hash32(`site-${i}`)), hashUniform(7, hash32(`site-${i + 1}`))],
    ],
  ];

  it.each(neighbours)("are uniform and independent for %s", (_, pair) => {
    const cells = new Array<number>(400).fill(0);
    for (let i = 0; i < n; i++) {
      const [a, b] = pair(i * 2);
      cells[Math.floor(a * 20) * 20 + Math.floor(b * 20)]!++;
    }
    expect(
      chiSquare(
        cells,
        cells.map(() => n / 400),
      ),
    ).toBeLessThan(chiSquareBound(399));
  });

  it("flip each output bit with probability 1/2 when one input bit flips", () => {
    const trials = 4000;
    let worst = 0;
    for (const side of [0, 1]) {
      for (let bit = 0; bit < 32; bit++) {
        const flips = new Array<number>(32).fill(0);
        for (let i = 0; i < trials; i++) {
          const flipped = (i ^ (1 << bit)) >>> 0;
          const difference = side === 0 ? mix32(i, 99) ^ mix32(flipped, 99) : mix32(99, i) ^ mix32(99, flipped);
          for (let out = 0; out < 32; out++) flips[out]! += (difference >>> out) & 1;
        }
        for (const count of flips) worst = Math.max(worst, Math.abs(count / trials - 0.5));
      }
    }
    expect(worst).toBeLessThan(4.5 * Math.sqrt(0.25 / trials)); // 2,048 cells, each within 4.5 standard errors
  });

  it("lie in the open interval, are 32-bit integers, and differ for texts that differ", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (seed, option) => {
        const mixed = mix32(seed, option);
        expect(Number.isInteger(mixed) && mixed >= 0 && mixed < 2 ** 32).toBe(true);
        const u = hashUniform(seed, option);
        expect(u > 0 && u < 1 && Number.isFinite(gumbel(u))).toBe(true);
      }),
    );
    const texts = Array.from({ length: 20_000 }, (_, i) => `site-${i}.example`);
    expect(new Set(texts.map(hash32)).size).toBe(texts.length);
    expect(hash32("ab")).not.toBe(hash32("ba"));
    expect(hash32("")).not.toBe(hash32("\0"));
  });

  it("make the choice with the largest utility + gumbel a logit, and keep the others' order when one option goes", () => {
    const utilities = [0, Math.log(2), Math.log(5), Math.log(2)]; // probabilities 1/10, 2/10, 5/10, 2/10
    const choose = (seed: number, options: number[]) => {
      const score = (option: number) => utilities[option]! + gumbel(hashUniform(seed, option));
      return options.reduce((best, option) => (score(option) > score(best) ? option : best));
    };
    const counts = [0, 0, 0, 0];
    for (let seed = 0; seed < n; seed++) {
      const choice = choose(seed, [0, 1, 2, 3]);
      counts[choice]!++;
      if (choice !== 2 && choose(seed, [0, 1, 3]) !== choice) expect.fail("an option that was not chosen mattered");
    }
    expect(chiSquare(counts, [n / 10, n / 5, n / 2, n / 5])).toBeLessThan(chiSquareBound(3));
  });

  it("give Gumbel variables their mean and variance", () => {
    const { mean, variance } = moments(Array.from({ length: n }, (_, i) => gumbel(hashUniform(3, i))));
    expect(Math.abs(mean - 0.5772156649)).toBeLessThan(4 * Math.sqrt(Math.PI ** 2 / 6 / n));
    expect(Math.abs(variance / (Math.PI ** 2 / 6) - 1)).toBeLessThan(0.03);
  });
});
