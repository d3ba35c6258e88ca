import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { actionKinds } from "../../src/agents/grammar.ts";
import { readPrompts, reminderNames } from "../../src/agents/templates.ts";
import { taskNames } from "../../src/corpora/format.ts";
import { concentration } from "../../src/metrics/concentration.ts";
import { packageRoot } from "../../src/package-root.ts";
import { comparisonColumns, measureColumns } from "../../src/report/bench/bench-report.ts";
import { changeColumns, diversionColumns, shareColumns } from "../../src/report/comparison/comparison-report.ts";
import { RunTables } from "../../src/report/tables.ts";
import type { QueryRow } from "../../src/statistics/query-ledger.ts";
import { ScoreTable } from "../../src/statistics/score-table.ts";
import { trafficMeasures } from "../../src/statistics/traffic.ts";
import { measuresOf } from "../../src/tasks/registry.ts";
import { codeOf, namesIn, page, section, tableRows } from "./pages.ts";

const source = (path: string): string => readFileSync(join(packageRoot, path), "utf8");
const formats = page("docs/reference/formats.md");
const measures = measuresOf(taskNames);

describe("the reference of formats", () => {
  test("names the columns of the tables, in their order", () => {
    const folder = mkdtempSync(join(tmpdir(), "awesim-docs-"));
    new RunTables(folder, { run: "x", replication: 0 }, measures, () => ({})).close();
    for (const name of ["queries.csv", "traffic.csv", "concentration.csv"]) {
      const columns = readFileSync(join(folder, name), "utf8").trimEnd().split(",");
      expect(namesIn(section(formats, `## ${name}`))).toEqual(columns);
    }
    rmSync(folder, { recursive: true });
  });

  test("names the columns of a bench's tables, in their order", () => {
    expect(codeOf(section(formats, "### bench.csv"))).toEqual(measureColumns);
    expect(codeOf(section(formats, "### comparisons.csv"))).toEqual(comparisonColumns);
  });

  test("names the columns of a comparison's tables, in their order", () => {
    expect(codeOf(section(formats, "### shares.csv"))).toEqual(shareColumns);
    expect(codeOf(section(formats, "### diversion.csv"))).toEqual(diversionColumns);
    expect(codeOf(section(formats, "### changed-queries.csv"))).toEqual(changeColumns);
  });

  test("names the facts of a trace with their fields", () => {
    const bodies = /interface FactBodies \{([\s\S]*?)^\}/m.exec(source("src/trace/facts.ts"))?.[1] as string;
    const facts = [...bodies.matchAll(/^ {2}"([a-z.]+)": \{([\s\S]*?)\};$/gm)].map(([, type, body]) => ({
      type,
      fields: [...(body as string).matchAll(/(\w+)\??: /g)].map(([, field]) => field),
    }));
    expect(facts.length).toBeGreaterThan(10);
    const rows = tableRows(section(formats, "## trace.jsonl"));
    expect(
      rows.map(([type, fields]) => ({ type: codeOf(type as string)[0], fields: codeOf(fields as string) })),
    ).toEqual(facts);
  });
});

describe("the reference of measures", () => {
  const names = new Set(namesIn(page("docs/reference/metrics.md").text));

  test("defines what runs print", () => {
    const table = new ScoreTable();
    table.add({ turns: 1, requests: 1, sites: [], measures: {}, topic: "t" } as unknown as QueryRow);
    const effort = Object.keys(table.groups(() => () => 0)[0]?.measures ?? {});
    expect(effort).toContain("turns");
    const printed = [...measures.map((name) => name.replace(/@\d+$/, "@k")), ...effort, ...trafficMeasures];
    const undefinedYet = printed.filter((name) => ![...names].some((each) => each.split(",")[0] === name));
    expect(undefinedYet).toEqual([]);
    expect(Object.keys(concentration([1, 2])).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe("the reference of actions and prompts", () => {
  const reference = page("docs/reference/actions-and-prompts.md");
  const code = new Set(codeOf(reference.prose));

  test("names actions, problems and reminders", () => {
    const problems = /export type Problem =([\s\S]*?);/.exec(source("src/agents/grammar.ts"))?.[1] as string;
    const names = [...problems.matchAll(/"([a-z-]+)"/g)].map(([, name]) => name as string);
    expect([...actionKinds, ...names, ...reminderNames].filter((name) => !code.has(name))).toEqual([]);
  });

  test("names the shipped templates", () => {
    const { templates } = readPrompts(join(packageRoot, "prompts"));
    expect(
      templates.map(({ name }) => `${name}.md`).filter((file) => !reference.text.includes(`prompts/${file})`)),
    ).toEqual([]);
  });
});

describe("the reference of the surrogate", () => {
  test.each(["qwen3-4b", "gemini-3-flash"])("names the keys of the profile %s, and no other", (name) => {
    const profile = parse(source(`src/models/surrogate/profiles/${name}.yaml`)) as Record<string, unknown>;
    const keys = [...leavesOf({ ...profile, "without-thinking": 0 }, "")].filter((key) => key !== "without-thinking");
    expect(namesIn(section(page("docs/reference/surrogate.md"), "## Profiles")).toSorted()).toEqual(keys.toSorted());
  });
});

function* leavesOf(value: unknown, path: string): Generator<string> {
  if (typeof value !== "object" || value === null) {
    yield path;
    return;
  }
  for (const [key, part] of Object.entries(value)) yield* leavesOf(part, path === "" ? key : `${path}.${key}`);
}
