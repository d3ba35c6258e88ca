import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findTexts } from "../trace/tape-reader.ts";
import { patternTable } from "./bench/patterns.ts";
import type { RunMetrics } from "./metrics-json.ts";
import type { RunPageInput } from "./page/run-page-input.ts";
import type { QueryRow } from "../statistics/query-ledger.ts";
import type { ReportedRun } from "./run-description.ts";

/** Writes a run's `report.html`, which appears in one step. Nothing is written where no pages were asked for. */
export async function writeRunPage(directory: string, run: ReportedRun): Promise<void> {
  const input = pageInput(directory, run);
  if (input === null) return;
  // What draws is loaded when there is something to draw: a run has its memory for itself until then.
  const { runPage } = await import("./page/run-page.ts");
  const file = join(directory, "report.html");
  try {
    writeFileSync(`${file}.new`, runPage(input));
    renameSync(`${file}.new`, file);
  } catch (error) {
    rmSync(`${file}.new`, { force: true });
    throw error;
  }
}

/** What pages and charts are made of; null where the run was reported without a record for them. */
export function pageInput(
  directory: string,
  { description, status, metrics, record }: ReportedRun,
): RunPageInput | null {
  if (record === null) return null;
  const wanted = record.sample.queries().flatMap(({ row, timeline }) => (timeline === null ? [] : textOf(row)));
  return {
    description,
    status,
    metrics,
    record,
    patterns: patternTable(cellsOf(metrics), modelsOf(metrics)),
    texts: findTexts(directory, new Set(wanted)),
  };
}

function textOf({ answer }: QueryRow): string[] {
  return typeof answer === "string" ? [answer] : [];
}

/** The run as a bench of one world. */
function cellsOf({ groups }: RunMetrics) {
  return groups.map((group) => ({ ...group, world: 1, replication: 0, topics: [] }));
}

function modelsOf({ groups }: RunMetrics): string[] {
  return [...new Set(groups.flatMap(({ model }) => model ?? []))];
}
