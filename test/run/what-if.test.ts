import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { command } from "../support/cli.ts";
import { readCsv, readJson } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const inWeb = (name: string) => join(web.folder, name);
const site = "almanac.example";

interface Json {
  replications: number;
  change: { removed: string[]; sites: string[]; text: string };
  baseline: { traceSha256: string };
  variant: { traceSha256: string };
  diversion: { to: { site: string; observed: number; proportional: number }[]; unserved: number } | null;
  queries: { paired: number; identical: number; neverMet: number; neverMetDiffering: number; changed: string[] };
  sites: { site: string; measure: string; baselineShare: number; variantShare: number }[];
  tapeCoverage: number | null;
  counterfactual: {
    kept: number;
    audited: number;
    violated: number;
    high: number;
    effects: { site: string; assumed: number; corrected: number }[];
  } | null;
  notices: string[];
}

async function whatIf(out: string, ...args: string[]): Promise<{ json: Json; stdout: string }> {
  const end = await command("what-if", ...args, "--out", inWeb(out));
  expect(end.code, end.stderr).toBe(0);
  return { json: readJson<Json>(inWeb(out), "comparison.json"), stdout: end.stdout };
}

let hour: string;
const kinds = ["outage", "block", "remove"] as const;
const answers: Record<string, { json: Json; stdout: string }> = {};
beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  hour = web.scenario("hour", {
    population: "{ users: 5, arrivals: { process: poisson, rate: 120/h }, tasks: { web-search: 1 } }",
    interventions: `[{ at: 10m, outage: [${site}, stars.example], for: 5m }]`,
  });
  for (const kind of kinds) {
    answers[kind] = await whatIf(kind, hour, `--${kind}`, site, "--replications", kind === "block" ? "2" : "1");
  }
}, 120_000);
const answerOf = (kind: string) => answers[kind] as { json: Json; stdout: string };

describe("With unlimited capacity, a query that never met the changed site", () => {
  it.each(["outage", "block"])("is identical in both runs, since the list of sites stays: %s", (kind) => {
    const { json, stdout } = answerOf(kind);
    const { paired, identical, neverMet, neverMetDiffering } = json.queries;
    expect(neverMet).toBeGreaterThan(paired / 3);
    expect(neverMet).toBeLessThan(paired);
    expect(neverMetDiffering).toBe(0);
    expect(identical).toBeGreaterThanOrEqual(neverMet);
    expect(identical).toBeLessThan(paired);
    expect(stdout.split("\n")[2]).toMatch(/^With almanac\.example .*\[.*\].*\.$/);
  });

  it("can differ where the site is removed, since every prompt lists one site less, and is counted", () => {
    const { paired, identical, neverMet, neverMetDiffering } = answerOf("remove").json.queries;
    expect(neverMet).toBeGreaterThan(paired / 3);
    expect(identical).toBeGreaterThanOrEqual(neverMet - neverMetDiffering);
    expect(neverMetDiffering).toBeLessThan(neverMet / 10);
  });
});

describe("With a capacity, one that never met it", () => {
  it("can differ, by the queue of another site, and is counted", async () => {
    const { json } = await whatIf(
      "queues",
      web.scenario("queues", {
        population: "{ users: 5, arrivals: { process: poisson, rate: 2000/h }, tasks: { web-search: 1 } }",
        until: "6m",
        sites: "{ default: { capacity: 1 } }",
      }),
      "--outage",
      site,
      "--replications",
      "1",
    );
    expect(json.queries.neverMetDiffering).toBeGreaterThan(0);
  });
});

describe("What-if", () => {
  it("over replications has its files, and numbers that add up", () => {
    const { json } = answerOf("block");
    expect(json.replications).toBe(2);
    expect(json.change).toMatchObject({ removed: [site], sites: [site], text: `${site} blocking agents` });
    const { to = [], unserved = 0 } = json.diversion ?? {};
    expect(to.reduce((sum, each) => sum + each.observed, unserved)).toBeCloseTo(1, 9);
    expect(to.reduce((sum, each) => sum + each.proportional, 0)).toBeCloseTo(1, 9);
    expect(json.queries.changed.every((id) => /^r[01]\/q\d{6}$/.test(id))).toBe(true);
    expect(readCsv(inWeb("block"), "changed-queries.csv")).toHaveLength(json.queries.changed.length);
    expect(readCsv(inWeb("block"), "shares.csv")).toHaveLength(json.sites.length);
    expect(readdirSync(inWeb("block")).toSorted()).toEqual([
      "baseline",
      "changed-queries.csv",
      "comparison.json",
      "comparison.md",
      "diversion.csv",
      "scenarios",
      "shares.csv",
      "variant",
    ]);
  });

  it("of a site that is removed leaves out the scenario's interventions on it, and says so", () => {
    const { json } = answerOf("remove");
    expect(json.notices[0]).toBe(
      `The scenario's outage of ${site} at 10m is left out of the variant: the site is removed.`,
    );
    expect(json.sites.find((row) => row.site === site && row.measure === "contacts")).toMatchObject({
      variantShare: 0,
    });
  });

  it("without any change compares a scenario with itself without its interventions", async () => {
    const { json } = await whatIf("own", hour, "--replications", "1");
    expect(json.change.removed).toEqual([site, "stars.example"]);
  });

  it("of a recorded run takes the answers to unchanged requests from its tape", async () => {
    const end = await command("run", hour, "--no-view", "--out", inWeb("recorded"));
    expect(end.code, end.stderr).toBe(0);
    const { json } = await whatIf("from", "--from", inWeb("recorded"), "--outage", site);
    expect(json.tapeCoverage).toBeGreaterThan(0.5);
    expect(json.tapeCoverage).toBeLessThan(1);
    expect(existsSync(inWeb("from/baseline"))).toBe(false);
    const again = await whatIf("fresh", hour, "--outage", site, "--replications", "1");
    expect(json.variant.traceSha256).toBe(again.json.variant.traceSha256);
    const compared = await command(
      "compare",
      inWeb("fresh/baseline"),
      inWeb("fresh/variant"),
      "--out",
      inWeb("compared"),
    );
    expect(compared.code, compared.stderr).toBe(0);
    const { queries, diversion } = readJson<Json>(inWeb("compared"), "comparison.json");
    expect({ queries, diversion }).toEqual({ queries: json.queries, diversion: json.diversion });
  });
});

describe("Menu independence", () => {
  it("keeps answers of queries that never met the removed site, and asks some of them again", async () => {
    const { json } = await assumed("assumed", 5);
    expect(json.tapeCoverage).toBeGreaterThan(0.5);
    expect(json.counterfactual).toMatchObject({ assumption: "menu-independence", audited: 5 });
    expect(json.counterfactual?.high).toBeGreaterThan(0.2);
    expect(json.counterfactual?.kept).toBeGreaterThanOrEqual(json.queries.neverMet);
    expect(json.counterfactual?.effects).toHaveLength(7);
  });

  it("is found out by auditing all of them: corrected, the effect is that of a fresh run", async () => {
    const few = readJson<Json>(inWeb("assumed"), "comparison.json");
    const kept = few.counterfactual?.kept as number;
    const { json } = await assumed("audited", kept);
    const fresh = answerOf("remove").json;
    expect(json.counterfactual).toMatchObject({ kept, audited: kept });
    expect(json.variant.traceSha256).toBe(fresh.variant.traceSha256);
    expect(json.queries).toEqual(fresh.queries);
    // What was assumed of the audited queries and did not hold is the whole difference to the fresh run.
    const { violated = 0, effects = [] } = json.counterfactual ?? {};
    expect(fresh.queries.identical).toBeGreaterThanOrEqual(kept - violated - fresh.queries.neverMetDiffering);
    for (const { site: each, corrected } of effects) {
      const row = fresh.sites.find((other) => other.site === each && other.measure === "citations");
      expect(corrected).toBeCloseTo((row?.variantShare ?? 0) - (row?.baselineShare ?? 0), 9);
    }
    const off = effects.some(({ assumed: believed, corrected }) => Math.abs(believed - corrected) > 1e-9);
    if (violated === 0) expect(off).toBe(false);
  });

  const assumed = (out: string, audit: number) =>
    whatIf(
      out,
      "--from",
      inWeb("recorded"),
      "--remove",
      site,
      "--assume",
      "menu-independence",
      "--audit",
      String(audit),
    );
});

describe("A what-if that cannot be", () => {
  it.each([
    [["--block", "almanak.example"], '--block: unknown site "almanak.example"; did you mean "almanac.example"?'],
    [["--set", "population.users=0"], "--set population.users=0: expected an integer of at least 1, got 0"],
    [["--add", "nowhere.yaml"], "nowhere.yaml: there is no such file"],
    [["--block", site, "--assume", "menu-independence"], "--assume: needs a recorded run; give --from"],
    [["--block", site, "--audit", "3"], "--audit: has no meaning without --assume menu-independence"],
  ])("%j: one line says why, and nothing is left", async (args, message) => {
    const end = await command("what-if", hour, ...args, "--out", inWeb("bad"));
    expect(end.code).toBe(2);
    expect(end.stderr.trim().split("\n").at(-1)).toContain(message);
    expect(existsSync(inWeb("bad"))).toBe(false);
  });

  it("runs of other seeds are not compared", async () => {
    for (const seed of ["3", "4"]) {
      await command("run", hour, "--seed", seed, "--until", "5m", "--no-view", "--out", inWeb(`seed-${seed}`));
    }
    const end = await command("compare", inWeb("seed-3"), inWeb("seed-4"));
    expect(end.code).toBe(2);
    expect(end.stderr).toContain("manifest.json: seed: expected a run of seed 3, as the baseline has, got 4");
  });
});
