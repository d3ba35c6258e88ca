import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { checkAgainstCorpus } from "../../src/scenario/check.ts";
import { resolveCorpus } from "../../src/scenario/corpus.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { fullScenario, temporaryFolder } from "./scenario-file.ts";

const { folder, write } = temporaryFolder();
const file = write("full.yaml", fullScenario);
const sites = ["docs.example", "brightnews.example", "encyclopedia.example"];
const topic = { id: "t1", goldSites: ["docs.example"] };
const topics = { "web-search": [topic], "question-answering": [topic] };

function errorOf(action: () => unknown): InputError | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

describe("a scenario against its corpus", () => {
  test("fits", () => {
    expect(errorOf(() => checkAgainstCorpus(loadScenario(file), sites, topics))).toBeUndefined();
  });

  test.each([
    ["brightnews.example", { line: 23, field: "interventions[0].remove[0]" }],
    ["encyclopedia.example", { line: 24, field: "interventions[1].outage" }],
    ["docs.example", { line: 21, field: "sites[docs.example]" }],
  ])("without %s the place that names it is told, with the nearest site", (site, place) => {
    const others = [...sites.filter((known) => known !== site), site.replace("e", "o")];
    const error = errorOf(() => checkAgainstCorpus(loadScenario(file), others, topics));
    expect(error?.where).toEqual({ file, ...place });
    expect(error?.message).toContain(`unknown site "${site}"; did you mean "${site.replace("e", "o")}"?`);
  });

  test("a site to set", () => {
    const loaded = loadScenario(file, { set: ["interventions[2].set.site=dogs.example"] });
    const error = errorOf(() => checkAgainstCorpus(loaded, sites, topics));
    expect(error?.message).toBe(
      '--set interventions[2].set.site=dogs.example: unknown site "dogs.example"; did you mean "docs.example"?',
    );
  });

  test("a task without topics", () => {
    const error = errorOf(() => checkAgainstCorpus(loadScenario(file), sites, { "web-search": [topic] }));
    expect(error?.where).toEqual({ file, line: 10, field: "population.tasks.question-answering" });
    expect(error?.message).toContain('the corpus "atlas" has no topics of this task');
  });
});

describe("the directory of a corpus", () => {
  const corpus = join(folder, "mine");
  mkdirSync(corpus);
  writeFileSync(join(corpus, "corpus.yaml"), "name: mine\nversion: 1\n");

  test("by a path from the scenario's folder, from the working directory, or in full", () => {
    expect(resolveCorpus("mine", file)).toBe(corpus);
    expect(resolveCorpus("./mine", file)).toBe(corpus);
    expect(resolveCorpus(relative(process.cwd(), corpus), "scenarios/other.yaml")).toBe(corpus);
    expect(resolveCorpus(corpus, "scenarios/other.yaml")).toBe(corpus);
  });

  test("missing: says what to do", () => {
    const error = errorOf(() => resolveCorpus("nowhere", file));
    expect(error?.where).toEqual({ file, field: "corpus" });
    expect(error?.message).toMatch(
      /there is no corpus "nowhere" .*; there (is|are) .*awesim corpus import <format> <directory>$/,
    );
  });
});
