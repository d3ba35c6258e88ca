import { existsSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../errors.ts";
import { loadScenario } from "../../scenario/load.ts";
import { QueryLedger, type QueryRow } from "../../statistics/query-ledger.ts";
import { lossStage } from "../../statistics/query-timeline.ts";
import { TraceTail } from "../../trace/trace-tail.ts";
import { isScored } from "../scoring-window.ts";

export interface QueryFilter {
  /** Only those without an answer, or whose answer lost all relevant pages. */
  readonly failed: boolean;
  /** Only those that asked this site. */
  readonly site: string | null;
  /** Those that took longest first, instead of the order in which they were done. */
  readonly slowest: boolean;
  readonly limit: number;
}

export interface FoundQueries {
  readonly rows: readonly QueryRow[];
  /** How many passed the filter, those beyond the limit included. */
  readonly matching: number;
  readonly completed: number;
  /** Under way where the trace ends. */
  readonly inFlight: number;
}

/**
 * Queries of a run that are worth a look. Memory grows with the limit and with the queries in flight, not with the run.
 * @throws InputError when there is no run, or no query of it asked the site
 */
export function findQueries(directory: string, filter: QueryFilter): FoundQueries {
  const kept: QueryRow[] = [];
  let matching = 0;
  let completed = 0;
  const ledger = new QueryLedger(scoring(directory), (row) => {
    completed++;
    if (!passes(row, filter)) return;
    matching++;
    keep(kept, row, filter);
  });
  const trace = new TraceTail(directory);
  try {
    for (const fact of trace.facts()) ledger.listen(fact);
  } finally {
    trace.close();
  }
  if (filter.site !== null && matching === 0 && !filter.failed) {
    throw new InputError(`no query that is done asked the site ${JSON.stringify(filter.site)}`, { file: directory });
  }
  return { rows: kept, matching, completed, inFlight: ledger.inFlight };
}

/** Whether a query lost: it has no answer, or one without any page that it was to find. */
function hasLost({ outcome, measures }: Pick<QueryRow, "outcome" | "measures">): boolean {
  return outcome !== "answered" || lossStage(measures) !== null;
}

function passes(row: QueryRow, { failed, site }: QueryFilter): boolean {
  return (!failed || hasLost(row)) && (site === null || row.sites.includes(site));
}

function keep(kept: QueryRow[], row: QueryRow, { slowest, limit }: QueryFilter): void {
  if (!slowest) {
    if (kept.length < limit) kept.push(row);
    return;
  }
  const tookMs = ({ arrivedMs, completedMs }: QueryRow): number => completedMs - arrivedMs;
  const place = kept.findIndex((each) => tookMs(each) < tookMs(row));
  kept.splice(place < 0 ? kept.length : place, 0, row);
  if (kept.length > limit) kept.pop();
}

/** Which queries will get a score, so that their rows wait for it. */
function scoring(directory: string): (arrivedMs: number) => boolean {
  const file = join(directory, "inputs", "scenario.yaml");
  if (!existsSync(file)) throw new InputError("expected the directory of a run; its inputs are not there", { file });
  const { scenario } = loadScenario(file);
  return (arrivedMs) => isScored(scenario, arrivedMs);
}
