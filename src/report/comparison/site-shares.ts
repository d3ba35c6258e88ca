import type { Draw } from "../../metrics/bootstrap.ts";
import { concentration } from "../../metrics/concentration.ts";
import { type Interval, noInterval, tInterval } from "../../metrics/intervals.ts";
import { Moments } from "../../metrics/moments.ts";
import { bootstrapTopics, type Resample } from "./topic-bootstrap.ts";
import { countSites, type Pair, type SharedMeasure, sum } from "./sides.ts";

export interface SiteShare {
  readonly site: string;
  readonly measure: SharedMeasure;
  readonly baselineShare: number;
  readonly variantShare: number;
  readonly difference: Interval;
}

/** Counts of one pair, by the place of the site. */
export type PairCounts = Resample;

export function countPairs(
  pairs: readonly Pair[],
  measure: SharedMeasure,
  places: ReadonlyMap<string, number>,
): PairCounts[] {
  return pairs.map(({ baseline, variant }) => ({
    baseline: countSites(baseline.queries, measure, places),
    variant: countSites(variant.queries, measure, places),
  }));
}

/** The sites' shares, means over the pairs, with their paired differences. */
export function siteShares(
  pairs: readonly Pair[],
  measure: SharedMeasure,
  sites: readonly string[],
  draw: Draw,
): SiteShare[] {
  const places = placesOf(sites);
  const counts = countPairs(pairs, measure, places);
  const baseline = counts.map((each) => shares(each.baseline));
  const variant = counts.map((each) => shares(each.variant));
  const differences = pairedDifferences(pairs, measure, places, counts, draw, (each) => {
    const before = shares(each.baseline);
    return Array.from(shares(each.variant), (share, place) => share - (before[place] as number));
  });
  return sites.map((site, place) => ({
    site,
    measure,
    baselineShare: mean(baseline.map((each) => each[place] as number)),
    variantShare: mean(variant.map((each) => each[place] as number)),
    difference: differences[place] as Interval,
  }));
}

const concentrationStatistics = ["hhiUnbiased", "effectiveSites", "gini", "top1", "top10", "coverage"] as const;

export interface ConcentrationChange {
  readonly statistic: (typeof concentrationStatistics)[number];
  readonly baseline: number | null;
  readonly variant: number | null;
  readonly difference: Interval;
}

/** Concentration of citations over a declared set of sites, means over the pairs, with the paired change. */
export function concentrationChanges(
  pairs: readonly Pair[],
  sites: readonly string[],
  draw: Draw,
): ConcentrationChange[] {
  const places = placesOf(sites);
  const counts = countPairs(pairs, "citations", places);
  const of = (values: Float64Array) => {
    const all = concentration([...values]);
    return concentrationStatistics.map((name) => all[name]);
  };
  const differences = pairedDifferences(pairs, "citations", places, counts, draw, (each) => {
    const before = of(each.baseline);
    return of(each.variant).map((value, index) => {
      const other = before[index];
      return value === null || other === null || other === undefined ? null : value - other;
    });
  });
  return concentrationStatistics.map((statistic, index) => ({
    statistic,
    baseline: meanOf(counts.map((each) => of(each.baseline)[index] ?? null)),
    variant: meanOf(counts.map((each) => of(each.variant)[index] ?? null)),
    difference: differences[index] as Interval,
  }));
}

/**
 * Differences of several statistics of the counts: over replications a mean with Student's interval; of a single pair
 * the difference, with a bootstrap of its topics.
 */
function pairedDifferences(
  pairs: readonly Pair[],
  measure: SharedMeasure,
  places: ReadonlyMap<string, number>,
  counts: readonly PairCounts[],
  draw: Draw,
  statistics: (counts: PairCounts) => readonly (number | null)[],
): Interval[] {
  const perPair = counts.map(statistics);
  const number = perPair[0]?.length ?? 0;
  if (pairs.length > 1) {
    return Array.from({ length: number }, (_, index) =>
      tInterval(perPair.map((each) => each[index] ?? null).filter((value) => value !== null)),
    );
  }
  const ends = bootstrapTopics(pairs[0] as Pair, measure, places, draw, statistics);
  return Array.from({ length: number }, (_, index) => {
    const value = perPair[0]?.[index] ?? null;
    const empty = noInterval("bootstrap-topic-user");
    if (value === null) return empty;
    const { low, high } = ends[index] ?? { low: null, high: null };
    return {
      ...empty,
      mean: value,
      n: 1,
      low: low === null ? null : Math.min(low, value),
      high: high === null ? null : Math.max(high, value),
    };
  });
}

/**
 * How many times the variance of unpaired differences common random numbers save: the sum over sites of the variances
 * of both shares over that of the variances of their paired difference. Null below two pairs and where nothing varies.
 */
export function varianceReduction(pairs: readonly Pair[], sites: readonly string[]): number | null {
  if (pairs.length < 2) return null;
  const counts = countPairs(pairs, "citations", placesOf(sites));
  let apart = 0;
  let together = 0;
  for (const place of sites.keys()) {
    const baseline = counts.map((each) => shares(each.baseline)[place] as number);
    const variant = counts.map((each) => shares(each.variant)[place] as number);
    apart += variance(baseline) + variance(variant);
    together += variance(variant.map((value, index) => value - (baseline[index] as number)));
  }
  return together === 0 ? null : apart / together;
}

export function placesOf(sites: readonly string[]): ReadonlyMap<string, number> {
  return new Map(sites.map((site, place) => [site, place]));
}

function shares(counts: Float64Array): Float64Array {
  const total = sum(counts);
  return total === 0 ? new Float64Array(counts.length) : counts.map((count) => count / total);
}

function variance(values: readonly number[]): number {
  return new Moments(values).variance ?? 0;
}

function mean(values: readonly number[]): number {
  return new Moments(values).mean ?? 0;
}

function meanOf(values: readonly (number | null)[]): number | null {
  return new Moments(values.filter((value) => value !== null)).mean;
}
