import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../errors.ts";
import type { Cell } from "./plan.ts";
import { cellName } from "./plan.ts";

/** `cell.json`: what a cell is, what it was made with, what came of it. It is written last. */
export interface CellRecord extends Cell {
  readonly format: "awesim-bench-cell";
  readonly version: 1;
  /** Over all that decides the cell's figures: a cell of another identity is run again. */
  readonly identity: string;
  readonly status: "completed" | "failed";
  readonly error: string | null;
  /** Scored queries. */
  readonly n: number;
  readonly traceSha256: string | null;
  /** Real time it took. */
  readonly seconds: number;
}

/** `settings.json`: marks a directory as a bench's, and says how it was asked for. */
export interface BenchSettings {
  readonly format: "awesim-bench-settings";
  readonly version: 1;
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Opens a bench's directory, a new one or one to go on in. Returns whether it is new.
 * @throws InputError when something else is there
 */
export function openBenchDirectory(directory: string, options: BenchSettings["options"]): boolean {
  const file = join(directory, "settings.json");
  const isNew = !existsSync(directory);
  if (!isNew) {
    const isBench = existsSync(file) && format(file) === "awesim-bench-settings";
    if (!isBench) {
      throw new InputError("there is something else of that name; remove it or choose another --out", {
        file: directory,
      });
    }
  }
  try {
    mkdirSync(join(directory, "cells"), { recursive: true });
    mkdirSync(join(directory, "scenarios"), { recursive: true });
    const settings: BenchSettings = { format: "awesim-bench-settings", version: 1, options };
    writeFileSync(file, `${JSON.stringify(settings, null, 1)}\n`);
    return isNew;
  } catch (error) {
    throw new InputError(`no bench can be written there (${(error as Error).message}); choose another --out`, {
      file: directory,
    });
  }
}

function format(file: string): unknown {
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { format?: unknown } | null)?.format;
  } catch {
    return undefined;
  }
}

export function cellDirectory(bench: string, cell: Cell): string {
  return join(bench, "cells", cellName(cell));
}

export function cellScenarioFile(bench: string, cell: Cell): string {
  return join(bench, "scenarios", `${cellName(cell)}.yaml`);
}

/** What came of a cell; null when it never ended, or its record is not readable. */
export function readCell(directory: string): CellRecord | null {
  try {
    const record = JSON.parse(readFileSync(join(directory, "cell.json"), "utf8")) as Partial<CellRecord> | null;
    return record?.format === "awesim-bench-cell" && record.version === 1 ? (record as CellRecord) : null;
  } catch {
    return null;
  }
}

/** Removes what an interrupted or older cell left. */
export function clearCell(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

const answerFiles = ["texts.jsonl", "tape.jsonl"];

/** Keeps the answers that an interrupted cell paid for, while its directory is made anew. Returns whether there are any. */
export function keepAnswers(directory: string): boolean {
  const kept = answersBeside(directory);
  if (existsSync(join(directory, "tape.jsonl"))) {
    rmSync(kept, { recursive: true, force: true });
    mkdirSync(kept);
    for (const name of answerFiles) moveIfThere(join(directory, name), join(kept, name));
  }
  return existsSync(join(kept, "tape.jsonl"));
}

/** Puts kept answers into the cell's new directory. */
export function putAnswersBack(directory: string): void {
  const kept = answersBeside(directory);
  for (const name of answerFiles) moveIfThere(join(kept, name), join(directory, name));
  rmSync(kept, { recursive: true });
}

const answersBeside = (directory: string): string => `${directory}.answers`;

function moveIfThere(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}

/** Writes a cell's record in one step: with it the cell is there. */
export function writeCell(directory: string, record: CellRecord): void {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, "cell.json");
  writeFileSync(`${file}.new`, `${JSON.stringify(record, null, 1)}\n`);
  renameSync(`${file}.new`, file);
}
