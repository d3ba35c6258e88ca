import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../errors.ts";
import { sha256 } from "../../trace/hash.ts";
import type { SweepPlan } from "./plan.ts";

/** What came of one run of a sweep: a line of `runs.jsonl`. Failures are data too. */
export interface SweepRun {
  readonly point: string;
  readonly replication: number;
  readonly seed: number;
  readonly status: "completed" | "failed";
  readonly error: string | null;
  readonly traceSha256: string | null;
  readonly figures: readonly SweepFigure[];
}

/** A measure of a run: of a task's group of queries, or of the traffic as a whole. */
export interface SweepFigure {
  readonly task: string;
  readonly strategy: string;
  readonly model: string;
  readonly measure: string;
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/** A kill leaves it behind at worst: such a directory is as good as new. */
const draftName = "sweep.json.draft";

const settingsFormat = { format: "awesim-sweep", version: 1 } as const;

/**
 * Opens a sweep's directory: a new one, or the one of the same plan, to go on in. `identity` stands for all that
 * decides the results. Returns the runs that are done.
 * @throws InputError when another sweep, or something else, is there
 */
export function openSweep(directory: string, plan: SweepPlan, identity: string): SweepRun[] {
  const file = join(directory, "sweep.json");
  const settings = { ...settingsFormat, identity: sha256(identity), plan };
  if (existsSync(directory) && readdirSync(directory).some((name) => name !== draftName)) {
    const there = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Partial<typeof settings>) : null;
    if (there?.format === settingsFormat.format && there.identity === settings.identity) return readRuns(directory);
    const what = there?.format === settingsFormat.format ? "another sweep" : "something else";
    throw new InputError(`${what} of that name is there; remove it or choose another --out`, { file: directory });
  }
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, draftName), `${JSON.stringify(settings, null, 1)}\n`);
    renameSync(join(directory, draftName), file);
  } catch (error) {
    throw new InputError(`nothing can be written there (${(error as Error).message}); choose another --out`, {
      file: directory,
    });
  }
  return [];
}

/** Adds a run in one write: a kill leaves a torn last line at worst. */
export function logRun(directory: string, run: SweepRun): void {
  appendFileSync(join(directory, "runs.jsonl"), `${JSON.stringify(run)}\n`);
}

/** Runs that are logged whole; a torn last line is cut off, its run is made again. */
function readRuns(directory: string): SweepRun[] {
  const file = join(directory, "runs.jsonl");
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) writeFileSync(file, whole);
  return whole
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as SweepRun);
}
