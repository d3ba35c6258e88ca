import { describe, expect, test } from "vitest";
import { Streams } from "../../src/kernel/random.ts";
import { compareRuns } from "../../src/report/comparison/compare.ts";
import { comparisonJson } from "../../src/report/comparison/comparison-json.ts";
import { answerSentence } from "../../src/report/comparison/sentence.ts";
import type { Change, Pair, Side } from "../../src/report/comparison/sides.ts";
import type { QueryFigures } from "../../src/statistics/query-figures.ts";

const sites = ["a.example", "b.example", "c.example"];

/** A query that asked and cited the sites given. */
function queryOf(id: string, citations: readonly string[], ndcg: number): QueryFigures {
  return {
    query: id,
    topic: `t${id.length}${id.at(-1)}`,
    task: "web-search",
    strategy: "multi-agent",
    model: "surrogate/x",
    digest: citations.join(),
    met: [...new Set(citations)].sort(),
    outcome: JSON.stringify(citations),
    contacts: citations,
    documents: citations,
    citations,
    measures: { "ndcg@3": ndcg },
  };
}

function sideOf(replication: number, queries: readonly QueryFigures[]): Side {
  const run = { scenario: "s", seed: 1, replication, traceSha256: null, untilMs: 1, messages: 1, events: 1 };
  return { run, queries };
}

const change: Change = {
  text: "a.example removed",
  removed: ["a.example"],
  sites: ["a.example"],
  added: [],
  isElsewhere: false,
};

function compared(pairs: readonly Pair[], about: Change = change) {
  return compareRuns({
    change: about,
    pairs,
    sites,
    drawFor: (entity) => {
      const stream = new Streams(1, 0).stream("test", entity);
      return () => stream.uniform();
    },
    tapeCoverage: null,
    counterfactual: null,
    notices: [],
  });
}

const baseline = [
  queryOf("q1", ["a.example", "b.example"], 1),
  queryOf("q2", ["a.example"], 1),
  queryOf("q3", ["b.example", "c.example"], 0.5),
  queryOf("q4", ["b.example", "a.example"], 0),
];
const variant = [
  queryOf("q1", ["b.example", "c.example"], 0.5),
  queryOf("q2", [], 0),
  queryOf("q3", ["b.example", "c.example"], 0.5),
  queryOf("q4", ["b.example"], 0),
];

describe("A comparison", () => {
  const pair = { baseline: sideOf(0, baseline), variant: sideOf(0, variant) };
  const result = compared([pair]);

  test("says where traffic went: observed and unserved sum to 1, proportional ones to 1", () => {
    expect(result.diversion).toEqual({
      measure: "citations",
      removed: ["a.example"],
      lost: 3,
      to: [
        { site: "b.example", observed: 0, proportional: 0.75 },
        { site: "c.example", observed: 1 / 3, proportional: 0.25 },
      ],
      unserved: expect.closeTo(2 / 3, 12) as number,
    });
  });

  test("where the removed keep some traffic, goes by what they lost", () => {
    const kept = [...variant.slice(0, 3), queryOf("q4", ["b.example", "a.example"], 0)];
    const { diversion } = compared([{ ...pair, variant: sideOf(0, kept) }]);
    expect(diversion?.lost).toBe(2);
    const observed = diversion?.to.reduce((sum, each) => sum + each.observed, 0) as number;
    expect(observed + (diversion?.unserved as number)).toBeCloseTo(1, 12);
  });

  test("counts queries that are identical, that never met the site, and that changed", () => {
    expect(result.queries).toEqual({
      paired: 4,
      identical: 1,
      neverMet: 1,
      neverMetDiffering: 0,
      unpaired: 0,
      changed: ["q1", "q2", "q4"],
    });
    expect(compared([pair], { ...change, isElsewhere: true }).queries.neverMet).toBeNull();
    const more = sideOf(0, [...variant, queryOf("q4-d1", [], 0)]);
    expect(compared([{ ...pair, variant: more }]).queries).toMatchObject({ paired: 4, unpaired: 1 });
  });

  test("of one pair has shares with an interval from its topics, around the difference", () => {
    const row = result.sites.find(({ site, measure }) => site === "a.example" && measure === "citations");
    expect(row).toMatchObject({ baselineShare: 3 / 7, variantShare: 0 });
    const { mean, low, high, method } = row?.difference as { mean: number; low: number; high: number; method: string };
    expect(method).toBe("bootstrap-topic-user");
    expect(mean).toBeCloseTo(-3 / 7, 12);
    expect(low).toBeLessThanOrEqual(mean);
    expect(high).toBeGreaterThanOrEqual(mean);
    expect(high).toBeLessThanOrEqual(0);
  });

  test("of quality pairs each query with itself", () => {
    const [row] = result.measures;
    expect(row).toMatchObject({
      measure: "ndcg@3",
      baseline: 0.625,
      variant: 0.25,
      difference: { mean: -0.375, n: 4 },
    });
  });

  test("of concentration declares its sites: all, or those that stay", () => {
    const coverage = (over: "union" | "survivors") =>
      result.concentration[over].find(({ statistic }) => statistic === "coverage");
    expect(coverage("union")).toMatchObject({ baseline: 1, variant: 2 / 3 });
    expect(coverage("survivors")).toMatchObject({ baseline: 1, variant: 1 });
  });

  test("answers in one sentence", () => {
    expect(answerSentence(result)).toMatch(
      /^With a\.example removed, a\.example goes from 42\.9 % to 0\.0 % of all citations \(-42\.86 points \[[^\]]+\]\); 66\.7 % of what it lost goes to nobody and 33\.3 % to c\.example, more than to any other; 75\.0 % of answers change, and ndcg@3 of multi-agent \(surrogate\/x\) by -0\.3750 \[[^\]]+\]\.$/,
    );
  });

  test("has nothing that is no number", () => {
    const empty = compared([{ baseline: sideOf(0, []), variant: sideOf(0, []) }]);
    expect(JSON.stringify(comparisonJson(empty))).not.toMatch(/NaN|Infinity/);
    expect(empty.diversion).toBeNull();
    expect(answerSentence(empty)).toContain("of all citations (0.00 points)");
  });
});

describe("A comparison over replications", () => {
  /** The share of b varies from replication to replication by much, and its difference not at all. */
  const pairs = [1, 5, 9].map((extra, replication): Pair => {
    const others = Array.from({ length: extra }, (_, n) => queryOf(`x${n}`, ["b.example"], 0));
    const rest = Array.from({ length: 20 - extra }, (_, n) => queryOf(`y${n}`, ["c.example"], 0));
    return { baseline: sideOf(replication, [...others, ...rest]), variant: sideOf(replication, [...others, ...rest]) };
  });

  test("has Student's intervals, and no variance reduction where no difference varies", () => {
    const result = compared(pairs);
    const row = result.sites.find(({ site, measure }) => site === "b.example" && measure === "citations");
    expect(row?.difference).toMatchObject({ mean: 0, low: 0, high: 0, n: 3, method: "t" });
    expect(result.varianceReduction).toBeNull();
  });

  test("says how much pairing saves", () => {
    const noisy = pairs.map(({ baseline: before, variant: after }, n) => ({
      baseline: before,
      variant: sideOf(n, n === 1 ? [...after.queries, queryOf("z", ["b.example"], 0)] : after.queries),
    }));
    // Shares of b: .05, .25, .45 and .05, 6/21, .45; c has the rest; only the second pair differs.
    const before = [0.05, 0.25, 0.45];
    const after = [0.05, 6 / 21, 0.45];
    const variance = (x: readonly number[]) => {
      const mean = x.reduce((a, b) => a + b) / x.length;
      return x.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / (x.length - 1);
    };
    const expected = (variance(before) + variance(after)) / variance(after.map((x, i) => x - (before[i] as number)));
    expect(compared(noisy).varianceReduction).toBeCloseTo(expected, 9);
    expect(compared(noisy).queries.changed).toEqual([]);
  });
});
