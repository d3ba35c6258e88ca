import fc from "fast-check";
import { cleanup, render } from "ink-testing-library";
import { afterEach, describe, expect, test } from "vitest";
import { type LiveSnapshot, LiveStatistics } from "../../src/statistics/live.ts";
import { queryTimeline } from "../../src/statistics/query-timeline.ts";
import { width } from "../../src/terminal/clean.ts";
import { type FrameContent, frameLines } from "../../src/terminal/frame.ts";
import { type Choice, noChoice } from "../../src/terminal/interaction.ts";
import type { Looks } from "../../src/terminal/lines.ts";
import type { Page } from "../../src/terminal/pages.ts";
import { Frame } from "../../src/terminal/screen.tsx";
import { dayMs, syntheticDay } from "./synthetic-run.ts";

const plain: Looks = { colour: false, unicode: true, spoken: false };

function snapshotOfDay(share: number): LiveSnapshot {
  const statistics = new LiveStatistics({ untilMs: dayMs, expectedQueries: 4800, windowMs: dayMs / 12 });
  for (const fact of syntheticDay(4800)) {
    if (fact.t > share * dayMs) break;
    statistics.listen(fact);
    if (fact.type === "message.sent") statistics.note("surrogate");
  }
  return statistics.snapshot();
}

const midday: FrameContent = {
  title: "one-day",
  snapshot: snapshotOfDay(0.6),
  pace: { messagesPerSecond: 5123.4, leftMs: 65_000 },
  state: "running",
  keys: true,
  choice: noChoice,
  page: null,
};

/** What Ink writes for a frame in a terminal of this size. */
function drawn(content: FrameContent, columns: number, rows: number, looks = plain): string {
  const app = render(<></>);
  Object.defineProperty(app.stdout, "columns", { value: columns });
  app.rerender(<Frame content={content} size={{ columns, rows }} looks={looks} />);
  return app.lastFrame() ?? "";
}

afterEach(cleanup);

describe("a frame looks as it did", () => {
  test.each([
    [60, 20],
    [200, 60],
  ])("at %i x %i", async (columns, rows) => {
    await expect(`${drawn(midday, columns, rows)}\n`).toMatchFileSnapshot(`golden/${columns}x${rows}.txt`);
  });

  test("before anything happened", async () => {
    const snapshot = new LiveStatistics({ untilMs: null, expectedQueries: null, windowMs: 1 }).snapshot();
    const start: FrameContent = { ...midday, snapshot, pace: { messagesPerSecond: null, leftMs: null } };
    await expect(`${drawn(start, 80, 24)}\n`).toMatchFileSnapshot("golden/start-80x24.txt");
  });

  test("paused, with help, in ASCII", async () => {
    const content: FrameContent = { ...midday, state: "paused", choice: { ...noChoice, help: true } };
    const frame = drawn(content, 80, 24, { ...plain, unicode: false });
    expect(frame).toMatch(/^[\x20-\x7e\n]*$/);
    await expect(`${frame}\n`).toMatchFileSnapshot("golden/paused-ascii-80x24.txt");
  });

  test("with one panel, filtered, the cursor on a row", async () => {
    const choice: Choice = { ...noChoice, panel: "traffic", filter: "1", selected: "site-11.example" };
    await expect(`${drawn({ ...midday, choice }, 80, 16)}\n`).toMatchFileSnapshot("golden/traffic-80x16.txt");
  });

  test("with the page of a site, and of a query", async () => {
    const id = "site-01.example";
    const story = {
      site: id,
      askedIn: 40,
      citedWhenAsked: 10,
      askers: [["multi-agent, m", 40]],
      lostTo: [["b.example", 9]],
    } as const;
    const choice: Choice = { ...noChoice, panel: "traffic", open: { kind: "site", id, scrolled: 0 } };
    const page = { kind: "site", id, story, activity: midday.snapshot.sites[1] ?? null } as const;
    await expect(`${drawn({ ...midday, choice, page }, 80, 20)}\n`).toMatchFileSnapshot("golden/site-80x20.txt");
    const timeline = queryTimeline("q7", syntheticDay(20));
    const ofQuery: FrameContent = { ...midday, choice, page: { kind: "query", id: "q7", timeline } };
    await expect(`${drawn(ofQuery, 80, 24)}\n`).toMatchFileSnapshot("golden/query-80x24.txt");
  });

  test("in colour, but for the codes", () => {
    const coloured = drawn(midday, 200, 60, { ...plain, colour: true });

    const codes = /\u001b\[\d+m/g;
    expect(coloured).toMatch(codes);
    expect(coloured.replace(codes, "")).toBe(drawn(midday, 200, 60));
  });
});

test("read aloud, a frame is one column without bars or padding", () => {
  const lines = frameLines(midday, { columns: 200, rows: 60 }, { ...plain, spoken: true });
  const text = lines.map((line) => line.map((span) => span.text).join("")).join("\n");
  expect(text).not.toMatch(/[█→]/);
  expect(text).toMatch(/^one-day, running\n/);
  expect(text).toContain("site-00.example");
  expect(text).toMatch(/request {2}u\d+\/agent to site-\d+\.example/);
});

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "\u001b[2J\u001b[1;1Hforged.example",
    "\u001b]0;title\u0007two\nlines\r\n.example",
    "東京都庁の公式な網站のとても長い名前.example",
    `z${"\u0300".repeat(30)}algo.example`,
    "\u202eelpmaxe.terces",
    "👨‍👩‍👧‍👦🏳️‍🌈.example",
    "",
  ),
);
const amount = fc.nat(2 ** 31);
const shareOfAll = fc.double({ min: 0, max: 1, noNaN: true });
const time = fc.nat(400 * dayMs);

const snapshots: fc.Arbitrary<LiveSnapshot> = fc.record({
  t: time,
  untilMs: fc.constant(null),
  done: fc.option(shareOfAll),
  facts: amount,
  messages: amount,
  queries: fc.record({
    expected: fc.option(amount),
    arrived: amount,
    answered: amount,
    unanswered: amount,
    failed: amount,
    inFlight: amount,
  }),
  sites: fc.array(
    fc.record({
      site: hostile,
      contacts: amount,
      share: shareOfAll,
      change: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
      citations: amount,
      trend: fc.array(shareOfAll, { maxLength: 12 }),
    }),
    { maxLength: 20 },
  ),
  siteCount: amount,
  groups: fc.array(
    fc.record({
      task: hostile,
      strategy: hostile,
      model: fc.option(hostile),
      queries: amount,
      scores: fc.array(
        fc.record({
          measure: fc.constant("ndcg@3"),
          mean: shareOfAll,
          low: fc.option(shareOfAll),
          high: fc.option(shareOfAll),
          n: amount,
        }),
        { maxLength: 5 },
      ),
    }),
    { maxLength: 40 },
  ),
  effectiveSites: fc.array(fc.option(fc.double({ min: 1, max: 1e6, noNaN: true })), { maxLength: 12 }),
  models: fc.array(
    fc.record({
      model: hostile,
      answers: amount,
      promptTokens: amount,
      completionTokens: amount,
      invalid: amount,
      again: amount,
    }),
    { maxLength: 5 },
  ),
  cost: fc.option(fc.record({ spent: fc.nat(1e6), limit: fc.option(fc.nat(1e6)), currency: hostile })),
  lastMessages: fc.array(
    fc.record({
      t: time,
      query: hostile,
      from: hostile,
      to: hostile,
      kind: fc.constantFrom("question", "request", "reply", "answer"),
    }),
    { maxLength: 8 },
  ),
  lastEvents: fc.array(
    fc.oneof(
      fc.record({ t: time, site: hostile, change: hostile }),
      fc.record({ t: time, intervention: fc.dictionary(hostile, fc.oneof(hostile, amount, fc.array(hostile))) }),
    ),
    { maxLength: 8 },
  ),
  calls: fc.record({ live: amount, tape: amount, surrogate: amount }),
});

const choices: fc.Arbitrary<Choice> = fc.record({
  panel: fc.option(fc.constantFrom("traffic", "tasks", "models", "interventions", "messages")),
  selected: fc.option(hostile),
  open: fc.constant(null),
  filter: fc.oneof(fc.constant(""), hostile),
  typing: fc.boolean(),
  help: fc.boolean(),
});

const names = fc.array(fc.tuple(hostile, amount), { maxLength: 8 });
const pages: fc.Arbitrary<Page> = fc.oneof(
  fc.record({
    kind: fc.constant("site" as const),
    id: hostile,
    story: fc.option(
      fc.record({ site: hostile, askedIn: amount, citedWhenAsked: amount, askers: names, lostTo: names }),
    ),
    activity: fc.constant(null),
  }),
  fc.record({ kind: fc.constant("query" as const), id: hostile, timeline: fc.constant(null) }),
);

const contents: fc.Arbitrary<FrameContent> = fc.record({
  title: hostile,
  snapshot: snapshots,
  pace: fc.record({ messagesPerSecond: fc.option(amount), leftMs: fc.option(amount) }),
  state: fc.constantFrom("running", "paused", "stopping", "ended", "over"),
  keys: fc.boolean(),
  choice: choices,
  page: fc.option(pages),
  speed: fc.option(amount),
});

const sizes = fc.record({ columns: fc.integer({ min: 1, max: 250 }), rows: fc.integer({ min: 2, max: 80 }) });

test("whatever the run, its names and the terminal, a frame is lower than the terminal and no wider", () => {
  fc.assert(
    fc.property(contents, sizes, fc.boolean(), (content, size, unicode) => {
      const lines = frameLines(content, size, { ...plain, unicode });
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.length).toBeLessThan(size.rows);
      for (const line of lines) {
        const text = line.map((span) => span.text).join("");
        expect(width(text)).toBeLessThanOrEqual(size.columns);
        expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }
    }),
  );
});

test("hostile names leave the columns of the wide view where they are", () => {
  const [first, ...others] = midday.snapshot.sites;
  const names = [
    "\u001b[2Jforged\n.example",
    "東京都庁の公式な網站のとても長い名前の例.example",
    "e\u0301\u0302.example",
  ];
  const renamed = names.map((site, i) => ({ ...(others[i] ?? first!), site }));
  const content = { ...midday, snapshot: { ...midday.snapshot, sites: [first!, ...renamed, ...others.slice(3)] } };
  const lines = frameLines(content, { columns: 200, rows: 60 }, plain);
  const columnOf = (line: string): number => width(line.slice(0, line.indexOf("cited")));
  const rows = lines.map((line) => line.map((span) => span.text).join("")).filter((line) => line.includes("cited"));
  expect(rows.length).toBeGreaterThanOrEqual(20);
  expect(new Set(rows.map(columnOf)).size).toBe(1);
});
