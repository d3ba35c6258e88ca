import { wilsonInterval } from "../../metrics/intervals.ts";
import type { QueryFigures } from "../../statistics/query-figures.ts";
import { countSites, type Pair, sum } from "./sides.ts";
import { placesOf } from "./site-shares.ts";

/** What was assumed of queries that never met the changed site, and what the audit of that found. */
export interface Counterfactual {
  readonly assumption: "menu-independence";
  /** Queries that keep their answers unless they are asked again, these included. */
  readonly kept: number;
  readonly audited: number;
  /** Audited queries whose outcome or answer differs from the recorded one. */
  readonly violated: number;
  /** Wilson's interval of the rate of violations. */
  readonly low: number | null;
  readonly high: number | null;
  /** The change of each site's share of citations as assumed, and corrected by what the audit found. */
  readonly effects: readonly { readonly site: string; readonly assumed: number; readonly corrected: number }[];
}

/**
 * Judges menu independence. Without correction an audited query counts as it was recorded; with it, what the audited
 * queries changed counts for all that keep their answers: times kept / audited (a ratio of the sample).
 */
export function counterfactual(
  { baseline, variant }: Pair,
  kept: readonly string[],
  audited: readonly string[],
  sites: readonly string[],
): Counterfactual {
  const before = new Map(baseline.queries.map((query) => [query.query, query]));
  const after = new Map(variant.queries.map((query) => [query.query, query]));
  const of = (ids: readonly string[], queries: ReadonlyMap<string, QueryFigures>) =>
    ids.flatMap((id) => queries.get(id) ?? []);
  const violated = audited.filter((id) => before.get(id)?.outcome !== after.get(id)?.outcome).length;
  const places = placesOf(sites);
  const count = (queries: readonly QueryFigures[]) => countSites(queries, "citations", places);
  const whole = count(baseline.queries);
  const [recorded, asked] = [count(of(audited, before)), count(of(audited, after))];
  const live = count(variant.queries);
  const weight = audited.length === 0 ? 0 : kept.length / audited.length;
  const change = (place: number): number => (asked[place] as number) - (recorded[place] as number);
  const assumed = live.map((value, place) => value - change(place));
  const corrected = assumed.map((value, place) => Math.max(0, value + weight * change(place)));
  const share = (counts: Float64Array, place: number): number => {
    const total = sum(counts);
    return total === 0 ? 0 : (counts[place] as number) / total;
  };
  const { low, high } = wilsonInterval(violated, audited.length);
  return {
    assumption: "menu-independence",
    kept: kept.length,
    audited: audited.length,
    violated,
    low,
    high,
    effects: sites.map((site, place) => ({
      site,
      assumed: share(assumed, place) - share(whole, place),
      corrected: share(corrected, place) - share(whole, place),
    })),
  };
}
