import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type QueryTimeline, stepLabel, type TimelineStep } from "../../statistics/query-timeline.ts";
import { readManifest } from "../manifest.ts";
import { type QueryStory, type Said, saidKey } from "./query-story.ts";

/** Where the same query of two runs goes apart: the steps before are equal, token counts aside. */
export interface Parting {
  /** The first step that differs, from 0; null where all are equal. */
  readonly step: number | null;
  /** The step in each run; null where it has none left. */
  readonly first: TimelineStep | null;
  readonly second: TimelineStep | null;
  /** What differs, in words, the nearest cause first. */
  readonly reasons: readonly string[];
}

/** Compares a query of two runs; `directories` are theirs, to tell what else the runs do not share. */
export function partWays(first: QueryStory, second: QueryStory, directories: readonly [string, string]): Parting {
  const [a, b] = [first.timeline, second.timeline];
  const most = Math.max(a.steps.length, b.steps.length);
  for (let step = 0; step < most; step++) {
    const [one = null, other = null] = [a.steps[step], b.steps[step]];
    if (one !== null && other !== null && essence(one, first) === essence(other, second)) continue;
    const reasons = [...headReasons(a, b), ...stepReasons(one, other, first, second), ...runReasons(directories)];
    return { step, first: one, second: other, reasons };
  }
  const reasons = headReasons(a, b);
  return { step: null, first: null, second: null, reasons };
}

/** What of a step counts: what was said included, its tokens not. */
function essence(step: TimelineStep, { said }: QueryStory): string {
  const { promptTokens: _, completionTokens: __, ...rest } = step as TimelineStep & Record<string, unknown>;
  return JSON.stringify([rest, step.step === "turn" ? said.get(saidKey(step))?.text : null]);
}

const heads = ["topic", "task", "user", "strategy", "model", "thinking", "arrivedMs"] as const;

function headReasons(a: QueryTimeline, b: QueryTimeline): string[] {
  return heads
    .filter((key) => a[key] !== b[key])
    .map((key) => `the query's ${key} is ${a[key]} in one, ${b[key]} in the other`);
}

function stepReasons(one: TimelineStep | null, other: TimelineStep | null, a: QueryStory, b: QueryStory): string[] {
  if (one === null || other === null) return ["one run has no further step"];
  if (one.step !== other.step) return [`next, one has ${named(one)}, the other ${named(other)}`];
  const reasons: string[] = [];
  if (one.step === "turn" && other.step === "turn") {
    reasons.push(...saidReasons(a.said.get(saidKey(one)), b.said.get(saidKey(other))));
  }
  const [left, right] = [one, other] as unknown as [Record<string, unknown>, Record<string, unknown>];
  const differing = Object.keys(left).filter((key) => JSON.stringify(left[key]) !== JSON.stringify(right[key]));
  const told = differing.filter((key) => !key.endsWith("Tokens") && key !== "fromMs");
  if (told.length === 1 && told[0] === "t") reasons.push("what happens is the same, at another time");
  for (const key of told)
    reasons.push(`${key === "t" ? "time" : key}: ${shown(left[key])} in one, ${shown(right[key])} in the other`);
  return reasons;
}

/** What differs in the requests to a model, from which another answer follows; else that the answers differ. */
function saidReasons(a: Said | undefined, b: Said | undefined): string[] {
  if (a === undefined || b === undefined) return [];
  const names = [...new Set([...Object.keys(a.parts), ...Object.keys(b.parts)])];
  const asked = names.flatMap((name) => {
    const [left, right] = [a.parts[name], b.parts[name]];
    if (JSON.stringify(left) === JSON.stringify(right)) return [];
    if (!Array.isArray(left) || !Array.isArray(right))
      return [`the ${name} asked for is ${shown(left)} in one, ${shown(right)} in the other`];
    const at = left.findIndex((part, i) => part !== right[i]);
    return [
      `the ${name} differs from part ${(at < 0 ? left.length : at) + 1} on (of ${left.length} and ${right.length})`,
    ];
  });
  if (asked.length > 0) return asked;
  return a.text === b.text ? [] : ["the model gave another answer to the same request"];
}

function named(step: TimelineStep): string {
  return `${"from" in step ? step.from : step.party}: ${stepLabel(step)}`;
}

const mostPaths = 6;

/** What the runs do not share: their seeds, and the settings of their scenarios. */
function runReasons(directories: readonly [string, string]): string[] {
  const [a, b] = directories.map(readManifest) as [ReturnType<typeof readManifest>, ReturnType<typeof readManifest>];
  const reasons: string[] = [];
  for (const key of ["seed", "replication", "promptsSha256", "vectorsSha256"] as const) {
    if (a[key] !== b[key]) reasons.push(`the runs' ${key} is ${a[key]} and ${b[key]}`);
  }
  const [left, right] = directories.map((run) => parse(readFileSync(join(run, "inputs", "scenario.yaml"), "utf8")));
  const paths = [...differences(left, right, "")].filter((path) => path !== "seed");
  const more = paths.length > mostPaths ? ` and ${paths.length - mostPaths} more` : "";
  if (paths.length > 0) reasons.push(`the scenarios differ in ${paths.slice(0, mostPaths).join(", ")}${more}`);
  return reasons;
}

function* differences(a: unknown, b: unknown, path: string): Generator<string> {
  if (JSON.stringify(a) === JSON.stringify(b)) return;
  if (!isObject(a) || !isObject(b)) {
    yield path;
    return;
  }
  for (const key of [...new Set([...Object.keys(a), ...Object.keys(b)])]) {
    const next = Array.isArray(a) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    yield* differences(a[key], b[key], next);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string {
  const text = Array.isArray(value) ? value.join(", ") || "nothing" : String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
