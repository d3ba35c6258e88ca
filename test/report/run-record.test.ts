import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { interventionText } from "../../src/report/record/intervention-text.ts";
import { QuerySample } from "../../src/report/record/query-sample.ts";
import { SiteLedger } from "../../src/report/record/site-ledger.ts";
import { timelineOf } from "../../src/report/record/timelines.ts";
import { TrafficHistory, windowConcentration } from "../../src/report/record/traffic-history.ts";
import { QueryLedger, type QueryRow } from "../../src/statistics/query-ledger.ts";
import type { TrafficWindow } from "../../src/statistics/traffic.ts";
import type { Fact, FactBody } from "../../src/trace/facts.ts";
import { arrived, cited, completed, contacted, scored, siteAnswered, state } from "../statistics/facts.ts";

/** Tells a ledger of sites a run's facts, and its rows as a report does. */
function ledgerOf(facts: readonly (readonly [number, FactBody])[], sites = 3): SiteLedger {
  const ledger = new SiteLedger(sites);
  const rows = new QueryLedger(
    () => true,
    (row) => ledger.add(row),
  );
  state((fact) => {
    ledger.listen(fact);
    rows.listen(fact);
  }, facts);
  return ledger;
}

const query = (id: string, asked: readonly string[], citedSites: readonly string[]): [number, FactBody][] => [
  [0, arrived(id)],
  ...asked.flatMap((site, index): [number, FactBody][] => [
    [1, contacted(id, site, index)],
    [2, siteAnswered(id, site, index, [`${site}-d`])],
  ]),
  ...citedSites.map((site): [number, FactBody] => [3, cited(id, site, `${site}-d`)]),
  [3, completed(id, [])],
  [3, scored(id, { "ndcg@3": 0 })],
];

describe("The fortune of a site", () => {
  const ledger = ledgerOf([
    ...query("q1", ["a", "b"], ["b", "c", "b"]),
    ...query("q2", ["a", "a"], ["a"]),
    ...query("q3", ["a"], []),
  ]);

  it("counts the queries that asked it, cited it, did both, and cited nobody", () => {
    expect(ledger.sites.get("a")).toMatchObject({
      askedIn: 3,
      citedIn: 1,
      askedAndCited: 1,
      askedForNothing: 1,
      first: 1,
    });
    expect(ledger.sites.get("b")).toMatchObject({ askedIn: 1, citedIn: 1, askedAndCited: 1, first: 1 });
    expect(ledger.sites.get("c")).toMatchObject({ askedIn: 0, citedIn: 1, first: 0 });
    expect(ledger.sites.get("a")?.outcomes).toEqual({ answered: 4 });
  });

  it("names the sites cited instead, each once a query", () => {
    expect([...(ledger.sites.get("a")?.lostTo ?? [])]).toEqual([
      ["b", 1],
      ["c", 1],
    ]);
    expect(ledger.sites.get("b")?.lostTo.size).toBe(0);
  });

  it("keeps each assistant's own traffic", () => {
    const [assistant] = [...ledger.assistants.values()];
    expect(assistant).toMatchObject({ strategy: "multi-agent", queries: 3 });
    expect(assistant?.contacts.get("a")).toBe(4);
    expect(assistant?.citations.get("b")).toBe(2);
  });

  it("is told without rivals where the sites are too many for pairs", () => {
    const large = ledgerOf(query("q1", ["a"], ["b"]), 5000);
    expect(large.hasPairs).toBe(false);
    expect(large.sites.get("a")?.lostTo.size).toBe(0);
  });
});

describe("The history of traffic", () => {
  const window = (index: number, count: number): TrafficWindow => {
    const none = new Map<string, number>();
    const citations = new Map(count === 0 ? [] : [["a", count]]);
    return {
      startMs: index,
      endMs: index + 1,
      traffic: { contacts: none, visits: none, documents: none, exposure: none, citations },
    };
  };

  it("stays bounded, loses no event, and leaves no gap, however many windows there are", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { minLength: 1, maxLength: 3000 }), (counts) => {
        const history = new TrafficHistory();
        counts.forEach((count, index) => history.add(window(index, count)));
        const { windows } = history;
        expect(windows.length).toBeLessThanOrEqual(200);
        const sum = (list: readonly number[]): number => list.reduce((total, each) => total + each, 0);
        expect(sum(windows.map(({ traffic }) => traffic.citations.get("a") ?? 0))).toBe(sum(counts));
        expect(windows[0]?.startMs).toBe(0);
        expect(windows.at(-1)?.endMs).toBe(counts.length);
        windows.slice(1).forEach(({ startMs }, index) => expect(startMs).toBe(windows[index]?.endMs));
      }),
      { numRuns: 30 },
    );
  });

  it("has no concentration of a thin window", () => {
    expect(windowConcentration(window(0, 199), "citations", ["a", "b"])).toBeNull();
    expect(windowConcentration(window(0, 200), "citations", ["a", "b"])?.hhiUnbiased).toBe(1);
  });
});

describe("The sample of queries", () => {
  const row = (index: number, changes: Partial<QueryRow> = {}): QueryRow => ({
    query: `q${index}`,
    topic: "t",
    task: "web-search",
    strategy: "multi-agent",
    model: null,
    thinking: null,
    user: "u",
    arrivedMs: index,
    completedMs: index + 10,
    outcome: "answered",
    turns: 1,
    validTurns: 1,
    sites: [],
    requests: 0,
    contentTurns: 0,
    nonEmptyReturns: 0,
    promptTokens: 0,
    completionTokens: 0,
    answer: [],
    measures: { lossNotRanked: index % 2 },
    ...changes,
  });

  it("holds all queries while they are few, in the order of arrival", () => {
    const sample = new QuerySample();
    for (const index of [3, 1, 2]) sample.add(row(index), []);
    expect(sample.queries().map(({ row: each }) => each.query)).toEqual(["q1", "q2", "q3"]);
  });

  it("is bounded, the same in any order, and has timelines of every kind and of the slowest", () => {
    const rows = Array.from({ length: 7000 }, (_, index) =>
      row(index, index % 1000 === 0 ? { outcome: "failed", completedMs: index + 999_999 } : {}),
    );
    const draw = (order: readonly QueryRow[]) => {
      const sample = new QuerySample();
      for (const each of order) sample.add(each, []);
      return sample.queries();
    };
    const drawn = draw(rows);
    expect(draw([...rows].reverse())).toEqual(drawn);
    expect(drawn.length).toBeGreaterThanOrEqual(5000);
    expect(drawn.length).toBeLessThan(5200);
    const withSteps = drawn.filter(({ timeline }) => timeline !== null).map(({ row: each }) => each);
    expect(withSteps.length).toBeLessThanOrEqual(160);
    expect(withSteps.filter(({ outcome }) => outcome === "failed")).toHaveLength(7);
    expect(withSteps.filter(({ measures }) => measures?.["lossNotRanked"] === 1).length).toBeGreaterThan(40);
  });
});

describe("A timeline", () => {
  it("says who did what after how long, and how many steps it leaves out", () => {
    const facts: Fact[] = [];
    state(
      (fact) => facts.push(fact),
      [
        [100, arrived("q1")],
        [
          130,
          {
            type: "model.answered",
            query: "q1",
            agent: "user",
            turn: 1,
            promptTokens: 9,
            completionTokens: 2,
            thoughtTokens: 3,
          },
        ],
        [130, { type: "action.taken", query: "q1", agent: "user", turn: 1, kind: "search", valid: true }],
        [130, contacted("q1", "a.example", 1)],
        [150, siteAnswered("q1", "a.example", 1, [])],
        ...Array.from({ length: 300 }, (): [number, FactBody] => [160, contacted("q1", "b.example", 2)]),
      ],
    );
    const { steps, left } = timelineOf(facts);
    expect(steps.slice(0, 3)).toEqual([
      [30, "user", "search", "9 tokens read, 5 written"],
      [30, "user", "asks", "a.example"],
      [50, "a.example", "replies: empty", "nothing"],
    ]);
    expect(steps.length + left).toBe(303);
    expect(left).toBeGreaterThan(0);
  });
});

describe("An intervention in words", () => {
  it.each([
    [{ kind: "outage", sites: ["a.example"], forMs: 7_200_000 }, "outage of a.example for 2 h"],
    [{ kind: "remove", sites: ["a", "b", "c", "d", "e"] }, "removal of a, b, c and 2 more"],
    [{ kind: "add", site: "new.example" }, "new.example joins"],
    [{ kind: "demand", factor: 2, forMs: 5_400_000 }, "demand times 2 for 1 h 30 min"],
    [{ kind: "something-new", site: "a" }, "something-new a"],
  ])("%j is: %s", (intervention, text) => {
    expect(interventionText(intervention)).toBe(text);
  });
});
