import { readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../errors.ts";
import { type QueryFigures, QueryFiguresCollector } from "../../statistics/query-figures.ts";
import { readFacts } from "../../trace/trace-reader.ts";
import { type Manifest, readManifest } from "../manifest.ts";

/** A completed run, as far as it can be compared. */
export interface RecordedSide {
  readonly manifest: Manifest;
  /** `run` of its metrics.json. */
  readonly run: unknown;
  readonly queries: readonly QueryFigures[];
}

/** Reads a run's figures from its trace. Throws an `InputError` where the run is not completed. */
export function readSide(directory: string): RecordedSide {
  const manifest = readManifest(directory);
  if (manifest.status !== "completed") {
    throw new InputError(`expected a completed run, got one that is ${manifest.status}; awesim resume completes it`, {
      file: join(directory, "manifest.json"),
      field: "status",
    });
  }
  const collector = new QueryFiguresCollector();
  for (const fact of readFacts(directory)) collector.listen(fact);
  return { manifest, run: runOf(join(directory, "metrics.json")), queries: collector.end() };
}

function runOf(file: string): unknown {
  try {
    const { run } = JSON.parse(readFileSync(file, "utf8")) as { run?: unknown };
    if (run !== undefined) return run;
  } catch {
    // told below
  }
  throw new InputError("expected the measures of a run, with run", { file });
}
