import { describe, expect, it } from "vitest";
import { Streams } from "../../src/kernel/random.ts";
import type { QueryRow } from "../../src/statistics/query-ledger.ts";
import { ScoreTable } from "../../src/statistics/score-table.ts";

const row: QueryRow = {
  query: "q",
  topic: "t1",
  task: "web-search",
  strategy: "multi-agent",
  model: "m",
  thinking: true,
  user: "u",
  arrivedMs: 0,
  completedMs: 100,
  outcome: "answered",
  turns: 2,
  validTurns: 1,
  sites: ["a"],
  requests: 2,
  contentTurns: 6,
  nonEmptyReturns: 1,
  promptTokens: 0,
  completionTokens: 0,
  answer: [],
  measures: {},
};

function groupsOf(rows: readonly Partial<QueryRow>[], seed = 1) {
  const table = new ScoreTable();
  for (const each of rows) table.add({ ...row, ...each });
  const streams = new Streams(seed, 0);
  return table.groups((entity) => {
    const stream = streams.stream("bootstrap", entity);
    return () => stream.uniform();
  });
}

const measuresOf = (rows: readonly Partial<QueryRow>[]) => groupsOf(rows)[0]?.measures ?? {};

describe("A table of scores", () => {
  it("has a group a task, strategy and model, in the order of their names; rows that are not scored are in none", () => {
    const groups = groupsOf([
      { model: "z" },
      { model: null, strategy: "classic-ir" },
      { model: "a" },
      { model: "z", measures: null },
      { model: "z" },
    ]);
    expect(groups.map(({ strategy, model, n }) => [strategy, model, n])).toEqual([
      ["classic-ir", null, 1],
      ["multi-agent", "a", 1],
      ["multi-agent", "z", 2],
    ]);
  });

  it("has means over queries, not over topics", () => {
    const scores = [
      ["t1", 0.2],
      ["t1", 0.4],
      ["t2", 0.9],
    ] as const;
    const { "ndcg@3": ndcg } = measuresOf(scores.map(([topic, value]) => ({ topic, measures: { "ndcg@3": value } })));
    expect(ndcg?.mean).toBeCloseTo(0.5, 12);
    expect(ndcg).toMatchObject({ n: 3, level: 0.95 });
    expect(ndcg?.low as number).toBeLessThan(ndcg?.high as number);
  });

  it("has efficiency as ratios of sums: content turns a request, valid turns of all turns", () => {
    const measures = measuresOf([
      { turns: 1, validTurns: 1, requests: 1, contentTurns: 1, nonEmptyReturns: 1 },
      { topic: "t2", turns: 9, validTurns: 4, requests: 3, contentTurns: 15, nonEmptyReturns: 1, sites: ["a", "b"] },
      { topic: "t3", turns: 2, validTurns: 0, requests: 0, contentTurns: 0, nonEmptyReturns: 0, sites: [] },
    ]);
    expect(measures["turns"]?.mean).toBeCloseTo(4, 12);
    expect(measures["agents"]?.mean).toBeCloseTo(1, 12);
    expect(measures["userValidity"]?.mean).toBeCloseTo(5 / 12, 12);
    expect(measures["contentTurns"]?.mean).toBeCloseTo(4, 12);
    expect(measures["contentValidity"]?.mean).toBeCloseTo(1 / 2, 12);
    expect(measures["latencyMs"]?.mean).toBeCloseTo(100, 12);
  });

  it("has Wilson intervals for 0/1 measures: none of 20 is not [0, 0]", () => {
    const rows = Array.from({ length: 20 }, (_, n) => ({ topic: `t${n}`, measures: { "recall@1": 0 } }));
    const { "recall@1": recall } = measuresOf(rows);
    expect(recall).toMatchObject({ mean: 0, low: 0, n: 20, method: "wilson" });
    expect(recall?.high).toBeCloseTo(0.1611, 3);
  });

  it("has no interval from one topic, however often it came", () => {
    const rows = Array.from({ length: 20 }, (_, n) => ({ measures: { "ndcg@3": n / 20 } }));
    expect(measuresOf(rows)["ndcg@3"]).toMatchObject({ n: 20, low: null, high: null });
  });

  it("keeps a measure without cases as one without a mean", () => {
    expect(measuresOf([{ measures: { siteRecall: null }, requests: 0 }])).toMatchObject({
      siteRecall: { mean: null, low: null, high: null, n: 0 },
      contentValidity: { mean: null, low: null, high: null, n: 0 },
    });
  });

  it("gives the same intervals for the same seed, whatever other groups there are", () => {
    const rows = [0.13, 0.5, 0.71, 0.9, 0.02, 0.33, 0.87, 0.64, 0.29].map((value, n) => ({
      topic: `t${n}`,
      measures: { "ndcg@3": value },
    }));
    const alone = groupsOf(rows);
    const beside = groupsOf([...rows.map((each) => ({ ...each, model: "a" })), ...rows]);
    expect(beside.find(({ model }) => model === "m")).toEqual(alone[0]);
    expect(groupsOf(rows, 2)[0]?.measures["ndcg@3"]).not.toEqual(alone[0]?.measures["ndcg@3"]);
  });
});
