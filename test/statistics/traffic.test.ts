import { describe, expect, it } from "vitest";
import { TrafficCounter, type TrafficWindow } from "../../src/statistics/traffic.ts";
import type { FactBody } from "../../src/trace/facts.ts";
import { arrived, cited, completed, contacted, siteAnswered, state } from "./facts.ts";

function count(facts: readonly (readonly [number, FactBody])[], counts: (t: number) => boolean = () => true) {
  const windows: TrafficWindow[] = [];
  const counter = new TrafficCounter(counts, (window) => windows.push(window));
  state(counter.listen, facts);
  return { total: counter.total, windows };
}

const plain = (counts: ReadonlyMap<string, number>) => Object.fromEntries(counts);

describe("Traffic", () => {
  it("counts every contact, each document once a query, every citation", () => {
    const { total } = count([
      [0, arrived("q1")],
      [1, contacted("q1", "a", 1)],
      [1, contacted("q1", "b", 2)],
      [2, siteAnswered("q1", "a", 1, ["a1", "a2"])],
      [3, siteAnswered("q1", "b", 2, [])],
      [4, contacted("q1", "a", 3)],
      [5, siteAnswered("q1", "a", 3, ["a2", "a3"])],
      [6, cited("q1", "a", "a2")],
      [6, completed("q1", ["a2"])],
      [7, arrived("q2")],
      [8, siteAnswered("q2", "a", 1, ["a2"])],
      [9, completed("q2")],
    ]);
    expect(plain(total.contacts)).toEqual({ a: 2, b: 1 });
    expect(plain(total.documents)).toEqual({ a: 4 });
    expect(plain(total.citations)).toEqual({ a: 1 });
  });

  it("counts documents of the central index for the sites that hold them, and a site's own searches for nobody", () => {
    const search = { type: "search.answered", query: "q1" } as const;
    const { total } = count([
      [0, arrived("q1")],
      [1, { ...search, agent: "user", site: null, documents: ["a1", "b1", "a2"], sites: ["a", "b", "a"] }],
      [1, { ...search, agent: "c/1", site: "c", documents: ["c1"] }],
    ]);
    expect(plain(total.documents)).toEqual({ a: 2, b: 1 });
  });

  it("weighs the n-th citation of an answer as DCG weighs its rank", () => {
    const { total } = count([
      [0, arrived("q1")],
      [0, arrived("q2")],
      [1, cited("q1", "a", "a1")],
      [1, cited("q2", "b", "b1")],
      [1, cited("q1", "b", "b1")],
      [1, cited("q1", "a", "a2")],
    ]);
    expect(total.exposure.get("a")).toBeCloseTo(1 + 1 / 2, 12);
    expect(total.exposure.get("b")).toBeCloseTo(1 + 1 / Math.log2(3), 12);
  });

  it("is cut into windows, whose sums are the total", () => {
    const closed = (startMs: number, endMs: number) => [endMs, { type: "window.closed", startMs, endMs }] as const;
    const { total, windows } = count([
      [0, arrived("q1")],
      [1, contacted("q1", "a", 1)],
      closed(0, 10),
      [11, contacted("q1", "a", 2)],
      [12, contacted("q1", "b", 3)],
      closed(10, 20),
      closed(20, 30),
    ]);
    expect(windows.map(({ startMs, endMs, traffic }) => [startMs, endMs, plain(traffic.contacts)])).toEqual([
      [0, 10, { a: 1 }],
      [10, 20, { a: 1, b: 1 }],
      [20, 30, {}],
    ]);
    expect(plain(total.contacts)).toEqual({ a: 2, b: 1 });
  });

  it("of a warm-up is in its window and not in the total", () => {
    const { total, windows } = count(
      [
        [0, arrived("q1")],
        [5, contacted("q1", "a", 1)],
        [15, contacted("q1", "a", 2)],
        [20, { type: "window.closed", startMs: 0, endMs: 20 }],
      ],
      (t) => t >= 10,
    );
    expect(plain(total.contacts)).toEqual({ a: 1 });
    expect(plain(windows[0]?.traffic.contacts ?? new Map())).toEqual({ a: 2 });
  });
});
