import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { command } from "../support/cli.ts";
import { factsOf, readTrace, traceHash } from "../support/run-files.ts";
import { siteIds, smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const inWeb = (name: string) => join(web.folder, name);
const page = (id: string, site = "newcomer.example") => ({
  id,
  site,
  url: `https://${site}/${id}`,
  title: "Everything",
  text: "Night trains, leap years, hay fever, owl calls and pruning apple trees: what to know about all of them.",
});

function writeSite(name: string, site: unknown, documents: readonly unknown[]): void {
  writeFileSync(inWeb(`${name}.yaml`), JSON.stringify({ site, documents: `${name}.jsonl` }));
  writeFileSync(inWeb(`${name}.jsonl`), documents.map((each) => `${JSON.stringify(each)}\n`).join(""));
}

const newcomer = {
  id: "newcomer.example",
  name: "Newcomer",
  description: "Night trains, leap years, owl calls, hay fever.",
};
const assistants = "[{ strategy: multi-agent }, { strategy: classic-ir }]";
const scenario = (name: string, interventions: string) => web.scenario(name, { interventions, assistants });

async function run(file: string, out: string): Promise<string> {
  const end = await command("run", file, "--no-view", "--out", inWeb(out));
  expect(end.code, end.stderr).toBe(0);
  return inWeb(out);
}

let added: string;
let without: string;
beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  writeSite("newcomer", newcomer, [page("new-1"), page("new-2")]);
  without = await run(scenario("without", "[]"), "without");
  added = await run(scenario("with", "[{ at: 20m, add: newcomer.yaml }]"), "added");
});

const listedMs = 20 * 60_000;

describe("A site that is added", () => {
  it("gets traffic from its time on, and none before", () => {
    const trace = readTrace(added);
    expect(factsOf(trace, "site.changed")).toMatchObject([{ t: listedMs, site: "newcomer.example", change: "added" }]);
    const contacts = factsOf(trace, "site.contacted").filter(({ site }) => site === "newcomer.example");
    const found = factsOf(trace, "search.answered").filter(({ sites }) => sites?.includes("newcomer.example"));
    expect(contacts.length).toBeGreaterThan(0);
    expect(found.length).toBeGreaterThan(0);
    expect([...contacts, ...found].every(({ t }) => t >= listedMs)).toBe(true);
  });

  it("changes nothing before its time", () => {
    const before = (directory: string) =>
      readTrace(directory).facts.filter(({ t, type }) => t < listedMs && type !== "window.closed");
    expect(before(added)).toEqual(before(without));
  });

  it("is part of the run's inputs: the run replays, and runs again from them", async () => {
    const again = await run(join(added, "inputs", "scenario.yaml"), "again");
    expect(traceHash(again)).toBe(traceHash(added));
    expect(readFileSync(join(again, "inputs", "added", "newcomer.example.jsonl"), "utf8")).toContain("new-2");
    const replay = await command("replay", added);
    expect(replay.code, replay.stderr).toBe(0);
  });
});

/** Whom the accounts of each 20 minutes of the hour make leave: a citation earns 1, a request costs 2, below -1 is out. */
function leavers({ facts }: ReturnType<typeof readTrace>): { t: number; site: string }[] {
  const left: { t: number; site: string }[] = [];
  for (const closing of [1, 2, 3].map((n) => n * listedMs)) {
    const booked = facts.filter(({ t }) => t > closing - listedMs && t <= closing);
    for (const site of [...siteIds, newcomer.id].filter((id) => !left.some((gone) => gone.site === id))) {
      const count = (type: string) =>
        booked.filter((fact) => fact.type === type && "site" in fact && fact.site === site).length;
      if (count("citation.made") - 2 * count("site.contacted") < -1) left.push({ t: closing, site });
    }
  }
  return left;
}

describe("An entrant", () => {
  it("takes the place of a site that leaves, with its pages", async () => {
    const economy =
      "{ every: 20m, revenue-per-citation: 1, cost-per-request: 2, exit-below: -1, entrants: [newcomer.yaml] }";
    const file = web.scenario("market", { assistants, sites: `{ economy: ${economy} }` });
    const directory = await run(file, "market");
    const trace = readTrace(directory);
    const changed = factsOf(trace, "site.changed").map(({ t, site, change }) => ({ t, site, change }));
    const first = changed[0] as (typeof changed)[number];
    expect(first).toMatchObject({ site: leavers(trace)[0]?.site, t: leavers(trace)[0]?.t, change: "left" });
    expect(changed[1]).toEqual({ t: first.t, site: "newcomer.example", change: "entered" });
    expect(changed.slice(2).every(({ change }) => change === "left")).toBe(true);
    const left = changed.filter(({ change }) => change === "left").map(({ t, site }) => ({ t, site }));
    expect(left).toEqual(leavers(trace));
    const contacts = factsOf(trace, "site.contacted").filter(({ site }) => site === "newcomer.example");
    expect(contacts.length).toBeGreaterThan(0);
    expect(readFileSync(join(directory, "report.md"), "utf8")).toContain("is assumed");
    const replay = await command("replay", directory);
    expect(replay.code, replay.stderr).toBe(0);
  });
});

describe("A site that cannot be added", () => {
  it.each([
    [
      "garden",
      { ...newcomer, id: "garden.example" },
      [page("new-1", "garden.example")],
      "has the site garden.example already",
    ],
    ["taken", newcomer, [page("garden-0")], 'has a page with the id "garden-0" already'],
    ["other", newcomer, [page("new-1", "other.example")], "other.jsonl:1: site: expected a page of newcomer.example"],
    ["empty", newcomer, [], "holds no page"],
    ["nameless", { id: "newcomer.example" }, [page("new-1")], "nameless.yaml: site.name"],
  ])("%s: one line says why", async (name, site, documents, message) => {
    writeSite(name, site, documents);
    const end = await command("run", scenario(`add-${name}`, `[{ at: 1m, add: ${name}.yaml }]`), "--no-view");
    expect(end.code).toBe(2);
    expect(end.stderr.trim().split("\n").at(-1)).toContain(message);
  });

  it("a topic that nobody has", async () => {
    const file = scenario("topic", "[{ at: 1m, topic-shock: { topics: [t-garden-00], share: 1 }, for: 5m }]");
    const end = await command("run", file, "--no-view");
    expect(end.code).toBe(2);
    expect(end.stderr).toContain('interventions[0].topic-shock.topics: unknown topic "t-garden-00"; did you mean');
  });
});
