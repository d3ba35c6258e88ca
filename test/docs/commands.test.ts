import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { awesim, commandLines, leaves, parse } from "./command-lines.ts";
import { codeOf, page, pages, section, tableRows } from "./pages.ts";

const lines = pages.flatMap((each) => commandLines(each).map((line) => ({ ...line, path: each.path })));

test("the commands looked at are those of the program", () => {
  const program = readFileSync(join(packageRoot, "src/cli/awesim.ts"), "utf8");
  const added = [...program.matchAll(/addCommand\((\w+)Command\(/g)].map(([, name]) =>
    (name as string).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
  expect(awesim().commands.map((each) => each.name())).toEqual(added);
});

test("the pages hold command lines", () => {
  expect(lines.filter(({ whole }) => whole).length).toBeGreaterThan(20);
});

test.each(lines)("$path: $text", (line) => {
  expect(() => parse(line)).not.toThrow();
});

const runs = lines.filter(({ whole, words }) => whole && words[0] === "run");
test.each(runs)("$path: the scenario loads in $text", (line) => {
  const { command, operands } = parse(line);
  const { set, seed, until, model, strategy } = command.opts() as Record<string, string> & { set: string[] };
  const overrides = Object.fromEntries(
    Object.entries({ seed, until, model, strategy }).filter(([, value]) => value !== undefined),
  );
  expect(() => loadScenario(join(packageRoot, operands[0] as string), { set, overrides })).not.toThrow();
});

test("scripts of package.json that pages name exist", () => {
  const { scripts } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as { scripts: object };
  const named = pages.flatMap(({ text }) => [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name));
  expect(named.filter((name) => !((name as string) in scripts))).toEqual([]);
});

describe("the reference of commands", () => {
  const reference = page("docs/reference/commands.md");

  test.each([...leaves(awesim())])("$name has all options with their defaults, and no other", ({ name, command }) => {
    const rows = tableRows(section(reference, `## awesim ${name}`));
    const documented = rows.map(([option, , preset]) => [codeOf(option as string)[0], codeOf(preset as string)[0]]);
    const preset = (value: unknown): string | undefined =>
      typeof value === "string" || typeof value === "number" ? String(value) : undefined;
    expect(documented).toEqual(command.options.map((option) => [option.flags, preset(option.defaultValue)]));
  });
});
