import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LiveSites } from "../../src/statistics/live-sites.ts";
import { LiveStatistics } from "../../src/statistics/live.ts";
import type { Fact, FactBody } from "../../src/trace/facts.ts";

const hourMs = 3_600_000;

function statistics(options: Partial<ConstructorParameters<typeof LiveStatistics>[0]> = {}) {
  const live = new LiveStatistics({ untilMs: 24 * hourMs, expectedQueries: null, windowMs: hourMs, ...options });
  let seq = 0;
  const state = (t: number, body: FactBody): void => live.listen({ seq: seq++, t, ...body } as Fact);
  return { live, state };
}

function arrival(query: string, strategy = "multi-agent", model: string | null = "surrogate/qwen3-4b"): FactBody {
  return { type: "query.arrived", query, topic: "t", user: "u", task: "web-search", strategy, model, thinking: null };
}

describe("progress", () => {
  test("goes by virtual time where the run has an end", () => {
    const { live, state } = statistics();
    expect(live.snapshot().done).toBe(0);
    state(6 * hourMs, arrival("q1"));
    expect(live.snapshot()).toMatchObject({ t: 6 * hourMs, done: 0.25 });
  });

  test("goes by queries completed where it has none, and is unknown where neither is known", () => {
    const { live, state } = statistics({ untilMs: null, expectedQueries: 4 });
    state(1, arrival("q1"));
    expect(live.snapshot().done).toBe(0);
    state(2, { type: "query.completed", query: "q1", outcome: "failed", turns: 1, answer: [] });
    expect(live.snapshot().done).toBe(0.25);
    expect(statistics({ untilMs: null }).live.snapshot().done).toBeNull();
  });
});

test("queries, facts, messages and calls are counted", () => {
  const { live, state } = statistics();
  for (const query of ["q1", "q2", "q3", "q4", "q5"]) state(1, arrival(query));
  state(2, { type: "query.completed", query: "q1", outcome: "answered", turns: 2, answer: [] });
  state(2, { type: "query.completed", query: "q2", outcome: "unanswered", turns: 2, answer: [] });
  state(3, { type: "query.completed", query: "q3", outcome: "failed", turns: 2, answer: [] });
  state(4, { type: "message.sent", message: "q4/1", query: "q4", from: "u", to: "agent", kind: "question" });
  state(5, { type: "message.received", message: "q4/1", query: "q4", from: "u", to: "agent", kind: "question" });
  live.note("tape");
  live.note("tape");
  live.note("live");
  expect(live.snapshot()).toMatchObject({
    t: 5,
    facts: 10,
    messages: 1,
    queries: { arrived: 5, answered: 1, unanswered: 1, failed: 1, inFlight: 2 },
    calls: { live: 1, tape: 2, surrogate: 0 },
  });
});

test("the last messages and events are kept, oldest first, and no more of them", () => {
  const { live, state } = statistics();
  for (let i = 1; i <= 60; i++) {
    state(i, { type: "message.sent", message: `q/${i}`, query: "q", from: "a", to: "b", kind: "request" });
    state(i, { type: "site.changed", site: "s.example", change: `change ${i}` });
  }
  state(61, { type: "intervention.applied", intervention: { kind: "remove", sites: ["s.example"] } });
  const { lastMessages, lastEvents } = live.snapshot();
  expect(lastMessages.map(({ t }) => t)).toEqual(Array.from({ length: 50 }, (_, i) => 11 + i));
  expect(lastEvents.map(({ t }) => t)).toEqual(Array.from({ length: 50 }, (_, i) => 12 + i));
  expect(lastEvents.at(-1)).toEqual({ t: 61, intervention: { kind: "remove", sites: ["s.example"] } });
});

describe("scores", () => {
  test("are means a group, each over the queries that have a value", () => {
    const { live, state } = statistics();
    state(1, arrival("q1"));
    state(1, arrival("q2"));
    state(1, arrival("q3", "classical", null));
    state(2, { type: "query.scored", query: "q1", measures: { "ndcg@3": 1, "recall@5": 0.5, "ndcg@10": 0.9 } });
    state(3, { type: "query.scored", query: "q2", measures: { "ndcg@3": 0.5, "recall@5": null } });
    state(4, { type: "query.scored", query: "q3", measures: { "ndcg@3": 0.25 } });
    expect(live.snapshot().groups).toEqual([
      {
        task: "web-search",
        strategy: "multi-agent",
        model: "surrogate/qwen3-4b",
        queries: 2,
        scores: [
          { measure: "ndcg@3", mean: 0.75, low: 0, high: 1, n: 2 },
          { measure: "recall@5", mean: 0.5, low: null, high: null, n: 1 },
        ],
      },
      {
        task: "web-search",
        strategy: "classical",
        model: null,
        queries: 1,
        scores: [{ measure: "ndcg@3", mean: 0.25, low: null, high: null, n: 1 }],
      },
    ]);
  });

  test("of a query count once, and not at all where it never arrived", () => {
    const { live, state } = statistics();
    state(1, arrival("q1"));
    for (const query of ["q1", "q1", "unknown"]) state(2, { type: "query.scored", query, measures: { "ndcg@3": 1 } });
    expect(live.snapshot().groups[0]).toMatchObject({ queries: 1, scores: [{ n: 1 }] });
  });
});

describe("sites", () => {
  test("come busiest first, ties by id, as a full sort would have them", () => {
    const contacts = fc.array(
      fc.integer({ min: 0, max: 40 }).map((i) => `s${i}.example`),
      { maxLength: 300 },
    );
    fc.assert(
      fc.property(contacts, fc.integer({ min: 1, max: 25 }), (sites, limit) => {
        const live = new LiveSites(hourMs);
        const counts = new Map<string, number>();
        for (const site of sites) {
          live.contact(site, 0);
          counts.set(site, (counts.get(site) ?? 0) + 1);
        }
        const sorted = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, limit);
        const busiest = live.busiest(limit);
        expect(busiest.map(({ site, contacts: n }) => [site, n])).toEqual(sorted);
        for (const { share, contacts: n } of busiest) expect(share).toBe(n / sites.length);
      }),
    );
  });

  test("tell the change of their share since the last window once both windows are thick enough", () => {
    const live = new LiveSites(hourMs);
    const contact = (site: string, times: number, atMs: number): void => {
      for (let i = 0; i < times; i++) live.contact(site, atMs);
    };
    const change = (): (number | null)[] => live.busiest(2).map((site) => site.change);
    contact("a.example", 75, 0);
    contact("b.example", 25, hourMs - 1);
    expect(change()).toEqual([null, null]);
    contact("a.example", 99, hourMs);
    expect(change()).toEqual([null, null]);
    contact("b.example", 99, hourMs + 1);
    expect(change()).toEqual([-0.25, 0.25]);
    // Nothing happened in the third window: the fourth has no window to be compared with.
    contact("a.example", 200, 3 * hourMs);
    expect(change()).toEqual([null, null]);
  });

  test("count citations, of sites never contacted too", () => {
    const { live, state } = statistics();
    state(1, { type: "citation.made", query: "q", site: "a.example" });
    state(1, { type: "citation.made", query: "q", site: "a.example", document: "d" });
    expect(live.snapshot()).toMatchObject({
      siteCount: 1,
      sites: [{ site: "a.example", contacts: 0, share: 0, change: null, citations: 2 }],
    });
  });
});

describe("pages", () => {
  test("tell of a site who asks it, how often it is cited when asked, and who is when it is not", () => {
    const { live, state } = statistics();
    for (const [i, cited] of ["a.example", "b.example", "b.example"].entries()) {
      const query = `q${i}`;
      state(i, arrival(query));
      for (const site of ["a.example", "c.example"]) state(i, { type: "site.contacted", query, site, request: 1 });
      state(i, { type: "citation.made", query, site: cited });
      state(i, { type: "query.completed", query, outcome: "answered", turns: 1, answer: [] });
    }
    expect(live.site("a.example")).toEqual({
      site: "a.example",
      askedIn: 3,
      citedWhenAsked: 1,
      askers: [["multi-agent, surrogate/qwen3-4b", 3]],
      lostTo: [["b.example", 2]],
    });
    expect(live.site("b.example")).toBeNull();
  });

  test("hold the steps of a query in flight and of one that is done", () => {
    const { live, state } = statistics();
    state(1, arrival("q1"));
    state(2, { type: "site.contacted", query: "q1", site: "a.example", request: 1 });
    expect(live.timeline("q1")).toMatchObject({ outcome: null, requests: 1 });
    state(3, { type: "query.completed", query: "q1", outcome: "failed", turns: 1, answer: [] });
    state(3, { type: "query.scored", query: "q1", measures: { lossNotSelected: 1 } });
    expect(live.timeline("q1")).toMatchObject({ outcome: "failed", loss: "not selected" });
    expect(live.timeline("q2")).toBeNull();
  });
});

test("the effective number of sites is that of each window, and none where it is thin or empty", () => {
  const windowMs = 10;
  const { live, state } = statistics({ windowMs });
  for (let i = 0; i < 400; i++) {
    state(Math.floor(i / 40), { type: "site.contacted", query: "q", site: `${i % 4}.example`, request: i });
  }
  state(3 * windowMs, { type: "site.contacted", query: "q", site: "0.example", request: 1 });
  const [first, ...rest] = live.snapshot().effectiveSites;
  expect(first).toBeCloseTo(4, 0);
  expect(rest).toEqual([null, null]);
  expect(live.snapshot().sites[0]?.trend).toEqual([0.25, 0, 0, 1]);
});
