import { describe, expect, test } from "vitest";
import { loadScenario } from "../../src/scenario/load.ts";
import { fullScenario, loadingError, temporaryFolder } from "./scenario-file.ts";

const { folder, write } = temporaryFolder();

/** Line number in the full scenario, what it becomes, the field the error names, and what it says. */
const badLines: [line: number, becomes: string, field: string, says: string][] = [
  [
    1,
    "name: One Day",
    "name",
    'expected a name of lower-case letters, digits and hyphens, such as one-day, got "One Day"',
  ],
  [1, "nmae: one-day", "nmae", 'unknown key "nmae"; did you mean "name"?'],
  [2, "seed: -1", "seed", "expected an integer of at least 0, got -1"],
  [2, "seed: 1.5", "seed", "expected an integer of at least 0, got 1.5"],
  [2, "seed: .inf", "seed", "expected an integer of at least 0, got Infinity"],
  [3, "corpus: ''", "corpus", 'expected the name of a corpus, or a path, got ""'],
  [4, "until: -24h", "until", 'expected a duration above 0 such as 500ms, 3s, 2m, 1.5h or 1d, got "-24h"'],
  [4, "until: 24", "until", "expected a duration above 0 such as 500ms, 3s, 2m, 1.5h or 1d, got 24"],
  [4, "until: 0", "until", "expected a duration above 0"],
  [4, "until: 24 hours", "until", 'got "24 hours"'],
  [4, "until: 99999999999999d", "until", "expected a duration above 0"],
  [4, "until:", "until", "is missing: expected a duration above 0"],
  [4, "until: 7h", "interventions[0].at", "expected a time not after until (7h), got 12h"],
  [
    5,
    "horizon: forever",
    "horizon",
    'expected terminating, or { steady-state: { warm-up, cool-down } }, got "forever"',
  ],
  [
    5,
    "horizon: { steady-state: { warm-up: 2h } }",
    "horizon.steady-state.cool-down",
    "is missing: expected a duration",
  ],
  [
    5,
    "horizon: { steady-state: { warm-up: 30h, cool-down: 1h } }",
    "horizon.steady-state.warm-up",
    "warm-up (30h) and cool-down (1h) leave nothing of until (1d)",
  ],
  [7, "  users: 0", "population.users", "expected an integer of at least 1, got 0"],
  [7, "  usres: 500", "population.usres", 'unknown key "usres"; did you mean "users"?'],
  [
    8,
    "  arrivals: { process: poisson, rate: 0/h }",
    "population.arrivals.rate",
    "expected a rate above 0 such as 200/h",
  ],
  [8, "  arrivals: { process: poisson, rate: -3/h }", "population.arrivals.rate", 'got "-3/h"'],
  [8, "  arrivals: { process: poisson, rate: 200 }", "population.arrivals.rate", "got 200"],
  [8, "  arrivals: { process: poisson }", "population.arrivals.rate", "is missing: expected a rate above 0"],
  [
    8,
    "  arrivals: { process: closed }",
    "population.arrivals.process",
    'expected one of poisson, diurnal, every-topic, trace, got "closed"',
  ],
  [8, "  arrivals: { rate: 200/h }", "population.arrivals.process", "is missing: expected one of poisson"],
  [8, "  arrivals: { process: every-topic, rate: 1/s, topics: 0 }", "population.arrivals.topics", "at least 1, got 0"],
  [
    8,
    "  arrivals: { process: trace }",
    "population.arrivals",
    "a trace needs either file, with one time a line, or times",
  ],
  [8, "  arrivals: { process: trace, times: [] }", "population.arrivals.times", "expected at least one time"],
  [8, "  arrivals: { process: trace, file: 3 }", "population.arrivals.file", "expected the path of a file"],
  [9, "  interests: { topics: zipf, exponent: -1 }", "population.interests.exponent", "at least 0, got -1"],
  [9, "  interests: { topics: uniform, exponent: 1 }", "population.interests.exponent", 'unknown key "exponent"'],
  [10, "  tasks: { web-search: 0 }", "population.tasks", "the shares sum to 0; expected one above 0"],
  [10, "  tasks: { websearch: 1 }", "population.tasks.websearch", 'did you mean "web-search"?'],
  [12, "  - { share: 0.6, strategy: Multi }", "assistants[0].strategy", "expected the name of a strategy"],
  [12, "  - { share: -1, strategy: classical }", "assistants[0].share", "expected a number of at least 0, got -1"],
  [12, "  - { strategy: classical }", "assistants[0]", "share is missing: give every assistant a share, or none"],
  [12, "  - { share: 1, strategy: classical, model: gpt }", "assistants[0].model", "expected a model such as"],
  [13, "  - { share: 1, strategy: classical, thinking: maybe }", "assistants[1].thinking", "expected true or false"],
  [13, "  - { share: 1, strategy: classical, name: big }", "assistants[1].name", '"big" is the name of an earlier'],
  [14, "retrieval: { index: bm42 }", "retrieval.index", 'expected one of dense, bm25, hybrid, got "bm42"'],
  [14, "retrieval: { bm25: { k1: -1 } }", "retrieval.bm25.k1", "expected a number of at least 0, got -1"],
  [14, "retrieval: { bm25: { b: 2 } }", "retrieval.bm25.b", "expected a number from 0 to 1, got 2"],
  [14, "retrieval: { hybrid: { depth: 0 } }", "retrieval.hybrid.depth", "at least 1, got 0"],
  [14, "retrieval: { embedder: word2vec }", "retrieval.embedder", "expected sentence, hashing or transformers/"],
  [14, "retrieval: { documents-per-site: 0 }", "retrieval.documents-per-site", "at least 1, got 0"],
  [15, "agents: { summary-reminder: never }", "agents.summary-reminder", "expected off, or an integer of at least 1"],
  [15, "agents: { request-timeout: 0s }", "agents.request-timeout", "expected a duration above 0"],
  [17, "  latency: { distribution: exponential, mean: 0 }", "models.latency.mean", "expected a duration above 0"],
  [
    17,
    "  latency: { distribution: normal, mean: 1s }",
    "models.latency.distribution",
    "expected one of lognormal, exponential",
  ],
  [17, "  latency: { distribution: lognormal, median: 3s, sigma: -1 }", "models.latency.sigma", "at least 0, got -1"],
  [
    17,
    "  latency: { distribution: uniform, low: 3s, high: 1s }",
    "models.latency.high",
    "expected a duration not below low",
  ],
  [17, "  latency: -3s", "models.latency", "expected a duration, or { distribution: lognormal, median, sigma }"],
  [18, "  endpoint: { base-url: here }", "models.endpoint.base-url", 'expected a URL, got "here"'],
  [18, "  endpoint: { key: sk-123 }", "models.endpoint.key", 'unknown key "key"'],
  [
    20,
    "  default: { capacity: 0 }",
    "sites.default.capacity",
    "expected unlimited, or an integer of at least 1, got 0",
  ],
  [21, "  docs.example: { speed: 3 }", "sites[docs.example].speed", 'unknown key "speed"'],
  [21, "  Docs: { capacity: 3 }", "sites.Docs", 'unknown key "Docs"; expected default, economy, or a site id'],
  [
    23,
    "  - { at: 25h, remove: brightnews.example }",
    "interventions[0].at",
    "expected a time not after until (1d), got 25h",
  ],
  [23, "  - { at: 1h, remove: [] }", "interventions[0].remove", "expected a site id or a list of site ids, got []"],
  [24, "  - { at: 8h, outage: a.example }", "interventions[1].for", "is missing: expected a duration above 0"],
  [24, "  - { at: 8h, outage: a.example, for: -2h }", "interventions[1].for", 'got "-2h"'],
  [24, "  - { at: 8h, outtage: a.example, for: 2h }", "interventions[1].outtage", 'did you mean "outage"?'],
  [24, "  - { at: 8h, demand: 2 }", "interventions[1].for", "is missing: expected a duration above 0"],
  [24, "  - { at: 8h, demand: -1, for: 1h }", "interventions[1].demand", "expected a number of at least 0, got -1"],
  [
    24,
    "  - { at: 8h, topic-shock: { share: 0.5 }, for: 1h }",
    "interventions[1].topic-shock",
    "needs either topics or gold-sites",
  ],
  [
    24,
    "  - { at: 8h, set: { assistant: nobody, share: 1 } }",
    "interventions[1].set.assistant",
    'unknown assistant "nobody"; expected one of big',
  ],
  [
    24,
    "  - { at: 8h, set: { site: a.example, blocks: { only: documents } } }",
    "interventions[1].set.blocks",
    "names nobody; give strategy or assistant, or write agents",
  ],
  [24, "  - { at: 8h }", "interventions[1]", "expected { at, outage, for }, { at, remove }, { at, add }"],
  [
    25,
    "  - { at: 1h, set: { site: docs.example } }",
    "interventions[2].set",
    "changes nothing; give capacity, latency, queue-limit or blocks",
  ],
  [
    25,
    "  - { at: 1h, set: { site: docs.example, blocks: all } }",
    "interventions[2].set.blocks",
    'expected none, agents, documents, or { strategy, assistant, only: documents }, got "all"',
  ],
  [26, "statistics: { window: 0 }", "statistics.window", "expected a duration above 0"],
  [26, "memory: none", "memory", 'unknown key "memory"'],
];

describe("a bad value is refused with its file, line and field", () => {
  test("the full scenario itself is good", () => {
    expect(loadingError(write("good.yaml", fullScenario))).toBeUndefined();
  });

  test.each(badLines)("line %i: %s", (line, becomes, field, says) => {
    const lines = fullScenario.split("\n");
    lines[line - 1] = becomes;
    const file = write("bad.yaml", lines.join("\n"));
    const error = loadingError(file);
    const wrongLine = field === "interventions[0].at" ? 23 : line;
    expect(error?.message).toMatch(/^[^\n]+$/);
    expect(error?.message).toContain(says);
    expect(error?.where).toEqual({ file, line: wrongLine, field });
  });

  test("of several problems the first in the file is told", () => {
    const text = fullScenario.replace("window: 2h", "window: no").replace("users: 500", "users: none");
    expect(loadingError(write("two.yaml", text))?.where).toMatchObject({ line: 7, field: "population.users" });
  });

  test("a missing key is placed in the mapping that lacks it", () => {
    const file = write("headless.yaml", fullScenario.replace("corpus: atlas\n", ""));
    expect(loadingError(file)?.message).toBe(`${file}:1: corpus: is missing: expected the name of a corpus, or a path`);
    const endless = write("endless.yaml", fullScenario.replace("until: 24h\n", ""));
    expect(loadingError(endless)?.message).toContain("until: is missing: only every-topic arrivals end by themselves");
  });
});

describe("files that are no scenario", () => {
  test("missing", () => {
    const file = `${folder}/nowhere.yaml`;
    expect(loadingError(file)?.message).toBe(`${file}: there is no such file; check the path`);
  });

  test("a directory", () => {
    expect(loadingError(folder)?.message).toContain("this is a directory");
  });

  test.each([
    ["broken YAML", "name: [one\nseed: 3\n", 2],
    ["a key twice", "name: one\nseed: 1\nseed: 2\n", 3],
  ])("%s", (_what, text, line) => {
    const file = write("broken.yaml", text);
    expect(loadingError(file)?.message).toMatch(/expected YAML: [^\n]+$/);
    expect(loadingError(file)?.where).toEqual({ file, line });
  });

  test.each(["", "- name", "just text"])("YAML that is no mapping: %j", (text) => {
    expect(loadingError(write("list.yaml", text))?.message).toContain(
      "expected a mapping with keys of name, seed, corpus",
    );
  });
});

describe("a trace of arrivals", () => {
  const withTrace = (name: string) =>
    write("trace.yaml", fullScenario.replace("process: poisson, rate: 200/h", `process: trace, file: ${name}`));

  test("its file is read from the scenario's folder, and its times stand in the resolved scenario", () => {
    write("times.txt", "500\n\n1.5s\n250ms\n");
    const { scenario, resolved } = loadScenario(withTrace("times.txt"));
    expect(scenario.population.arrivals).toEqual({ process: "trace", timesMs: [250, 500, 1500] });
    expect(resolved).not.toContain("times.txt");
    expect(loadScenario(write("resolved.yaml", resolved)).scenario).toEqual(scenario);
  });

  test("a bad time is placed in that file", () => {
    const times = write("bad-times.txt", "500\nsoon\n");
    const error = loadingError(withTrace("bad-times.txt"));
    expect(error?.where).toEqual({ file: times, line: 2 });
    expect(error?.message).toContain('got "soon"');
  });

  test("a missing or empty file is an error", () => {
    expect(loadingError(withTrace("none.txt"))?.message).toContain("none.txt: there is no such file");
    write("empty.txt", "\n");
    expect(loadingError(withTrace("empty.txt"))?.where).toMatchObject({ line: 8, field: "population.arrivals.file" });
  });
});
