import type { Draw } from "../../metrics/bootstrap.ts";
import type { Counterfactual } from "./counterfactual.ts";
import { type Diversion, diversion } from "./diversion.ts";
import { type MeasureChange, measureChanges } from "./measure-changes.ts";
import {
  type ConcentrationChange,
  concentrationChanges,
  type SiteShare,
  siteShares,
  varianceReduction,
} from "./site-shares.ts";
import { type Change, type Pair, sharedMeasures } from "./sides.ts";

/** Which queries the two runs have in common, and what became of them. */
export interface QueryChanges {
  /** In both runs. */
  readonly paired: number;
  readonly identical: number;
  /** Met none of the changed sites in either run; null where the change is not about sites alone. */
  readonly neverMet: number | null;
  /** Of these, those that differ all the same: by queues, by memory, or by the list of sites. */
  readonly neverMetDiffering: number | null;
  /** In one of the runs only: a shock of demand adds queries or takes them out. */
  readonly unpaired: number;
  /** Ids of those whose outcome or answer differs; `r<replication>/<id>` where there are several replications. */
  readonly changed: readonly string[];
}

export interface Comparison {
  readonly change: Change;
  readonly pairs: readonly Pair[];
  readonly sites: readonly SiteShare[];
  readonly diversion: Diversion | null;
  readonly measures: readonly MeasureChange[];
  readonly concentration: {
    readonly union: readonly ConcentrationChange[];
    readonly survivors: readonly ConcentrationChange[];
  };
  readonly queries: QueryChanges;
  readonly varianceReduction: number | null;
  /** The share of the variant's model answers that came from the baseline's tape; null where there was none. */
  readonly tapeCoverage: number | null;
  readonly counterfactual: Counterfactual | null;
  readonly notices: readonly string[];
}

export interface ComparisonInput {
  readonly change: Change;
  readonly pairs: readonly Pair[];
  /** The sites of both runs. */
  readonly sites: readonly string[];
  readonly drawFor: (entity: string) => Draw;
  readonly tapeCoverage: number | null;
  readonly counterfactual: Counterfactual | null;
  readonly notices: readonly string[];
}

/** Compares a baseline with a variant on common random numbers, replication by replication. */
export function compareRuns(input: ComparisonInput): Comparison {
  const { change, pairs, sites, drawFor, tapeCoverage, counterfactual, notices } = input;
  const gone = new Set([...change.removed, ...change.added]);
  const survivors = sites.filter((site) => !gone.has(site));
  const removed = new Set(change.removed);
  return {
    change,
    pairs,
    sites: sharedMeasures.flatMap((measure) => siteShares(pairs, measure, sites, drawFor(`shares ${measure}`))),
    diversion:
      diversion(pairs, "citations", change.removed, sites) ?? diversion(pairs, "contacts", change.removed, sites),
    measures: measureChanges(pairs, drawFor),
    concentration: {
      union: concentrationChanges(pairs, sites, drawFor("concentration union")),
      survivors: concentrationChanges(pairs, survivors, drawFor("concentration survivors")),
    },
    queries: queryChanges(pairs, change),
    varianceReduction: varianceReduction(
      pairs,
      sites.filter((site) => !removed.has(site)),
    ),
    tapeCoverage,
    counterfactual,
    notices,
  };
}

function queryChanges(pairs: readonly Pair[], { sites, isElsewhere }: Change): QueryChanges {
  const about = new Set(sites);
  const isUnmet = ({ met }: { readonly met: readonly string[] }): boolean => !met.some((site) => about.has(site));
  let [paired, identical, neverMet, neverMetDiffering, unpaired] = [0, 0, 0, 0, 0];
  const changed: string[] = [];
  for (const { baseline, variant } of pairs) {
    const others = new Map(variant.queries.map((query) => [query.query, query]));
    const before = paired;
    for (const query of baseline.queries) {
      const other = others.get(query.query);
      if (other === undefined) continue;
      paired++;
      const isIdentical = query.digest === other.digest;
      if (isIdentical) identical++;
      if (isUnmet(query) && isUnmet(other)) {
        neverMet++;
        if (!isIdentical) neverMetDiffering++;
      }
      if (query.outcome !== other.outcome) {
        changed.push(pairs.length === 1 ? query.query : `r${baseline.run.replication}/${query.query}`);
      }
    }
    unpaired += baseline.queries.length + variant.queries.length - 2 * (paired - before);
  }
  const known = sites.length > 0 && !isElsewhere;
  return {
    paired,
    identical,
    neverMet: known ? neverMet : null,
    neverMetDiffering: known ? neverMetDiffering : null,
    unpaired,
    changed,
  };
}
