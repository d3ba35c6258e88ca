import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { width } from "../../src/terminal/clean.ts";
import { compressTape } from "../../src/trace/tape-reader.ts";
import { command } from "../support/cli.ts";
import { factsOf, readCsv, readTrace } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb({ allTasks: true });
const run = join(web.folder, "run");
const other = join(web.folder, "other");

async function made(out: string, ...options: string[]): Promise<void> {
  const end = await command("run", scenario, "--no-view", "--out", out, ...options);
  expect(end.code, end.stderr).toBe(0);
}

let scenario: string;

beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  scenario = web.scenario("inspected", { until: "40m" });
  await made(run);
  await made(other, "--set", "interventions=[{ at: 10m, outage: garden.example, for: 20m }]");
});

async function inspect(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await command("inspect", ...args);
  expect(code, stderr).toBe(0);
  return stdout;
}

interface Story {
  readonly timeline: {
    readonly query: string;
    readonly promptTokens: number;
    readonly steps: readonly { readonly step: string; readonly t: number }[];
  };
  readonly question: string;
  readonly said: Readonly<Record<string, { readonly text: string }>>;
}

async function story(query: string): Promise<Story> {
  return JSON.parse(await inspect(run, query, "--json")) as Story;
}

describe("a query step by step", () => {
  test("has a step for each turn, search, request and reply of the trace, and its tokens", async () => {
    const trace = readTrace(run);
    for (const { query } of factsOf(trace, "query.completed").slice(0, 10)) {
      const { timeline, said } = await story(query);
      const of = (type: Parameters<typeof factsOf>[1]): number =>
        factsOf(trace, type).filter((fact) => "query" in fact && fact.query === query).length;
      const steps = (name: string): number => timeline.steps.filter(({ step }) => step === name).length;
      expect(steps("turn")).toBe(of("model.answered"));
      expect(Object.keys(said)).toHaveLength(of("model.answered"));
      expect(steps("search")).toBe(of("search.answered"));
      expect(steps("request")).toBe(of("site.contacted"));
      expect(steps("reply")).toBe(of("site.answered"));
      const read = factsOf(trace, "model.answered").filter((fact) => fact.query === query);
      expect(timeline.promptTokens).toBe(read.reduce((sum, { promptTokens }) => sum + promptTokens, 0));
      expect(timeline.steps.map(({ t }) => t)).toEqual(timeline.steps.map(({ t }) => t).toSorted((a, b) => a - b));
    }
  });

  test("is a diagram of 80 columns with what was asked, searched and found, in ASCII where need be", async () => {
    const [{ query = "" } = {}] = readCsv(run, "queries.csv");
    const { question } = await story(query);
    process.env["LC_ALL"] = "C";
    const text = await inspect(run, query).finally(() => delete process.env["LC_ALL"]);
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
    expect(Math.max(...text.split("\n").map(width))).toBeLessThanOrEqual(80);
    expect(text.replace(/\s+/g, " ")).toContain(question);
    expect(text).toMatch(/asks \w+\.example \(request 1\)/);
    expect(text).toMatch(/answered after \d+ s/);
  });

  test("says at which stage the relevant pages were lost", async () => {
    const lost = readCsv(run, "queries.csv").find(({ loss }) => loss === "notSelected");
    expect(await inspect(run, lost?.["query"] ?? "")).toContain("no site that holds a relevant page was asked");
  });

  test("is a mermaid diagram whose parties are declared", async () => {
    const [{ query = "" } = {}] = readCsv(run, "queries.csv");
    const lines = (await inspect(run, query, "--mermaid")).trimEnd().split("\n");
    expect(lines[0]).toBe("sequenceDiagram");
    const declared = new Set(lines.flatMap((line) => /^ {2}(?:actor|participant) (p\d+) as /.exec(line)?.[1] ?? []));
    const arrows = lines.slice(1 + declared.size);
    for (const line of arrows) {
      const [, from = "", to = ""] = /^ {2}(p\d+)--?>>(p\d+): [^;#<>]+$/.exec(line) ?? [];
      expect(
        [from, to].every((party) => declared.has(party)),
        line,
      ).toBe(true);
    }
    expect(arrows).toHaveLength((await story(query)).timeline.steps.length);
  });

  test("is Chrome trace events on virtual time", async () => {
    const [{ query = "" } = {}] = readCsv(run, "queries.csv");
    const { traceEvents } = JSON.parse(await inspect(run, query, "--perfetto"));
    const facts = readTrace(run).facts.filter((fact) => "query" in fact && fact.query === query);
    const times = traceEvents.flatMap(({ ts, dur = 0 }: { ts?: number; dur?: number }) =>
      ts === undefined ? [] : [ts + dur],
    );
    expect(Math.min(...times)).toBe((facts[0]?.t ?? 0) * 1000);
    expect(Math.max(...times)).toBe((facts.at(-1)?.t ?? 0) * 1000);
    const begun = traceEvents.filter(({ ph }: { ph: string }) => ph === "b");
    expect(traceEvents.filter(({ ph }: { ph: string }) => ph === "e")).toHaveLength(begun.length);
  });
});

describe("a list of queries", () => {
  test("has those that lost, that asked a site, that took longest", async () => {
    const rows = readCsv(run, "queries.csv");
    const list = async (...options: string[]) =>
      JSON.parse(await inspect(run, ...options, "--limit", "10000", "--json")).rows.map(
        ({ query }: { query: string }) => query,
      );
    const failed = rows.filter(({ outcome, loss }) => outcome !== "answered" || loss !== "");
    expect((await list("--failed")).toSorted()).toEqual(failed.map(({ query }) => query).toSorted());
    const asked = factsOf(readTrace(run), "site.contacted").filter(({ site }) => site === "kitchen.example");
    expect((await list("--site", "kitchen.example")).toSorted()).toEqual(
      [...new Set(asked.map(({ query }) => query))].toSorted(),
    );
    const took = new Map(rows.map((row) => [row["query"], Number(row["completedMs"]) - Number(row["arrivedMs"])]));
    const times = (await list("--slowest")).map((query: string) => took.get(query));
    expect(times).toEqual(times.toSorted((a: number, b: number) => b - a));
    expect(times).toHaveLength(rows.length);
  });
});

describe("two runs", () => {
  test("part where the outage is met, and what differs between their scenarios is told", async () => {
    const downs = factsOf(readTrace(other), "site.answered").filter(({ outcome }) => outcome === "down");
    const text = await inspect(run, downs[0]?.query ?? "", "--diff", other);
    expect(text).toContain("then the runs part");
    expect(text).toMatch(/^- .*down/m);
    expect(text).toContain("the scenarios differ in interventions");
  });

  test("are equal where nothing differs", async () => {
    const [{ query = "" } = {}] = readCsv(run, "queries.csv");
    expect(await inspect(run, query, "--diff", run)).toMatch(/all \d+ steps are equal/);
  });
});

describe("a run that was killed", () => {
  test("shows what its trace holds, up to a line that is cut short", async () => {
    const killed = join(web.folder, "killed");
    cpSync(run, killed, { recursive: true });
    const trace = readFileSync(join(run, "trace.jsonl"), "utf8");
    writeFileSync(join(killed, "trace.jsonl"), trace.slice(0, Math.floor(trace.length * 0.6)));
    expect(await inspect(killed)).toMatch(/under way where the trace ends/);
    const { facts } = readTrace(run);
    const size = trace.split("\n").length;
    const done = new Set(
      facts.flatMap((fact) => (fact.type === "query.scored" && fact.seq < size * 0.5 ? [fact.query] : [])),
    );
    const under = facts.findLast(
      (fact) => fact.type === "query.arrived" && fact.seq < size * 0.55 && !done.has(fact.query),
    );
    expect(await inspect(killed, under !== undefined && "query" in under ? under.query : "")).toContain("asks: ");
  });
});

test("a compressed tape tells what was said too", async () => {
  const packed = join(web.folder, "packed");
  cpSync(run, packed, { recursive: true });
  compressTape(packed);
  const [{ query = "" } = {}] = readCsv(run, "queries.csv");
  expect(JSON.parse(await inspect(packed, query, "--json"))).toEqual(await story(query));
});

test("hostile names move nothing on the screen", async () => {
  const hostile = join(web.folder, "hostile");
  cpSync(run, hostile, { recursive: true });
  const trace = readFileSync(join(run, "trace.jsonl"), "utf8");
  writeFileSync(join(hostile, "trace.jsonl"), trace.replaceAll("garden.example", "\\u001b[2Jforged\\nname\\u202e"));
  const [{ query = "" } = {}] = factsOf(readTrace(run), "site.contacted").filter(
    ({ site }) => site === "garden.example",
  );
  const text = await inspect(hostile, query);
  expect(text.replaceAll("\n", "")).not.toMatch(/\p{C}/u);
  expect(text).toContain("asks forged name");
});

describe("bad input gets one clear line", () => {
  test.each([
    [["nowhere"], /nowhere: expected the directory of a run/],
    [[run, "q-none"], /the run has no query "q-none"/],
    [[run, "--site", "none.example"], /no query that is done asked the site "none.example"/],
    [[run, "q000001", "--failed"], /--failed: is for lists/],
    [[run, "--mermaid"], /--mermaid: is for one query/],
    [[run, "q000001", "--json", "--mermaid"], /expected one of/],
    [[run, "--limit", "many"], /--limit: expected a whole number/],
  ])("%j", async (args, line) => {
    const { code, stdout, stderr } = await command("inspect", ...args);
    expect({ code, stdout, lines: stderr.trimEnd().split("\n").length }).toEqual({ code: 2, stdout: "", lines: 1 });
    expect(stderr).toMatch(line);
  });
});
