import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { command, commandProcess } from "../support/cli.ts";
import { factsOf, filesBelow, readCsv, readJson, readTrace, traceHash } from "../support/run-files.ts";
import { siteIds, smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const runs: string[] = [];
const inWeb = (name: string) => join(web.folder, name);

/** Runs a scenario into a directory of the small web's folder. */
async function run(scenario: string, out: string, ...options: string[]): Promise<string> {
  const end = await command("run", scenario, "--no-view", "--out", inWeb(out), ...options);
  expect(end.code, end.stderr).toBe(0);
  runs.push(inWeb(out));
  return inWeb(out);
}

interface Metrics {
  run: Record<string, number | string>;
  queries: Record<string, number>;
  groups: {
    strategy: string;
    model: string | null;
    n: number;
    measures: Record<string, { mean: number | null; n: number }>;
  }[];
  traffic: Record<string, { total: number; sites: Record<string, { count: number; share: number }> } | null>;
}

let hour: string;
let first: string;
beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  hour = web.scenario("hour");
  first = await run(hour, "first");
});

describe("A run's directory", () => {
  it("holds what the reference names, and nothing half-written", () => {
    expect(filesBelow(first)).toEqual(
      [
        ...readdirSync(join(packageRoot, "prompts")).map((name) => `inputs/prompts/${name}`),
        "inputs/scenario.yaml",
        "inputs/sites.jsonl",
        "inputs/tasks/web-search.jsonl",
        "manifest.json",
        "metrics.json",
        "qrels.txt",
        "queries.csv",
        "report.html",
        "report.md",
        "resource-run.trec",
        "run.trec",
        "tape.jsonl",
        "texts.jsonl",
        "trace.jsonl",
        "traffic.csv",
        "concentration.csv",
      ].sort(),
    );
    expect(filesBelow(web.folder).filter((name) => name.includes(".draft"))).toEqual([]);
  });

  it("says in its manifest that it is completed, what answered, and that a surrogate is no evidence", () => {
    const manifest = readJson<Record<string, unknown>>(first, "manifest.json");
    const asked = factsOf(readTrace(first), "model.asked").length;
    expect(manifest).toMatchObject({
      format: "awesim-manifest",
      status: "completed",
      traceSha256: traceHash(first),
      calls: { live: 0, tape: 0, surrogate: asked, unused: 0 },
      cost: null,
      surrogate: expect.stringContaining("not evidence"),
    });
    expect(readFileSync(join(first, "report.md"), "utf8")).toContain("not evidence");
  });
});

describe("A run's trace", () => {
  it("numbers its facts without gaps, never goes back in time, and ends with the hashes of its bytes", () => {
    const { head, facts, footer } = readTrace(first);
    expect(head).toMatchObject({ format: "awesim-trace", version: 1, level: "full", scenario: "hour", seed: 3 });
    expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, index) => index));
    expect(facts.every(({ t }, index) => index === 0 || t >= (facts[index - 1]?.t as number))).toBe(true);
    expect(facts.every(({ t }) => Number.isInteger(t) && t >= 0 && t <= 3_600_000)).toBe(true);
    const text = readFileSync(join(first, "trace.jsonl"), "utf8");
    const lastLine = text.lastIndexOf("\n", text.length - 2) + 1;
    const firstLine = text.indexOf("\n") + 1;
    const sha256 = (part: string) => createHash("sha256").update(part).digest("hex");
    expect(footer).toEqual({
      type: "trace.end",
      facts: facts.length,
      sha256: sha256(text.slice(0, lastLine)),
      streamFacts: facts.length,
      streamSha256: sha256(text.slice(firstLine, lastLine)),
    });
  });

  it("holds no id of a state machine, no path and no wall time", () => {
    const facts = JSON.stringify(readTrace(first).facts);
    expect(/"x:\d|xstate|\/tmp|[":]1[5-9]\d{11}\b/.exec(facts)).toBeNull();
  });

  it("has the same hash at every level of detail", async () => {
    const hashes = [];
    for (const level of ["messages", "summary"]) {
      const directory = await run(hour, level, "--trace", level);
      expect(readTrace(directory).facts.length).toBeLessThan(readTrace(first).facts.length);
      hashes.push(traceHash(directory));
      expect(readFileSync(join(directory, "queries.csv"), "utf8")).toBe(
        readFileSync(join(first, "queries.csv"), "utf8"),
      );
    }
    expect(hashes).toEqual([traceHash(first), traceHash(first)]);
  });

  it("is the same in another process with another time zone and language, and another with another seed", async () => {
    const env = { AWESIM_CACHE: web.cache, TZ: "Asia/Kathmandu", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" };
    const end = await commandProcess(["run", hour, "--no-view", "--out", inWeb("process")], env);
    expect(end.code, end.stderr).toBe(0);
    expect(readFileSync(join(inWeb("process"), "trace.jsonl"))).toEqual(readFileSync(join(first, "trace.jsonl")));
    for (const file of [
      "metrics.json",
      "queries.csv",
      "traffic.csv",
      "concentration.csv",
      "run.trec",
      "qrels.txt",
      "report.md",
      "report.html",
    ]) {
      expect(readFileSync(join(inWeb("process"), file), "utf8")).toBe(readFileSync(join(first, file), "utf8"));
    }
    expect(traceHash(await run(hour, "seed-4", "--seed", "4"))).not.toBe(traceHash(first));
  });
});

describe("A run's measures", () => {
  it("count every query once: arrived = completed + in flight", () => {
    const { queries } = readJson<Metrics>(first, "metrics.json");
    const trace = readTrace(first);
    const outcomes = factsOf(trace, "query.completed").map(({ outcome }) => outcome);
    const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
    expect(queries).toEqual({
      arrived: factsOf(trace, "query.arrived").length,
      completed: outcomes.length,
      answered: count("answered"),
      unanswered: count("unanswered"),
      failed: count("failed"),
      inFlight: 0,
    });
    expect(queries["arrived"]).toBeGreaterThan(20);
    expect(
      readCsv(first, "queries.csv")
        .map(({ query }) => query)
        .sort(),
    ).toEqual(
      factsOf(trace, "query.completed")
        .map(({ query }) => query)
        .sort(),
    );
  });

  it("are means over the rows of queries.csv", () => {
    const { groups } = readJson<Metrics>(first, "metrics.json");
    const rows = readCsv(first, "queries.csv");
    expect(groups.reduce((sum, { n }) => sum + n, 0)).toBe(rows.length);
    for (const { model, n, measures } of groups) {
      const ofModel = rows.filter((row) => row["model"] === model);
      expect(n).toBe(ofModel.length);
      for (const name of ["ndcg@3", "recall@5", "siteRecall", "turns", "agents", "requests"]) {
        const values = ofModel.map((row) => row[name] as string).filter((value) => value !== "");
        const mean = values.reduce((sum, value) => sum + Number(value), 0) / values.length;
        expect(measures[name]?.mean, name).toBeCloseTo(mean, 5);
        expect(measures[name]?.n).toBe(values.length);
      }
    }
  });

  it("are those that trec_eval's reading of run.trec and qrels.txt gives", () => {
    const lines = (name: string) =>
      readFileSync(join(first, name), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => line.split(" "));
    const grades = new Map<string, Map<string, number>>();
    for (const [query, , document, grade] of lines("qrels.txt") as [string, string, string, string][]) {
      if (!grades.has(query)) grades.set(query, new Map());
      grades.get(query)?.set(document, Number(grade));
    }
    const rankings = new Map<string, { document: string; score: number }[]>();
    for (const [query, , document, , score] of lines("run.trec") as [string, string, string, string, string][]) {
      if (!rankings.has(query)) rankings.set(query, []);
      rankings.get(query)?.push({ document, score: Number(score) });
    }
    const dcg = (gains: readonly number[]) => gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
    let answered = 0;
    for (const row of readCsv(first, "queries.csv")) {
      const judged = grades.get(row["query"] as string) as Map<string, number>;
      const ranking = (rankings.get(row["query"] as string) ?? []).sort((a, b) => b.score - a.score).slice(0, 5);
      const best = dcg([...judged.values()].sort((a, b) => b - a).slice(0, 5));
      const ndcg = dcg(ranking.map(({ document }) => judged.get(document) ?? 0)) / best;
      expect(Number(row["ndcg@5"])).toBeCloseTo(ndcg, 5);
      if (ndcg > 0) answered++;
    }
    expect(answered).toBeGreaterThan(5);
  });

  it("of traffic are the sums of traffic.csv's windows", () => {
    const { traffic, run } = readJson<Metrics>(first, "metrics.json");
    const rows = readCsv(first, "traffic.csv");
    const trace = readTrace(first);
    for (const measure of ["contacts", "documents", "citations", "exposure"]) {
      const ofMeasure = rows.filter((row) => row["measure"] === measure);
      const sums = new Map<string, number>();
      for (const { site, count } of ofMeasure)
        sums.set(site as string, (sums.get(site as string) ?? 0) + Number(count));
      const { total, sites } = traffic[measure] as {
        total: number;
        sites: Record<string, { count: number; share: number }>;
      };
      expect([...sums.keys()].sort()).toEqual(Object.keys(sites).sort());
      for (const [site, { count, share }] of Object.entries(sites)) {
        expect(sums.get(site)).toBeCloseTo(count, 3);
        expect(share).toBeCloseTo(count / total, 9);
      }
    }
    expect(traffic["contacts"]?.total).toBe(factsOf(trace, "site.contacted").length);
    expect(traffic["citations"]?.total).toBe(factsOf(trace, "citation.made").length);
    expect(run["messages"]).toBe(factsOf(trace, "message.sent").length);
  });

  it("and its tables hold no NaN, no Infinity and no undefined", () => {
    for (const name of filesBelow(first)) {
      const text = readFileSync(join(first, name), "utf8");
      expect(/\bNaN\b|\bInfinity\b|\bundefined\b|\[object /.exec(text), name).toBeNull();
    }
  });
});

describe("The end of a run", () => {
  it("fails what is unfinished at `until`, at that very time, and scores it 0", async () => {
    const cut = await run(hour, "cut", "--until", "6m", "--set", "models.latency={distribution: constant, value: 45s}");
    const trace = readTrace(cut);
    const failed = factsOf(trace, "query.completed").filter(({ outcome }) => outcome === "failed");
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.every(({ t, answer }) => t === 360_000 && answer.length === 0)).toBe(true);
    expect(factsOf(trace, "query.scored").map(({ query }) => query)).toEqual(
      factsOf(trace, "query.completed").map(({ query }) => query),
    );
    const rows = readCsv(cut, "queries.csv").filter(({ outcome }) => outcome === "failed");
    expect(rows.every((row) => row["ndcg@10"] === "0" && row["completedMs"] === "360000")).toBe(true);
    expect(factsOf(trace, "window.closed").at(-1)).toMatchObject({ startMs: 0, endMs: 360_000 });
  });

  it("closes windows at their size and a last one at the end", () => {
    const windows = factsOf(readTrace(first), "window.closed").map(({ startMs, endMs }) => [startMs, endMs]);
    expect(windows).toEqual([0, 1, 2, 3, 4, 5].map((n) => [n * 600_000, (n + 1) * 600_000]));
  });

  it("of an every-topic run is its last query, and every topic arrives at every assistant", async () => {
    const everyTopic = web.scenario("every-topic", {
      population: "{ arrivals: { process: every-topic, rate: 600/h, topics: 6 }, tasks: { web-search: 1 } }",
      until: undefined,
      assistants: `
  - { strategy: multi-agent, model: surrogate/qwen3-4b }
  - { strategy: classic-ir }`,
    });
    const trace = readTrace(await run(everyTopic, "every-topic"));
    const completed = factsOf(trace, "query.completed");
    expect(completed).toHaveLength(12);
    expect(completed.every(({ outcome }) => outcome !== "failed")).toBe(true);
    expect(trace.facts.at(-1)?.t).toBe(completed.at(-1)?.t);
    expect(factsOf(trace, "query.arrived").filter(({ model }) => model === null)).toHaveLength(6);
  });

  it("in a steady state scores neither warm-up nor cool-down, fails what came before the cool-down, leaves the rest", async () => {
    const steady = web.scenario("steady", {
      until: "60m",
      horizon: "{ steady-state: { warm-up: 20m, cool-down: 10m } }",
      population: "{ users: 5, arrivals: { process: poisson, rate: 120/h } }",
      // One assistant never gets through: what arrives in the warm-up is still there at the end.
      sites: "{ default: { latency: { distribution: constant, value: 2h } } }",
      agents: "{ request-timeout: 3h }",
    });
    const directory = await run(steady, "steady");
    const trace = readTrace(directory);
    const arrivedMs = new Map(factsOf(trace, "query.arrived").map(({ query, t }) => [query, t]));
    const between = (from: number, to: number) => (query: string) => {
      const minutes = (arrivedMs.get(query) as number) / 60_000;
      return minutes >= from && minutes < to;
    };
    const queries = [...arrivedMs.keys()];
    const scored = factsOf(trace, "query.scored").map(({ query }) => query);
    const failed = factsOf(trace, "query.completed").filter(({ outcome }) => outcome === "failed");
    expect(new Set(scored)).toEqual(new Set(queries.filter(between(20, 50))));
    expect(new Set(failed.map(({ query }) => query))).toEqual(new Set(queries.filter(between(0, 50))));
    expect(readJson<Metrics>(directory, "metrics.json").queries).toMatchObject({
      arrived: queries.length,
      completed: failed.length,
      inFlight: queries.filter(between(50, 60)).length,
    });
  });
});

describe("A strategy without a model", () => {
  it("asks nobody, and says nothing about surrogates; what it cannot have is null, not left out", async () => {
    const directory = await run(hour, "classic-ir", "--strategy", "classic-ir");
    const trace = readTrace(directory);
    expect(factsOf(trace, "model.asked")).toEqual([]);
    expect(factsOf(trace, "site.contacted")).toEqual([]);
    expect(factsOf(trace, "query.completed").every(({ outcome, t }) => outcome === "answered" && t >= 0)).toBe(true);
    expect(readJson<Record<string, unknown>>(directory, "manifest.json")["surrogate"]).toBeNull();
    expect(readFileSync(join(directory, "report.md"), "utf8")).not.toContain("seeded policy");
    const [group] = readJson<Metrics>(directory, "metrics.json").groups;
    expect(group?.measures["ndcg@5"]?.mean).toBeGreaterThan(0.3);
    for (const name of ["siteRecall", "contentTurns", "userValidity"]) {
      expect(group?.measures[name]).toMatchObject({ mean: null, low: null, high: null, n: 0 });
    }
  });
});

describe("A run without a query", () => {
  it("completes, and has measures without a number", async () => {
    const directory = await run(hour, "empty", "--until", "1s");
    expect(factsOf(readTrace(directory), "query.arrived")).toEqual([]);
    const metrics = readJson<Metrics>(directory, "metrics.json");
    expect(metrics.groups).toEqual([]);
    expect(metrics.queries).toEqual({ arrived: 0, completed: 0, answered: 0, unanswered: 0, failed: 0, inFlight: 0 });
    expect(metrics.traffic["contacts"]).toEqual({ total: 0, sites: {} });
    expect(readCsv(directory, "queries.csv")).toEqual([]);
    expect(readFileSync(join(directory, "report.md"), "utf8")).toContain("No site was asked or cited.");
  });
});

describe("Interventions", () => {
  it("are facts, at their time, before what else happens then", async () => {
    const scenario = web.scenario("interventions", {
      interventions: `
  - { at: 10m, outage: garden.example, for: 20m }
  - { at: 40m, remove: [birds.example, stars.example] }
  - { at: 50m, set: { site: rails.example, capacity: 2, latency: 1s } }`,
    });
    const trace = readTrace(await run(scenario, "interventions"));
    expect(factsOf(trace, "intervention.applied").map(({ t }) => t)).toEqual([600_000, 2_400_000, 3_000_000]);
    expect(factsOf(trace, "site.changed").map(({ t, site, change }) => [t / 60_000, site, change])).toEqual([
      [10, "garden.example", "outage began"],
      [30, "garden.example", "outage ended"],
      [40, "birds.example", "removed"],
      [40, "stars.example", "removed"],
      [50, "rails.example", "capacity 2"],
      [50, "rails.example", "latency"],
    ]);
    const outcomes = factsOf(trace, "site.answered").filter(
      ({ site, t }) => site === "garden.example" && t > 615_000 && t < 1_800_000,
    );
    expect(outcomes.every(({ outcome }) => outcome === "down")).toBe(true);
  });
});

describe("A site that was removed", () => {
  it("is cited no more, by no strategy", async () => {
    const interventions = `[{ at: 0s, remove: garden.example }]`;
    const trace = readTrace(
      await run(web.scenario("removed", { interventions }), "removed", "--strategy", "classic-ir"),
    );
    expect(factsOf(trace, "citation.made").some(({ site }) => site === "garden.example")).toBe(false);
    expect(factsOf(trace, "query.completed").every(({ answer }) => answer.length === 10)).toBe(true);
  });
});

describe("A web without sites", () => {
  it("leaves every query unanswered or without a page, and asks nobody", async () => {
    const scenario = web.scenario("deserted", { interventions: `[{ at: 0s, remove: [${siteIds.join(", ")}] }]` });
    const trace = readTrace(await run(scenario, "deserted"));
    expect(factsOf(trace, "site.contacted")).toEqual([]);
    const completed = factsOf(trace, "query.completed");
    expect(completed.length).toBeGreaterThan(20);
    expect(completed.every(({ answer }) => answer.length === 0)).toBe(true);
  });
});

describe("Arrivals at given times", () => {
  it("come at these times, and are part of the run's inputs", async () => {
    const times = join(web.folder, "times.txt");
    writeFileSync(times, "1m\n90000\n2m\n");
    const scenario = web.scenario("times", {
      population:
        "{ users: 2, arrivals: { process: trace, file: times.txt }, interests: { topics: zipf, exponent: 2 } }",
    });
    const trace = readTrace(await run(scenario, "times"));
    rmSync(times);
    expect(factsOf(trace, "query.arrived").map(({ t }) => t)).toEqual([60_000, 90_000, 120_000]);
  });
});

describe("Every run above", () => {
  it("replays", async () => {
    expect(runs.length).toBeGreaterThan(8);
    for (const each of runs) {
      const end = await command("replay", each);
      expect(end.code, `${each}: ${end.stderr.slice(0, 500)}`).toBe(0);
    }
  });
});
