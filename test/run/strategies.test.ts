import { readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { strategyNames } from "../../src/strategies/registry.ts";
import { command } from "../support/cli.ts";
import { factsOf, readJson, readTrace, type TraceFile } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const names = strategyNames();
const runs = ["plain", "released"].map((name) => join(web.folder, `run-${name}`)) as [string, string];
let plain: TraceFile;

beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  const shared = {
    until: undefined,
    population: "{ users: 3, arrivals: { process: every-topic, rate: 60/h, topics: 20 } }",
    "tool-e": "{ k: 2 }",
    interventions: "[{ at: 5m, remove: almanac.example }, { at: 0, outage: birds.example, for: 1h }]",
    assistants: `[${names.map((strategy) => `{ strategy: ${strategy}, model: surrogate/gemini-3-flash }`).join(", ")}]`,
  };
  const scenarios = [
    web.scenario("plain", shared),
    web.scenario("released", {
      ...shared,
      protocol: "agentwebbench-released",
      agents: "{ show-url: true, document-text: snippet:40, content-agent-sees: query+task }",
      "site-list": "{ order: shuffled-per-query, names: masked, descriptions: masked }",
    }),
  ];
  for (const [index, scenario] of scenarios.entries()) {
    const end = await command("run", scenario, "--no-view", "--out", runs[index] as string);
    expect(end.code, end.stderr).toBe(0);
  }
  renameSync(web.corpus, join(web.folder, "gone"));
  rmSync(web.cache, { recursive: true });
  plain = readTrace(runs[0]);
});

/** The sites that a strategy's queries contacted, each as often as it was. */
function contactsOf(strategy: string): string[] {
  const queries = new Set(
    factsOf(plain, "query.arrived").flatMap((fact) => (fact.strategy === strategy ? [fact.query] : [])),
  );
  return factsOf(plain, "site.contacted").flatMap(({ query, site }) => (queries.has(query) ? [site] : []));
}

describe("Every strategy", () => {
  it.each(runs)("answers each topic, and replays without the corpus: %s", async (run) => {
    const { queries, groups } = readJson<{ queries: unknown; groups: { strategy: string; n: number }[] }>(
      run,
      "metrics.json",
    );
    expect(queries).toMatchObject({ arrived: 20 * names.length, inFlight: 0 });
    expect(groups.map(({ strategy, n }) => [strategy, n]).toSorted()).toEqual(
      names.map((name) => [name, 20]).toSorted(),
    );
    const end = await command("replay", run);
    expect(end.code, end.stderr).toBe(0);
    expect(end.stdout).toContain("byte-identical");
  });

  it("that reaches sites has contacts and their measures; the others have neither", () => {
    const reaching = names.filter((name) => contactsOf(name).length > 0);
    expect(reaching).toEqual(names.filter((name) => !["classic-ir", "classical", "closed-book"].includes(name)));
    const { groups } = readJson<{ groups: { strategy: string; measures: Record<string, { mean: number | null }> }[] }>(
      runs[0],
      "metrics.json",
    );
    for (const { strategy, measures } of groups) {
      expect([strategy, (measures["siteRecall"]?.mean ?? null) !== null]).toEqual([
        strategy,
        reaching.includes(strategy),
      ]);
      expect([strategy, (measures["requests"]?.mean ?? 0) > 0]).toEqual([strategy, reaching.includes(strategy)]);
    }
    const oracle = groups.find(({ strategy }) => strategy === "oracle-sites")?.measures;
    expect(oracle?.["sitePrecision"]?.mean).toBe(1);
    expect(oracle?.["lossNotReturned"]?.mean).toBe(0);
  });

  it("meets sites that are down, and none that were removed before its query came", () => {
    const arrivedMs = new Map(factsOf(plain, "query.arrived").map(({ query, t }) => [query, t]));
    for (const { query, site } of factsOf(plain, "site.contacted")) {
      if (site === "almanac.example") expect(arrivedMs.get(query)).toBeLessThan(300_000);
    }
    const outcomes = factsOf(plain, "site.answered").filter(({ site }) => site === "birds.example");
    expect(outcomes.length).toBeGreaterThan(0);
    expect(outcomes.every(({ outcome }) => outcome === "down")).toBe(true);
    for (const { documents, sites } of factsOf(plain, "search.answered")) {
      if (sites !== undefined) expect(sites).toHaveLength(documents.length);
    }
  });

  it("popular-sites asks the most popular of those listed, ties by id", () => {
    // All of this web's sites are equally popular.
    expect(new Set(contactsOf("popular-sites"))).toEqual(
      new Set(["almanac.example", "birds.example", "garden.example"]),
    );
  });
});

describe("The manifest's scenario", () => {
  it("shows what the protocol came to", () => {
    const text = readFileSync(join(runs[1], "inputs/scenario.yaml"), "utf8");
    for (const line of ["protocol: agentwebbench-released", "format-retries: 4", "show-url: true", "answer-ids: any"]) {
      expect(text).toContain(line);
    }
  });
});
