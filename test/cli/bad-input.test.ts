import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { command, commandProcess } from "../support/cli.ts";
import { filesBelow } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const out = join(web.folder, "out");
let good: string;

beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  good = web.scenario("good", { until: "5m" });
  // The cache is there, so that whatever is left behind shows.
  const end = await command("run", good, "--no-view", "--out", join(web.folder, "made"));
  expect(end.code, end.stderr).toBe(0);
});

/** A command that must fail for its input: one line, exit 2, nothing left behind. Returns the line. */
async function refused(...args: string[]): Promise<string> {
  const before = listing();
  const { code, stdout, stderr } = await command(...args);
  expect(stderr.trimEnd().split("\n"), stderr).toHaveLength(1);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(listing()).toEqual(before);
  return stderr.trimEnd();
}

function listing(): string[] {
  return [...filesBelow(web.folder), ...readdirSync(web.folder), ...readdirSync(packageRoot)];
}

function run(scenario: string, ...options: string[]): Promise<string> {
  return refused("run", scenario, "--no-view", "--out", out, ...options);
}

/** The small web's corpus with one file's text changed; returns a scenario that uses it. */
function withCorpus(name: string, file: string, change: (text: string) => string): { scenario: string; file: string } {
  const corpus = join(web.folder, `${name}-corpus`);
  cpSync(web.corpus, corpus, { recursive: true });
  writeFileSync(join(corpus, file), change(readFileSync(join(corpus, file), "utf8")));
  return { scenario: web.scenario(name, { corpus }), file: join(corpus, file) };
}

describe("A scenario that cannot be used is refused", () => {
  it("when it is not there", async () => {
    expect(await run(join(web.folder, "none.yaml"))).toContain(join(web.folder, "none.yaml"));
  });

  it("when it is no YAML, with the line", async () => {
    const file = join(web.folder, "broken.yaml");
    writeFileSync(file, "name: broken\nassistants: [\n  {\n");
    expect(await run(file)).toMatch(/broken\.yaml:\d+: /);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ["an unknown key", { populaton: "{ users: 3 }" }, /populaton/],
    ["an unknown strategy", { assistants: "[{ strategy: multi-agnt }]" }, /multi-agnt/],
    ["an unknown kind of model", { assistants: "[{ strategy: multi-agent, model: elsewhere/x }]" }, /elsewhere\/x/],
    ["an unknown profile", { assistants: "[{ strategy: multi-agent, model: surrogate/gpt-9 }]" }, /gpt-9/],
    ["an unknown corpus", { corpus: "nowhere" }, /nowhere/],
    ["an unknown embedder", { retrieval: "{ embedder: hashin }" }, /hashin/],
    ["a negative duration", { until: "-1h" }, /until/],
    ["a duration without a unit", { until: "90" }, /until/],
    ["a rate of zero", { population: "{ arrivals: { process: poisson, rate: 0/h } }" }, /rate/],
    ["no end", { until: "null" }, /until/],
    [
      "a task without topics",
      { population: "{ arrivals: { process: poisson, rate: 9/h }, tasks: { deep-research: 1 } }" },
      /deep-research/,
    ],
    [
      "an unknown site in an intervention",
      { interventions: "[{ at: 1m, outage: gardn.example, for: 1m }]" },
      /gardn\.example/,
    ],
    ["an unknown site among the sites", { sites: "{ gardn.example: { capacity: 1 } }" }, /gardn\.example/],
    [
      "an intervention after the end",
      { interventions: "[{ at: 9h, remove: garden.example }]" },
      /interventions\[0\].at/,
    ],
  ])("for %s, with file and field", async (name, lines, expected) => {
    const file = web.scenario(name.replaceAll(/[^a-z]/g, "-"), lines);
    const line = await run(file);
    expect(line).toMatch(expected);
    expect(line).toContain(file);
  });

  it.each<[string, string[], RegExp]>([
    ["a seed that is none", ["--seed", "seven"], /--seed seven/],
    ["a time that is none", ["--until", "soon"], /--until soon/],
    ["a setting without a value", ["--set", "population.users"], /--set population\.users/],
    ["a setting of the wrong kind", ["--set", "population.users=many"], /population\.users=many/],
    ["a setting that is none", ["--set", "population.user=3"], /population\.user/],
    ["a model that is none", ["--model", "surrogate/none"], /none/],
    ["a strategy that is none", ["--strategy", "none"], /none/],
    ["prompts that are not there", ["--prompts", "/nowhere/prompts"], /\/nowhere\/prompts/],
    ["a level that is none", ["--trace", "loud"], /loud/],
  ])("for an option: %s", async (_, options, expected) => {
    expect(await run(good, ...options)).toMatch(expected);
  });
});

describe("A corpus that cannot be used is refused", () => {
  it.each<[string, string, (text: string) => string, RegExp]>([
    [
      "a line without JSON in it",
      "documents.jsonl",
      (text) => text.replace('{"id":"garden-1"', '{"id":garden-1"'),
      /documents\.jsonl:2: /,
    ],
    [
      "a document of no known site",
      "documents.jsonl",
      (text) => text.replace('"site":"garden', '"site":"gardn'),
      /documents\.jsonl:1: /,
    ],
    [
      "a document without text",
      "documents.jsonl",
      (text) => text.replace('"text"', '"txt"'),
      /documents\.jsonl:1: .*text/,
    ],
    [
      "two documents of one id",
      "documents.jsonl",
      (text) => text.replace('"id":"garden-1"', '"id":"garden-0"'),
      /documents\.jsonl:2: /,
    ],
    [
      "a site without a name",
      "sites.jsonl",
      (text) => text.replace('"name":"garden"', '"name":""'),
      /sites\.jsonl:1: .*name/,
    ],
    [
      "a topic of grade 4",
      "tasks/web-search.jsonl",
      (text) => text.replace('{"garden-0":1}', '{"garden-0":4}'),
      /web-search\.jsonl:1: /,
    ],
    ["a head without a version", "corpus.yaml", (text) => text.replace("version", "vrsion"), /corpus\.yaml.*version/],
  ])("for %s, with file and line", async (name, file, change, expected) => {
    const made = withCorpus(name.replaceAll(/[^a-z0-9]+/g, "-"), file, change);
    const line = await run(made.scenario);
    expect(line).toMatch(expected);
    expect(line).toContain(made.file);
  });

  it("for having no topic all of whose documents are there", async () => {
    const { scenario } = withCorpus("uncovered", "tasks/web-search.jsonl", (text) =>
      text.replaceAll(/"relevant":\{"/g, '"relevant":{"gone-'),
    );
    expect(await run(scenario)).toMatch(/web-search/);
  });
});

describe("Directories", () => {
  it("for --out that exist are refused, even empty ones", async () => {
    const taken = join(web.folder, "taken");
    mkdirSync(taken);
    expect(await refused("run", good, "--no-view", "--out", taken)).toContain(taken);
    expect(await refused("replay", join(web.folder, "made"), "--out", taken)).toContain(taken);
  });

  it("for --out below a file are refused", async () => {
    expect(await refused("run", good, "--no-view", "--out", join(good, "run"))).toContain(good);
  });

  it("for other results are refused below a file too, before anything is made", async () => {
    const below = join(good, "x");
    const made = join(web.folder, "made");
    for (const args of [
      ["new", "strategy", "mine", "--out", below],
      ["fit", made, "--model", "surrogate/qwen3-4b", "--out", join(below, "profile.yaml")],
      ["compare", made, made, "--out", below],
      ["what-if", good, "--remove", "garden.example", "--out", below],
      ["bench", "--corpus", web.corpus, "--out", below],
      ["corpus", "generate", "--out", below],
      ["report", made, "--charts", below],
    ]) {
      expect(await refused(...args), args.join(" ")).toContain(good);
    }
  });

  it("are not made for a comparison of no runs", async () => {
    const wish = ["--remove", "garden.example", "--replications", "0", "--out", out];
    expect(await refused("what-if", good, ...wish)).toMatch(/^awesim: --replications: /);
  });

  it("that are no runs cannot be replayed", async () => {
    expect(await refused("replay", web.corpus)).toMatch(/manifest\.json/);
    expect(await refused("replay", join(web.folder, "none"))).toContain("none");
  });

  it("of runs that did not complete cannot be replayed", async () => {
    const copy = join(web.folder, "interrupted");
    cpSync(join(web.folder, "made"), copy, { recursive: true });
    const manifest = join(copy, "manifest.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"completed"', '"interrupted: stopped"'));
    expect(await refused("replay", copy)).toMatch(/interrupted: stopped/);
    const { models: _, ...rest } = JSON.parse(readFileSync(manifest, "utf8"));
    writeFileSync(manifest, JSON.stringify(rest));
    expect(await refused("replay", copy)).toContain(`${manifest}: models`);
    writeFileSync(manifest, "{");
    expect(await refused("replay", copy)).toContain(manifest);
  });
});

describe("A damaged cache", () => {
  it("is never taken for a good one: it is named, or made anew, and the trace is the same", async () => {
    const trace = (of: string) => readFileSync(join(web.folder, of, "trace.jsonl"), "utf8");
    const files = filesBelow(web.cache).filter((name) => !/-(wal|shm)$/.test(name));
    expect(files.length).toBeGreaterThan(2);
    for (const [index, name] of files.entries()) {
      const file = join(web.cache, name);
      const bytes = readFileSync(file);
      const damaged = Buffer.from(bytes);
      damaged.fill(0x5a, damaged.length >> 1);
      writeFileSync(file, damaged);
      const end = await command("run", good, "--no-view", "--out", join(web.folder, `damaged-${index}`));
      if (end.code === 0) expect(trace(`damaged-${index}`), name).toBe(trace("made"));
      else {
        expect(end.code, `${name}: ${end.stderr}`).toBe(2);
        expect(end.stderr).toContain(web.cache);
        expect(end.stderr.trimEnd().split("\n")).toHaveLength(1);
        expect(readdirSync(web.folder)).not.toContain(`damaged-${index}`);
      }
      writeFileSync(file, bytes);
    }
  });
});

describe("Usage", () => {
  it.each([[["run"]], [["replay"]], [["fly"]], [["run", "a", "b"]], [["run", "a", "--fast"]]])(
    "%j is one short error, exit 2",
    async (args) => {
      const { code, stderr, stdout } = await command(...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(2);
    },
  );

  it("--help and --version are no errors", async () => {
    for (const args of [["--help"], ["run", "--help"], ["replay", "--help"], ["--version"]]) {
      const { code, stdout } = await command(...args);
      expect(code).toBe(0);
      expect(stdout).not.toBe("");
    }
  });

  it("a process exits with the command's code and says why on stderr alone", async () => {
    const end = await commandProcess(["run", join(web.folder, "none.yaml")], { AWESIM_CACHE: web.cache });
    expect(end).toMatchObject({ code: 2, stdout: "" });
    expect(end.stderr).toMatch(/^awesim: .*none\.yaml.*\n$/);
  });
});
