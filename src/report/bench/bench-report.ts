import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Draw } from "../../metrics/bootstrap.ts";
import { csvLine } from "../csv.ts";
import { calibrationTable } from "./calibration.ts";
import type { BenchCell } from "./cell.ts";
import { type Comparison, comparisons } from "./comparisons.ts";
import { benchMarkdown } from "./markdown.ts";
import { patternTable } from "./patterns.ts";
import { publishedResults } from "./published.ts";
import type { BenchResults } from "./results.ts";
import { waterfall } from "./waterfall.ts";

export interface BenchQuestions {
  /** From the weakest to the strongest. */
  readonly models: readonly string[];
  /** Random numbers for the randomisation tests, by the test's name. */
  readonly drawFor: (entity: string) => Draw;
  readonly notices: readonly string[];
  /** Whether profiles are compared with the figures they were fitted to. */
  readonly calibration: boolean;
}

export function benchResults(
  cells: readonly BenchCell[],
  { models, drawFor, notices, calibration }: BenchQuestions,
): BenchResults {
  return {
    patterns: patternTable(cells, models),
    waterfall: waterfall(cells),
    cells,
    comparisons: comparisons(cells, drawFor),
    published: publishedResults(),
    calibration: calibration ? calibrationTable(cells) : null,
    notices,
  };
}

/** What `bench.json` holds. */
export function benchJson({
  patterns,
  waterfall,
  cells,
  comparisons,
  published,
  calibration,
  notices,
}: BenchResults): unknown {
  return {
    format: "awesim-bench",
    version: 1,
    patterns,
    waterfall,
    cells: cells.map(({ topics: _, ...cell }) => cell),
    comparisons,
    ...(calibration !== null && { calibration }),
    published: published.rows.map((row) => ({ ...row, source: published.source })),
    notices,
  };
}

/** Writes `bench.json`, `bench.md`, `bench.csv` and `comparisons.csv`; returns the page. */
export function writeBench(directory: string, results: BenchResults): string {
  const page = benchMarkdown(results);
  writeFileSync(join(directory, "bench.json"), `${JSON.stringify(benchJson(results), null, 1)}\n`);
  writeFileSync(join(directory, "bench.md"), page);
  writeFileSync(join(directory, "bench.csv"), [...measureLines(results.cells)].join(""));
  writeFileSync(join(directory, "comparisons.csv"), [...comparisonLines(results.comparisons)].join(""));
  return page;
}

/** The columns of bench.csv. @internal */
export const measureColumns = [
  ...["task", "strategy", "model", "retrieval", "thinking", "world", "replication"],
  ...["measure", "mean", "low", "high", "n", "method"],
];

function* measureLines(cells: readonly BenchCell[]): Generator<string> {
  yield csvLine(measureColumns);
  for (const { task, strategy, model, retrieval, thinking, world, replication, measures } of cells) {
    const key = [task, strategy, model, retrieval, thinking === null ? null : String(thinking), world, replication];
    for (const [name, interval] of Object.entries(measures)) {
      const { mean, low, high, n, method } = interval ?? { mean: null, low: null, high: null, n: 0, method: null };
      yield csvLine([...key, name, mean, low, high, n, method]);
    }
  }
}

/** The columns of comparisons.csv. @internal */
export const comparisonColumns = [
  ...["task", "measure", "a", "b", "setting", "difference", "low", "high", "n", "sd", "p", "adjustedP"],
  ...["worlds", "worldsWithSameSign", "worldSd"],
];

function* comparisonLines(all: readonly Comparison[]): Generator<string> {
  yield csvLine(comparisonColumns);
  for (const { task, measure, a, b, setting, difference, n, sd, p, adjustedP, worlds } of all) {
    const { mean, low, high } = difference;
    yield csvLine([
      ...[task, measure, a, b, setting, mean, low, high, n, sd, p, adjustedP],
      ...[worlds.n, worlds.sameSign, worlds.sd],
    ]);
  }
}
