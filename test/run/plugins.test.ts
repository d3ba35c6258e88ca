import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { loadScenario } from "../../src/scenario/load.ts";
import { command } from "../support/cli.ts";
import { factsOf, filesBelow, readJson, readTrace } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const own = join(web.folder, "own");
const run = join(web.folder, "run");

/** Searches the two sites that come first in the alphabet; types and another file of its own are part of it. */
const source = `
import type { ModelStrategy, SearchContext } from "awesim";
import { howMany } from "./how-many.ts";

const firstSites = ({ sites }: SearchContext): string[] => sites.map(({ id }) => id).sort().slice(0, howMany);

const strategy: ModelStrategy = {
  name: "first-sites",
  usesModel: true,
  reaches: "sites",
  menu: "central",
  readSearch: (payload, context) =>
    payload === "" ? null : { through: "site-search", query: payload, sites: firstSites(context) },
};
export default strategy;
`;

function scenario(name: string, plugin: string): string {
  return web.scenario(name, {
    until: "20m",
    plugins: `[${plugin}]`,
    assistants: "[{ strategy: first-sites, model: surrogate/qwen3-4b }]",
  });
}

function plugin(name: string, text: string): string {
  writeFileSync(join(own, name), text);
  return `./own/${name}`;
}

beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  mkdirSync(own);
  writeFileSync(join(own, "how-many.ts"), "export const howMany: number = 2;\n");
  const end = await command("run", scenario("own", plugin("first.ts", source)), "--no-view", "--out", run);
  expect(end.code, end.stderr).toBe(0);
});

describe("A strategy from a plugin", () => {
  it("runs, and the run holds its code and the hash of it", () => {
    const contacts = factsOf(readTrace(run), "site.contacted");
    expect(new Set(contacts.map(({ site }) => site))).toEqual(new Set(["almanac.example", "birds.example"]));
    expect(filesBelow(run)).toContain("inputs/plugins/first.cjs");
    expect(readFileSync(join(run, "inputs/plugins/first.cjs"), "utf8")).toContain("howMany = 2");
    const loaded = loadScenario(join(run, "inputs/scenario.yaml"));
    expect(readJson(run, "manifest.json")["plugins"]).toEqual(loaded.scenario.plugins);
    expect(loaded.sha256).toBe(readJson(run, "manifest.json")["scenarioSha256"]);
  });

  it("has another hash when another file that it imports changes, wherever it lies", () => {
    const there = join(web.folder, "elsewhere");
    cpSync(own, there, { recursive: true });
    const hashOf = (path: string) => loadScenario(scenario("hash", path)).scenario.plugins[0]?.sha256;
    expect(hashOf("./elsewhere/first.ts")).toBe(hashOf("./own/first.ts"));
    writeFileSync(join(there, "how-many.ts"), "export const howMany = 3;\n");
    expect(hashOf("./elsewhere/first.ts")).not.toBe(hashOf("./own/first.ts"));
  });

  it("replays from the run's directory alone", async () => {
    const there = join(web.folder, "moved");
    cpSync(run, there, { recursive: true });
    rmSync(own, { recursive: true });
    const end = await command("replay", there);
    mkdirSync(own);
    expect(end).toMatchObject({ code: 0 });
    expect(end.stdout).toContain("byte-identical");
  });

  it("is told to be another when its code among the inputs was changed", async () => {
    const there = join(web.folder, "changed");
    cpSync(run, there, { recursive: true });
    const file = join(there, "inputs/plugins/first.cjs");
    writeFileSync(file, readFileSync(file, "utf8").replace("howMany = 2", "howMany = 3"));
    const end = await command("replay", there);
    expect(end.code).toBe(2);
    expect(end.stderr).toContain("first.cjs: is not the plugin that the run was made with");
  });
});

describe("A plugin that cannot be used is told in one line", () => {
  const fields = 'name: "first-sites", usesModel: true, reaches: "sites", menu: "central"';
  it.each<[string, string, RegExp]>([
    ["no strategy", "export default 3;", /bad\.cjs: expected a strategy as the default export/],
    ["nothing exported", "const a = 1;", /expected a strategy as the default export/],
    ["a missing function", `export default { ${fields} };`, /readSearch: expected a function/],
    ["a wrong value", `export default { ${fields.replace("central", "list")}, readSearch() {} };`, /menu: /],
    [
      "a name of awesim's",
      `export default { ${fields.replace("first-sites", "tool-e")}, readSearch() {} };`,
      /tool-e is the name/,
    ],
    ["code that is none", "export default {", /bad\.ts:1.*cannot be loaded: /],
    ["a file that is not there", 'import "./none.ts";', /bad\.ts:1.*cannot be loaded: .*none\.ts/],
    ["values of awesim", 'import { Kernel } from "awesim"; new Kernel();', /cannot import awesim: .* types only/],
    ["an error of its own", 'throw new Error("not today");', /bad\.cjs: not today/],
  ])("%s", async (_, text, message) => {
    const file = scenario("bad", plugin("bad.ts", text));
    const end = await command("run", file, "--no-view", "--out", join(web.folder, "bad"));
    expect(end.code).toBe(2);
    expect(end.stderr.trim().split("\n")).toHaveLength(1);
    expect(end.stderr).toMatch(message);
  });

  it("a path that leads nowhere, two of one name, and a strategy that no plugin has", async () => {
    expect(() => loadScenario(scenario("none", "./own/none.ts"))).toThrow(/none\.ts is not there/);
    const [one, other] = [plugin("one.ts", source.replace("./how", "../how")), "./own/one.js"];
    writeFileSync(join(own, "one.js"), "export default [];");
    writeFileSync(join(web.folder, "how-many.ts"), "export const howMany = 1;");
    expect(() => loadScenario(scenario("twice", `${one}, ${other}`))).toThrow(/two plugins have the same file name/);
    const end = await command("run", scenario("unnamed", other), "--no-view", "--out", join(web.folder, "bad"));
    expect(end.stderr).toMatch(/expected a strategy \(classic-ir, .*\), got "first-sites"/);
  });
});
