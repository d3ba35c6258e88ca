import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { InputError } from "../../errors.ts";

/** The most runs of a sweep: more is a mistake in a range. */
const mostRuns = 100_000;

const range = z.strictObject({
  from: z.number(),
  to: z.number(),
  step: z.number().positive("a step above 0").default(1),
});
const value = z.union([z.string(), z.number(), z.boolean()], { error: "a text, a number, true or false" });
const values = z.union([z.array(value).min(1), range], { error: "a list of values, or { from, to, step }" });
const settings = z.record(z.string(), z.json());

const sweepDocument = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "a name of lower-case letters, digits and hyphens"),
    scenario: z.string().min(1, "the path of a scenario"),
    replications: z.number().int().min(1, "a whole number of at least 1").default(1),
    grid: z.record(z.string(), values).default({}),
    runs: z
      .array(z.strictObject({ name: z.string().regex(/^[A-Za-z0-9._-]+$/, "a name without blanks"), set: settings }))
      .default([]),
  })
  .refine(({ grid, runs }) => Object.keys(grid).length + runs.length > 0, "a grid, or a list of runs");

/** One configuration of a sweep. */
export interface SweepPoint {
  /** `p001`, or the name that it was given. */
  readonly id: string;
  /** What it sets, by the scenario's path, in the order of the file. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface SweepPlan {
  readonly name: string;
  /** The scenario's file. */
  readonly scenario: string;
  readonly replications: number;
  readonly points: readonly SweepPoint[];
  /** The paths that vary, in the order of the file. */
  readonly varied: readonly string[];
}

/** Reads a sweep's file. Throws an `InputError` that says what was expected where. */
export function readSweep(file: string): SweepPlan {
  if (!existsSync(file)) throw new InputError("there is no such file; give the path of a sweep's YAML file", { file });
  const read = sweepDocument.safeParse(parsed(file));
  if (!read.success) {
    const issue = read.error.issues[0];
    throw new InputError(`expected ${issue?.message ?? "a sweep"}`, { file, field: issue?.path.join(".") || "sweep" });
  }
  const { name, scenario, replications, grid, runs } = read.data;
  const named = runs.map(({ name: id, set }) => ({ id, settings: set }));
  const points = [...named, ...gridPoints(grid, file)];
  const twice = points.find(({ id }, index) => points.findIndex((other) => other.id === id) !== index);
  if (twice !== undefined) throw new InputError(`two runs are called ${twice.id}`, { file, field: "runs" });
  if (points.length * replications > mostRuns) {
    throw new InputError(`comes to ${points.length * replications} runs; at most ${mostRuns} are run`, { file });
  }
  const varied = [...new Set(points.flatMap(({ settings: set }) => Object.keys(set)))];
  return { name, scenario: resolve(dirname(file), scenario), replications, points, varied };
}

/** A point's settings as `awesim run --set` takes them. */
export function setOptions({ settings: set }: SweepPoint): string[] {
  return Object.entries(set).map(([path, to]) => `${path}=${stringify(to, { collectionStyle: "flow" }).trim()}`);
}

/** A point's frozen scenario. */
export function scenarioFile(directory: string, point: SweepPoint): string {
  return join(directory, "scenarios", point.id, "scenario.yaml");
}

function parsed(file: string): unknown {
  try {
    return parse(readFileSync(file, "utf8"), { prettyErrors: false });
  } catch (error) {
    throw new InputError(`is not YAML: ${(error as Error).message}`, { file });
  }
}

/** Every combination, the last path varying fastest. */
function gridPoints(grid: Readonly<Record<string, z.output<typeof values>>>, file: string): SweepPoint[] {
  const paths = Object.keys(grid);
  if (paths.length === 0) return [];
  let sets: Record<string, unknown>[] = [{}];
  for (const path of paths) {
    const choices = listed(grid[path] as z.output<typeof values>);
    if (choices.length === 0) throw new InputError("is empty: to is below from", { file, field: `grid.${path}` });
    sets = sets.flatMap((set) => choices.map((choice) => ({ ...set, [path]: choice })));
    if (sets.length > mostRuns) throw new InputError(`comes to over ${mostRuns} runs`, { file, field: "grid" });
  }
  const digits = Math.max(3, String(sets.length).length);
  return sets.map((set, index) => ({ id: `p${String(index + 1).padStart(digits, "0")}`, settings: set }));
}

function listed(choices: z.output<typeof values>): readonly unknown[] {
  if (Array.isArray(choices)) return choices;
  const { from, to, step } = choices;
  const count = Math.min(mostRuns + 1, Math.max(0, Math.floor((to - from) / step + 1e-9) + 1));
  return Array.from({ length: count }, (_, index) => Number((from + index * step).toPrecision(12)));
}
