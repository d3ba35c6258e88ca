import { describe, expect, it } from "vitest";
import { QueryLedger, type QueryRow } from "../../src/statistics/query-ledger.ts";
import type { FactBody } from "../../src/trace/facts.ts";
import { arrived, completed, contacted, scored, siteAnswered, state } from "./facts.ts";

function rowsOf(
  facts: readonly (readonly [number, FactBody])[],
  isScored: (arrivedMs: number) => boolean = () => true,
) {
  const rows: QueryRow[] = [];
  const ledger = new QueryLedger(isScored, (row) => rows.push(row));
  state(ledger.listen, facts);
  return { rows, inFlight: ledger.inFlight };
}

function turn(agent: string, tokens: number, valid: boolean): FactBody[] {
  const base = { query: "q1", agent, turn: 1 };
  return [
    { type: "model.answered", ...base, promptTokens: tokens, completionTokens: 2, thoughtTokens: 3 },
    { type: "action.taken", ...base, kind: "search", valid },
  ];
}

describe("A query's row", () => {
  it("adds up what its agents did, until it is scored", () => {
    const { rows, inFlight } = rowsOf([
      [10, arrived("q1")],
      [10, arrived("q2")],
      ...turn("user", 100, true).map((fact) => [20, fact] as const),
      [20, contacted("q1", "a", 1)],
      [20, contacted("q1", "b", 2)],
      ...turn("a/1", 50, false).map((fact) => [30, fact] as const),
      [40, siteAnswered("q1", "a", 1, ["a1"])],
      [41, siteAnswered("q1", "b", 2, [])],
      [45, contacted("q1", "a", 3)],
      ...turn("user", 200, false).map((fact) => [50, fact] as const),
      [60, completed("q1", ["a1"])],
      [60, scored("q1", { "ndcg@3": 0.5 })],
      [61, completed("q9")],
    ]);
    expect(inFlight).toBe(1);
    expect(rows).toEqual([
      {
        query: "q1",
        topic: "t1",
        task: "web-search",
        strategy: "multi-agent",
        model: "m",
        thinking: true,
        user: "u1",
        arrivedMs: 10,
        completedMs: 60,
        outcome: "answered",
        turns: 2,
        validTurns: 1,
        sites: ["a", "b"],
        requests: 3,
        contentTurns: 1,
        nonEmptyReturns: 1,
        promptTokens: 350,
        completionTokens: 15,
        answer: ["a1"],
        measures: { "ndcg@3": 0.5 },
      },
    ]);
  });

  it("of a query that is not scored is there when it is completed", () => {
    const { rows, inFlight } = rowsOf(
      [
        [10, arrived("q1")],
        [20, completed("q1")],
      ],
      (arrivedMs) => arrivedMs >= 15,
    );
    expect(rows).toMatchObject([{ query: "q1", measures: null }]);
    expect(inFlight).toBe(0);
  });
});
