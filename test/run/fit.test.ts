import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { loadProfile } from "../../src/models/surrogate/profile.ts";
import { packageRoot } from "../../src/package-root.ts";
import type { ProfileFit } from "../../src/run/fit/estimate.ts";
import type { PageEvidence, ReadingEvidence } from "../../src/run/fit/evidence.ts";
import { fitReading, type ReadingParameters } from "../../src/run/fit/reading-model.ts";
import { uniform } from "../metrics/uniform.ts";
import { command } from "../support/cli.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const profile = join(web.folder, "known.yaml");
const run = join(web.folder, "run");
const out = join(web.folder, "fitted.yaml");

/** What the recorded model is known to do; the rest is as in the profile of a small model. */
const known: Readonly<Record<string, number>> = {
  "user-agent.choice-of-sites.match-weight": 3,
  "user-agent.choice-of-sites.broad-weight": 0,
  "user-agent.sites-per-search.mean": 2,
  "user-agent.rewrites-query": 0.4,
  "user-agent.new-text": 0.5,
  "user-agent.asks-again": 0.3,
  "user-agent.malformed.rate": 0.1,
  "content-agent.malformed.rate": 0.05,
};

beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  const text = readFileSync(join(packageRoot, "src/models/surrogate/profiles/qwen3-4b.yaml"), "utf8");
  const document = parseDocument(text);
  for (const [key, value] of Object.entries(known)) document.setIn(key.split("."), value);
  document.setIn(["user-agent", "choice-of-sites", "temperature"], 1);
  document.setIn(["user-agent", "persistence"], { satisfied: 0.5, unsatisfied: 0.8 });
  document.setIn(["user-agent", "sites-per-search", "most"], 3);
  writeFileSync(profile, document.toString());
  const scenario = web.scenario("recorded", {
    until: "10h",
    population: "{ users: 20, arrivals: { process: poisson, rate: 60/h }, tasks: { web-search: 1 } }",
    assistants: `[{ strategy: multi-agent, model: "surrogate/${profile}" }, { strategy: classic-ir }]`,
  });
  await command(
    "run",
    scenario,
    "--no-view",
    "--out",
    run,
    "--set",
    "assistants[0].share=9",
    "--set",
    "assistants[1].share=1",
  );
});

describe("a profile fitted to a recorded run", () => {
  test("recovers the parameters that the run was made with", async () => {
    const { code, stdout, stderr } = await command("fit", run, "--out", out, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { keys, heldOut } = JSON.parse(stdout) as ProfileFit;
    for (const [key, value] of Object.entries(known)) {
      const estimate = keys.find((each) => each.key === key);
      if (key.endsWith("broad-weight")) continue; // never below 0: its error is one-sided
      const off = Math.abs((estimate?.value as number) - value) / (estimate?.standardError as number);
      expect(off, `${key}: ${estimate?.value} for ${value}`).toBeLessThan(3.3); // 1 in 1,000 for each
    }
    const sites = heldOut.find(({ decision }) => decision === "a site to ask");
    expect(sites?.n).toBeGreaterThan(100);
    expect(sites?.fitted as number).toBeLessThan(sites?.baselines["uniform"] as number);
    expect(sites?.fitted as number).toBeLessThan(sites?.baselines["popularity"] as number);
  });

  test("loads, says what it is, and runs", async () => {
    const { thinking, notThinking } = loadProfile(out);
    expect(notThinking).toEqual({ ...thinking, "without-thinking": {} });
    expect(readFileSync(out, "utf8")).toMatch(/^# Estimated from what surrogate\/.* did in \d+ queries/);
    const again = await command(
      "run",
      web.scenario("again", { assistants: `[{ strategy: multi-agent, model: "surrogate/${out}" }]` }),
      "--no-view",
      "--out",
      join(web.folder, "again"),
    );
    expect(again.code).toBe(0);
  });

  test.each([
    { args: () => [run, "--out", out], says: "already" },
    { args: () => [run, "--out", "profile.json"], says: ".yaml" },
    { args: () => [run, "--out", "new.yaml", "--model", "surrogate/other"], says: "expected one model" },
    { args: () => [web.folder, "--out", "new.yaml"], says: "no manifest.json" },
  ])("bad input is told in one line: $says", async ({ args, says }) => {
    const { code, stderr } = await command("fit", ...args());
    expect(code).toBe(2);
    expect(stderr).toContain(says);
    expect(existsSync("new.yaml")).toBe(false);
  });
});

describe("how an agent reads", () => {
  const truth: ReadingParameters = {
    noise: 0.08,
    trustInOrder: 0.2,
    worthAtLeast: 0.35,
    satisfiedAt: 0.7,
    persistenceSatisfied: 0.2,
    persistenceUnsatisfied: 0.7,
  };
  const most = 4;

  /** Decisions made by the surrogate's rules, on pages that match more or less. */
  function simulated(seed: number, count: number, role: "user-agent" | "content-agent"): ReadingEvidence[] {
    const draw = uniform(seed);
    const chance = (): number => Math.min(1 - 1e-12, Math.max(1e-12, draw()));
    return Array.from({ length: count }, () => {
      const pages = Array.from({ length: 1 + Math.floor(6 * draw()) }, (_, index) => {
        const match = draw();
        const order = 1 / (1 + (index % 3));
        const u = chance();
        return { match, order, worth: match + truth.trustInOrder * order + truth.noise * Math.log(u / (1 - u)) };
      });
      const best = Math.max(...pages.map(({ worth }) => worth));
      const searchedOn =
        draw() < (best >= truth.satisfiedAt ? truth.persistenceSatisfied : truth.persistenceUnsatisfied);
      const kept = pages
        .toSorted((a, b) => b.worth - a.worth)
        .slice(0, most)
        .filter(({ worth }, index) => worth >= truth.worthAtLeast || (role === "user-agent" && index === 0));
      return {
        searches: 1,
        searchedOn,
        namesPages: !searchedOn,
        pages: pages.map((page): PageEvidence => ({ ...page, isHandedOver: !searchedOn && kept.includes(page) })),
      };
    });
  }

  const { thinking: start } = loadProfile("qwen3-4b");

  test.each(["user-agent", "content-agent"] as const)("is recovered from what a %s did, errors included", (role) => {
    const names = Object.keys(truth) as (keyof ReadingParameters)[];
    let covered = 0;
    const trials = 6;
    for (let trial = 0; trial < trials; trial++) {
      const evidence = simulated(500 + trial, 500, role);
      const { parameters, standardErrors } = fitReading(evidence, start[role], { role, most });
      for (const name of names) {
        if (Math.abs(parameters[name] - truth[name]) < 1.96 * (standardErrors[name] as number)) covered++;
      }
    }
    // 36 intervals at 95 %, those of one fit not independent. Over 24 fits of each kind 94 to 99 % cover.
    expect(covered).toBeGreaterThanOrEqual(31);
  });
});
