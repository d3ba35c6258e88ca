import { type Draw, percentileEnds } from "../../metrics/bootstrap.ts";
import type { QueryFigures } from "../../statistics/query-figures.ts";
import { type Pair, type SharedMeasure, trafficOf } from "./sides.ts";

const resamples = 1000;

/** Counts of a resample, by the place of the site. */
export interface Resample {
  readonly baseline: Float64Array;
  readonly variant: Float64Array;
}

interface TopicCounts {
  readonly places: number[];
  readonly baseline: number[];
  readonly variant: number[];
}

/**
 * Resamples the topics of one pair of runs, each with all it brought to sites in both of them, so that what the two
 * have in common cancels. Fewer than two topics give no interval.
 */
export function bootstrapTopics(
  { baseline, variant }: Pair,
  measure: SharedMeasure,
  places: ReadonlyMap<string, number>,
  draw: Draw,
  statistics: (resample: Resample) => readonly (number | null)[],
): ({ readonly low: number; readonly high: number } | null)[] {
  const topics = [...countTopics(baseline.queries, variant.queries, measure, places).values()];
  if (topics.length < 2) return [];
  const values: number[][] = [];
  const resample = { baseline: new Float64Array(places.size), variant: new Float64Array(places.size) };
  for (let n = 0; n < resamples; n++) {
    resample.baseline.fill(0);
    resample.variant.fill(0);
    for (let i = 0; i < topics.length; i++) add(resample, topics[(draw() * topics.length) | 0] as TopicCounts);
    for (const [index, value] of statistics(resample).entries()) {
      const list = (values[index] ??= []);
      if (value !== null) list.push(value);
    }
  }
  return values.map((list) => (list.length < resamples / 2 ? null : percentileEnds(list, 0.95)));
}

function add(resample: Resample, { places, baseline, variant }: TopicCounts): void {
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number;
    resample.baseline[place] = (resample.baseline[place] as number) + (baseline[i] as number);
    resample.variant[place] = (resample.variant[place] as number) + (variant[i] as number);
  }
}

function countTopics(
  baseline: readonly QueryFigures[],
  variant: readonly QueryFigures[],
  measure: SharedMeasure,
  places: ReadonlyMap<string, number>,
): Map<string, TopicCounts> {
  const topics = new Map<string, TopicCounts>();
  for (const [side, queries] of [["baseline", baseline] as const, ["variant", variant] as const]) {
    for (const query of queries) {
      if (query.measures === null) continue;
      const key = `${query.task}/${query.topic}`;
      const counts = topics.get(key) ?? { places: [], baseline: [], variant: [] };
      topics.set(key, counts);
      for (const [site, amount] of trafficOf(query, measure)) {
        const place = places.get(site);
        if (place === undefined) continue;
        let at = counts.places.indexOf(place);
        if (at < 0) {
          at = counts.places.push(place) - 1;
          counts.baseline.push(0);
          counts.variant.push(0);
        }
        counts[side][at] = (counts[side][at] as number) + amount;
      }
    }
  }
  return topics;
}
