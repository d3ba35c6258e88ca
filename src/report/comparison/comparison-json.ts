import type { Interval } from "../../metrics/intervals.ts";
import type { Comparison } from "./compare.ts";
import type { ConcentrationChange } from "./site-shares.ts";

/** `comparison.json`. */
export function comparisonJson(comparison: Comparison): unknown {
  const { pairs, change, diversion, sites, measures, concentration, queries } = comparison;
  return {
    format: "awesim-comparison",
    version: 1,
    baseline: pairs[0]?.baseline.run,
    variant: pairs[0]?.variant.run,
    replications: pairs.length,
    change,
    sites: sites.map(({ difference, ...rest }) => ({ ...rest, difference: differenceOf(difference) })),
    diversion,
    measures: measures.map(({ difference, ...rest }) => ({ ...rest, difference: differenceOf(difference) })),
    concentration: { union: statistics(concentration.union), survivors: statistics(concentration.survivors) },
    queries,
    varianceReduction: comparison.varianceReduction,
    tapeCoverage: comparison.tapeCoverage,
    counterfactual: comparison.counterfactual,
    notices: comparison.notices,
  };
}

function statistics(changes: readonly ConcentrationChange[]) {
  return Object.fromEntries(
    changes.map(({ statistic, baseline, variant, difference }) => [
      statistic,
      { baseline, variant, difference: differenceOf(difference) },
    ]),
  );
}

function differenceOf({ mean, low, high, n, method }: Interval) {
  return { mean, low, high, n, method };
}
