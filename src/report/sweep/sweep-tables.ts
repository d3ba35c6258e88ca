import { type Bounds, FRACTION, tInterval } from "../../metrics/intervals.ts";
import { csvLine } from "../csv.ts";

/** A run of a sweep with what its point sets. */
export interface SweptRun {
  readonly point: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly replication: number;
  readonly seed: number;
  readonly status: string;
  readonly error: string | null;
  readonly traceSha256: string | null;
  /** Runs it once more. */
  readonly command: string;
  readonly figures: readonly {
    readonly task: string;
    readonly strategy: string;
    readonly model: string;
    readonly measure: string;
    readonly mean: number | null;
    readonly low: number | null;
    readonly high: number | null;
    readonly n: number;
  }[];
}

const lastColumns = [
  ...["replication", "seed", "status", "error", "task", "strategy", "model", "measure"],
  ...["mean", "low", "high", "n", "traceSha256", "command"],
];

/** `results.csv`: a row a run and measure, with all that is needed to run it again; a failed run has one row. */
export function sweepCsv(runs: readonly SweptRun[], varied: readonly string[]): string {
  const lines = runs.flatMap((run) => {
    const first = [run.point, ...varied.map((path) => cell(run.settings[path])), run.replication, run.seed, run.status];
    const last = [run.traceSha256, run.command];
    if (run.figures.length === 0) return [csvLine([...first, run.error, ...Array<null>(8).fill(null), ...last])];
    return run.figures.map(({ task, strategy, model, measure, mean, low, high, n }) =>
      csvLine([...first, run.error, task, strategy, model, measure, mean, low, high, n, ...last]),
    );
  });
  return csvLine(["point", ...varied, ...lastColumns]) + lines.join("");
}

/** Counts and times among what tasks show first; all else is a fraction. */
const counts = new Set(["turns", "agents", "requests", "contentTurns", "citedAgents", "latencyMs", "cost"]);

function boundsOf(measure: string): Bounds {
  return counts.has(measure) || measure.endsWith("effectiveSites") ? { min: 0, max: Number.MAX_VALUE } : FRACTION;
}

/** Rows of the summary: a measure at a point, over its replications, with Student's t interval. */
export function sweepSummary(
  runs: readonly SweptRun[],
  varied: readonly string[],
  headline: (task: string) => readonly string[],
): (string | number | null)[][] {
  const rows = new Map<string, { head: (string | number | null)[]; means: number[]; bounds: Bounds }>();
  for (const run of runs) {
    for (const { task, strategy, model, measure, mean } of run.figures) {
      if (mean === null || !headline(task).includes(measure)) continue;
      const key = JSON.stringify([run.point, task, strategy, model, measure]);
      const settings = varied.map((path) => cell(run.settings[path]));
      const row = rows.get(key) ?? {
        head: [run.point, ...settings, task, strategy, model, measure],
        means: [],
        bounds: boundsOf(measure),
      };
      row.means.push(mean);
      rows.set(key, row);
    }
  }
  return [...rows.values()].map(({ head, means, bounds }) => {
    const { mean, low, high, n } = tInterval(means, bounds);
    const interval = low === null || high === null ? "-" : `${low.toFixed(3)} to ${high.toFixed(3)}`;
    return [...head, (mean as number).toFixed(3), interval, n];
  });
}

/** Points of which all replications came out alike: then they say nothing about chance. */
export function unvariedPoints(runs: readonly SweptRun[]): string[] {
  const hashes = new Map<string, (string | null)[]>();
  for (const { point, traceSha256 } of runs) hashes.set(point, [...(hashes.get(point) ?? []), traceSha256]);
  return [...hashes].flatMap(([point, all]) =>
    all.length > 1 && new Set(all).size === 1 && all[0] !== null ? [point] : [],
  );
}

function cell(value: unknown): string | number | null {
  if (value === undefined) return null;
  return typeof value === "number" || typeof value === "string" ? value : JSON.stringify(value);
}
