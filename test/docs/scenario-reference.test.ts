import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { documentSchema } from "../../src/scenario/document.ts";
import { scenarioJsonSchema } from "../../src/scenario/json-schema.ts";
import { parsePath, valueAt } from "../../src/scenario/path.ts";
import { blocksOf, codeOf, page, pages, section, tableRows } from "./pages.ts";

const reference = page("docs/reference/scenario.md");
const distributions = section(reference, "## Distributions of durations");
const rows = tableRows(reference.text.replace(distributions, ""));

interface Schema {
  readonly anyOf?: Schema[];
  readonly oneOf?: Schema[];
  readonly type?: string;
  readonly properties?: Record<string, Schema>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

/** The keys of a schema that take a plain value; `[]` for a list of mappings, `<site>` for keys that are site ids. */
function* keysOf(schema: Schema, path: string): Generator<string> {
  const { properties = {}, additionalProperties, items, type } = schema;
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) {
    for (const option of options) yield* keysOf(option, path);
  } else if (type === "object") {
    for (const [key, value] of Object.entries(properties)) yield* keysOf(value, path === "" ? key : `${path}.${key}`);
    if (typeof additionalProperties === "object") yield* keysOf(additionalProperties, `${path}.<site>`);
  } else if (type === "array" && items !== undefined && [...keysOf(items, "")].every((key) => key !== "")) {
    yield* keysOf(items, `${path}[]`);
  } else {
    yield path;
  }
}

const all = [...new Set(keysOf(scenarioJsonSchema() as Schema, ""))];
const ofDistribution = /\.latency\.(\w+)$/;

describe("the reference of scenarios", () => {
  test("names the schema's keys, all of them and no other", () => {
    const documented = rows.map(([key]) => codeOf(key as string)[0] as string);
    expect(documented.toSorted()).toEqual(all.filter((key) => !ofDistribution.test(key)).toSorted());
  });

  test("names the keys of distributions", () => {
    const documented = tableRows(distributions).map(([key]) => codeOf(key as string)[0]);
    expect(documented).toEqual([...new Set(all.flatMap((key) => ofDistribution.exec(key)?.[1] ?? []))]);
  });

  test("has the schema's defaults", () => {
    const given = {
      name: "small",
      corpus: "atlas",
      until: "1h",
      population: { arrivals: { process: "poisson", rate: "1/h" } },
      assistants: [{ strategy: "multi-agent" }],
      judge: { model: "openai/critic" },
    };
    const resolved = documentSchema.parse(given);
    const zipf = documentSchema.parse({ ...given, population: { ...given.population, interests: { topics: "zipf" } } });
    for (const [key, preset] of rows as [string, string][]) {
      const path = parsePath((codeOf(key)[0] as string).replace("[]", "[0]"));
      if (path === undefined || key.includes("<site>") || valueAt(given, path) !== undefined) continue;
      const value = valueAt(resolved, path) ?? valueAt(zipf, path);
      const [code] = codeOf(preset);
      expect({ key, preset: code === undefined ? undefined : (parse(code) as unknown) }).toEqual({
        key,
        preset: value,
      });
    }
  });
});

const scenarios = pages.flatMap((each) =>
  blocksOf(each)
    .filter(({ language, text }) => language === "yaml" && /^population:/m.test(text))
    .map(({ text }) => ({ path: each.path, text })),
);
test.each(scenarios)("the scenario shown in $path is one", ({ text }) => {
  expect(documentSchema.safeParse(parse(text)).error).toBeUndefined();
});
