import { countPairs, placesOf } from "./site-shares.ts";
import { type Pair, type SharedMeasure, sum } from "./sides.ts";

/** Where the traffic of removed sites went, as fractions of what they lost. */
export interface Diversion {
  readonly measure: SharedMeasure;
  readonly removed: readonly string[];
  /** What the removed lost, in citations or contacts, over all replications. */
  readonly lost: number;
  readonly to: readonly {
    readonly site: string;
    /** What the site gained; with `unserved` they sum to 1. */
    readonly observed: number;
    /** What it would have gained had all been spread in proportion to the baseline; these sum to 1. */
    readonly proportional: number;
  }[];
  /** What nobody got; negative where others got more than the removed lost. */
  readonly unserved: number;
}

/**
 * The diversion ratios of antitrust: `(variant - baseline) / lost` of each other site, summed over replications. Where
 * the removed keep nothing, what they lost is what they had. Null when they lost nothing.
 */
export function diversion(
  pairs: readonly Pair[],
  measure: SharedMeasure,
  removed: readonly string[],
  sites: readonly string[],
): Diversion | null {
  if (removed.length === 0) return null;
  const counts = countPairs(pairs, measure, placesOf(sites));
  const total = (side: "baseline" | "variant", place: number): number =>
    sum(counts.map((each) => each[side][place] as number));
  const out = new Set(removed);
  const rows = sites.map((site, place) => ({
    site,
    baseline: total("baseline", place),
    variant: total("variant", place),
  }));
  const ofRemoved = rows.filter(({ site }) => out.has(site));
  const others = rows.filter(({ site }) => !out.has(site));
  const lost = sum(ofRemoved.map(({ baseline, variant }) => baseline - variant));
  const before = sum(others.map(({ baseline }) => baseline));
  if (lost <= 0 || before === 0) return null;
  const gained = sum(others.map(({ baseline, variant }) => variant - baseline));
  return {
    measure,
    removed,
    lost,
    to: others.map(({ site, baseline, variant }) => ({
      site,
      observed: (variant - baseline) / lost,
      proportional: baseline / before,
    })),
    unserved: 1 - gained / lost,
  };
}
