import type { QueryFigures } from "../../statistics/query-figures.ts";

/** A run as `metrics.json` names it. */
export interface RunName {
  readonly scenario: string;
  readonly seed: number;
  readonly replication: number;
  readonly traceSha256: string | null;
  readonly untilMs: number;
  readonly messages: number;
  readonly events: number;
}

/** One run of a comparison. */
export interface Side {
  readonly run: RunName;
  readonly queries: readonly QueryFigures[];
}

/** A baseline and a variant on common random numbers. */
export interface Pair {
  readonly baseline: Side;
  readonly variant: Side;
}

/** What a variant changes. */
export interface Change {
  /** In words, for people: what is done to what. */
  readonly text: string;
  /** Sites that it takes traffic from: removed, blocked or out. Their traffic is what is diverted. */
  readonly removed: readonly string[];
  /** All sites that it is about, these included. */
  readonly sites: readonly string[];
  /** Sites that it adds. */
  readonly added: readonly string[];
  /** Whether it changes something that is no site's: then no query can be said not to have met it. */
  readonly isElsewhere: boolean;
}

export const sharedMeasures = ["citations", "contacts", "documents", "exposure"] as const;
export type SharedMeasure = (typeof sharedMeasures)[number];

/** What a query adds to the traffic of sites: pairs of a site and an amount. The place at rank r is worth 1 / log2(r + 1). */
export function trafficOf(query: QueryFigures, measure: SharedMeasure): (readonly [site: string, amount: number])[] {
  if (measure === "exposure") return query.citations.map((site, rank) => [site, 1 / Math.log2(rank + 2)]);
  return query[measure].map((site) => [site, 1]);
}

/** Counts of one measure by the place of the site; queries that are not scored count nothing. */
export function countSites(
  queries: readonly QueryFigures[],
  measure: SharedMeasure,
  places: ReadonlyMap<string, number>,
): Float64Array {
  const counts = new Float64Array(places.size);
  for (const query of queries) {
    if (query.measures === null) continue;
    for (const [site, amount] of trafficOf(query, measure)) {
      const place = places.get(site);
      if (place !== undefined) counts[place] = (counts[place] as number) + amount;
    }
  }
  return counts;
}

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
