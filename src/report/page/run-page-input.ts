import type { RunMetrics } from "../metrics-json.ts";
import type { PatternResult } from "../bench/patterns.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { RunDescription } from "../run-description.ts";

/** All that a run's page is made of. */
export interface RunPageInput {
  readonly description: RunDescription;
  readonly status: string;
  readonly metrics: RunMetrics;
  readonly record: RunRecord;
  /** Published patterns, where the run has the strategies to look at one. */
  readonly patterns: readonly PatternResult[];
  /** Texts of answers by their hash, for the queries shown. */
  readonly texts: ReadonlyMap<string, string>;
}

/** All declared sites, the most cited first, then the most asked. */
export function sitesByCitations({ description, metrics }: RunPageInput): string[] {
  const { citations, contacts } = metrics.traffic;
  const count = (list: typeof citations, site: string): number => list.sites[site]?.count ?? 0;
  return [...description.sites].sort(
    (a, b) => count(citations, b) - count(citations, a) || count(contacts, b) - count(contacts, a) || (a < b ? -1 : 1),
  );
}
