import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { packageRoot } from "../../src/package-root.ts";
import { scenarioJsonSchema } from "../../src/scenario/json-schema.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { defaultBm25, defaultHybrid } from "../../src/retrieval/retrieval.ts";
import { formatPath, parsePath } from "../../src/scenario/path.ts";
import { siteSettings } from "../../src/scenario/schema.ts";
import { durationMs, formatDuration } from "../../src/scenario/units.ts";
import { fullScenario, loadingError, temporaryFolder } from "./scenario-file.ts";

const { write } = temporaryFolder();
const full = write("full.yaml", fullScenario);
const small = write(
  "small.yaml",
  "name: small\ncorpus: atlas\npopulation: { arrivals: { process: every-topic, rate: 60/h } }\nassistants: [{ strategy: classical }]\n",
);

describe("what a scenario says", () => {
  test("values in the terms of the code", () => {
    const { scenario } = loadScenario(full);
    expect(scenario).toMatchObject({
      name: "one-day",
      seed: 7,
      untilMs: 86_400_000,
      horizon: { kind: "steady-state", warmUpMs: 7_200_000, coolDownMs: 1_800_000 },
      population: {
        users: 500,
        arrivals: { process: "poisson", ratePerHour: 200 },
        interests: { topics: "zipf", exponent: 1.1 },
        tasks: { "web-search": 0.75, "question-answering": 0.25 },
      },
      assistants: [
        { strategy: "multi-agent", model: "surrogate/gemini-3-flash", thinking: true, name: "big" },
        { strategy: "classical", model: "openai/x", thinking: false },
      ],
      agents: { turns: 9, contentAgentTurns: 15, summaryReminder: "off", requestTimeoutMs: 90_000 },
      models: {
        latency: { distribution: "exponential", meanMs: 2000 },
        endpoint: { baseUrl: "http://localhost:1234/v1", concurrency: 8, timeoutMs: 1_800_000 },
      },
      statistics: { windowMs: 7_200_000 },
    });
    expect(scenario.assistants.map(({ share }) => share)).toEqual(
      [2 / 3, 1 / 3].map((share) => expect.closeTo(share, 12)),
    );
  });

  test("defaults", () => {
    const { scenario } = loadScenario(small);
    expect(scenario).toEqual({
      name: "small",
      seed: 1,
      corpus: "atlas",
      horizon: { kind: "terminating" },
      population: {
        users: 100,
        arrivals: { process: "every-topic", ratePerHour: 60 },
        interests: { topics: "uniform" },
        tasks: { "web-search": 1 },
        clicks: { model: "none", attraction: 0.3, examination: 0.7, satisfaction: 0.7 },
      },
      assistants: [{ share: 1, strategy: "classical", model: "surrogate/qwen3-4b", thinking: true }],
      retrieval: {
        index: "dense",
        embedder: "sentence",
        documentsPerSite: 3,
        bm25: defaultBm25,
        hybrid: defaultHybrid,
      },
      toolE: { k: 5 },
      plugins: [],
      siteList: { order: "fixed", names: "real", descriptions: "full" },
      agents: {
        turns: 15,
        contentAgentTurns: 15,
        documentsPerAnswer: 3,
        maxSitesPerSearch: 10,
        summaryReminder: 8000,
        summaryReminderCounts: "history",
        finalAnswer: "forced",
        formatRetries: 0,
        contentAgentOnInvalid: "remind",
        thoughts: "dropped",
        documentText: "full",
        showUrl: false,
        contentAgentSees: "query",
        resultOrder: "request",
        answerIds: "retrieved-only",
        requestTimeoutMs: 300_000,
      },
      models: {
        latency: { distribution: "lognormal", medianMs: 1500, sigma: 0.5 },
        endpoint: {
          baseUrlVariable: "OPENAI_BASE_URL",
          keyVariable: "OPENAI_API_KEY",
          concurrency: 64,
          thinkingOn: "unset",
          thinkingOff: "reasoning-effort=minimal",
          stream: false,
          timeoutMs: 1_800_000,
        },
      },
      sites: {
        default: {
          blocks: null,
          capacity: "unlimited",
          latency: { distribution: "lognormal", medianMs: 300, sigma: 0.4 },
          queueLimit: "unlimited",
        },
        economy: null,
        bySite: {},
      },
      interventions: [],
      statistics: { windowMs: 3_600_000 },
    });
  });

  test("a site has its own settings, and the default's for the rest", () => {
    const { scenario } = loadScenario(full);
    const latency = { distribution: "uniform", lowMs: 100, highMs: 300 };
    expect(siteSettings(scenario, "docs.example")).toEqual({
      capacity: "unlimited",
      latency,
      queueLimit: 9,
      blocks: null,
    });
    expect(siteSettings(scenario, "other.example")).toEqual({ capacity: 4, latency, queueLimit: 9, blocks: null });
  });

  test("interventions in order of time, those of one time in the file's order", () => {
    expect(loadScenario(full).scenario.interventions).toEqual([
      { kind: "outage", atMs: 28_800_000, sites: ["encyclopedia.example"], forMs: 7_200_000 },
      { kind: "remove", atMs: 43_200_000, sites: ["brightnews.example"] },
      { kind: "set", atMs: 43_200_000, sites: ["docs.example"], latency: { distribution: "constant", valueMs: 3000 } },
    ]);
  });
});

describe("the resolved scenario", () => {
  test.each([full, small])("loads to the same scenario: %s", (file) => {
    const first = loadScenario(file, { set: ["population.users=7", "sites[a-b.example]={ capacity: 2 }"] });
    const second = loadScenario(write("resolved.yaml", first.resolved));
    expect(second.scenario).toEqual(first.scenario);
    expect(second.resolved).toBe(first.resolved);
    expect(second.sha256).toBe(first.sha256);
  });

  test("the hash is of the meaning: spelling and order of keys do not change it, a value does", () => {
    const spelled = fullScenario
      .replace("until: 24h", "until: 1d")
      .replace("latency: 3s", "latency: { distribution: constant, value: 3000ms }");
    const reordered = fullScenario.replace("seed: 7\n", "").concat("seed: 7\n");
    const { sha256 } = loadScenario(full);
    expect(loadScenario(write("spelled.yaml", spelled)).sha256).toBe(sha256);
    expect(loadScenario(write("reordered.yaml", reordered)).sha256).toBe(sha256);
    expect(loadScenario(full, { overrides: { seed: 8 } }).sha256).not.toBe(sha256);
  });

  test("what a YAML alias shares is written out", () => {
    const text = fullScenario.replace(
      "latency: { distribution: exponential, mean: 2s }",
      "latency: &slow { distribution: exponential, mean: 2s }",
    );
    const file = write(
      "alias.yaml",
      text.replace("docs.example: { capacity: unlimited }", "docs.example: { latency: *slow }"),
    );
    const { scenario, resolved } = loadScenario(file, { set: ["models.latency.mean=9s"] });
    expect(scenario.models.latency).toEqual({ distribution: "exponential", meanMs: 9000 });
    expect(siteSettings(scenario, "docs.example").latency).toEqual({ distribution: "exponential", meanMs: 2000 });
    expect(resolved).not.toContain("&");
  });
});

describe("settings on the command line", () => {
  test("--set takes a path and a value in YAML; later ones win", () => {
    const { scenario } = loadScenario(full, {
      set: [
        "population.users=10",
        "population.users=20",
        "assistants[1].share=0.6",
        "sites[docs.example].capacity=2",
        "sites[new.example]={ latency: 1s }",
        "agents.documents-per-answer=4",
        "population.arrivals={ process: every-topic, rate: 1/s }",
      ],
    });
    expect(scenario.population.users).toBe(20);
    expect(scenario.assistants.map(({ share }) => share)).toEqual([0.5, 0.5]);
    expect(siteSettings(scenario, "docs.example").capacity).toBe(2);
    expect(siteSettings(scenario, "new.example").latency).toEqual({ distribution: "constant", valueMs: 1000 });
    expect(scenario.agents.documentsPerAnswer).toBe(4);
    expect(scenario.population.arrivals).toEqual({ process: "every-topic", ratePerHour: 3600 });
  });

  test("overrides win over --set; model and strategy hold for every assistant", () => {
    const overrides = { seed: "12", until: "26h", model: "openai/y", strategy: "tool-e" };
    const { scenario } = loadScenario(full, { set: ["seed=3", "assistants[0].model=openai/z"], overrides });
    expect(scenario).toMatchObject({ seed: 12, untilMs: 93_600_000 });
    for (const assistant of scenario.assistants)
      expect(assistant).toMatchObject({ model: "openai/y", strategy: "tool-e" });
  });

  test.each([
    ["population.users=-1", "--set population.users=-1: expected an integer of at least 1, got -1"],
    ["populaton.users=1", '--set populaton.users=1: unknown key "populaton"; did you mean "population"?'],
    [
      "statistics={ windw: 1h }",
      '--set statistics={ windw: 1h }: statistics.windw: unknown key "windw"; did you mean "window"?',
    ],
    ["until", "--set until: expected path=value, such as population.users=500"],
    ["a..b=1", "--set a..b=1: expected path=value"],
    ["seed=[1", "--set seed=[1: expected a value in YAML"],
    ["assistants[3].share=1", "--set assistants[3].share=1: the path leads to nothing that can be set"],
    ["name.first=x", "--set name.first=x: the path leads to nothing that can be set"],
  ])("a bad setting is named: %s", (setting, message) => {
    expect(loadingError(full, { set: [setting] })?.message).toContain(message);
  });

  test("a bad override is named", () => {
    expect(loadingError(full, { overrides: { until: "-2h" } })?.message).toMatch(
      /^--until -2h: expected a duration above 0/,
    );
    expect(loadingError(full, { overrides: { seed: "x" } })?.message).toBe(
      '--seed x: expected an integer of at least 0, got "x"',
    );
    expect(loadingError(full, { overrides: { model: "gpt" } })?.message).toMatch(
      /^--model gpt: expected a model such as/,
    );
  });

  test("paths read back as they are written", () => {
    const part = fc.oneof(fc.nat(99), fc.stringMatching(/^[a-z][a-z.-]{0,8}$/));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), (path) => {
        expect(parsePath(formatPath(path))).toEqual(path);
      }),
    );
  });
});

test("durations read back as they are written", () => {
  fc.assert(fc.property(fc.nat(), (ms) => durationMs(formatDuration(ms)) === ms));
  expect(["1.5h", "90m", "0.5s", "2d", "0"].map((text) => formatDuration(durationMs(text)))).toEqual([
    "90m",
    "90m",
    "500ms",
    "2d",
    "0ms",
  ]);
});

describe("the JSON Schema", () => {
  const schema = z.fromJSONSchema(scenarioJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);
  const shipped = join(packageRoot, "scenarios");
  const files = existsSync(shipped) ? readdirSync(shipped).filter((name) => name.endsWith(".yaml")) : [];

  test("takes the full scenario and its resolved form, and refuses a bad one", () => {
    expect(schema.safeParse(parse(fullScenario)).error).toBeUndefined();
    expect(schema.safeParse(parse(loadScenario(full).resolved)).error).toBeUndefined();
    expect(schema.safeParse(parse(fullScenario.replace("users: 500", "users: 0"))).success).toBe(false);
    expect(schema.safeParse(parse(fullScenario.replace("users: 500", "people: 5"))).success).toBe(false);
  });

  test.each(files)("takes scenarios/%s, which loads", (name) => {
    expect(schema.safeParse(parse(readFileSync(join(shipped, name), "utf8"))).error).toBeUndefined();
    expect(loadScenario(join(shipped, name)).scenario.name).toBe(name.replace(".yaml", ""));
  });
});

describe("an end given on the command line", () => {
  test("leaves out the interventions after it, and says how many", () => {
    const file = join(mkdtempSync(join(tmpdir(), "awesim-scenario-")), "late.yaml");
    writeFileSync(
      file,
      [
        "name: late",
        "corpus: atlas",
        "until: 24h",
        "population: { users: 10, arrivals: { process: poisson, rate: 10/h } }",
        "assistants: [{ strategy: multi-agent }]",
        "interventions:",
        "  - { at: 2h, outage: a.example, for: 1h }",
        "  - { at: 8h, outage: a.example, for: 1h }",
        "",
      ].join("\n"),
    );
    expect(loadScenario(file)).toMatchObject({ skippedInterventions: 0 });
    const shortened = loadScenario(file, { overrides: { until: "6h" } });
    expect(shortened.skippedInterventions).toBe(1);
    expect(shortened.scenario.interventions.map(({ atMs }) => atMs)).toEqual([7_200_000]);
    expect(() => loadScenario(file, { set: ["until=6h"] })).toThrow("interventions[1].at");
  });
});
