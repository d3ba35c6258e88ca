import { expect } from "vitest";
import {
  basicEnds,
  meanAtLevel,
  median,
  Moments,
  pairedDifference,
  percentileEnds,
  resampleMeans,
  tQuantile,
  twoSidedP,
} from "../../../src/metrics/index.ts";
import { type Check, expectClose, type Json, sameForAll } from "./comparison.ts";
import { uniform } from "../uniform.ts";

const magnitude = (values: number[]) => Math.max(...values.map(Math.abs), Number.MIN_VALUE);

const ends = ({ low, high }: { low: number | null; high: number | null }) => (low === null ? null : [low, high]);

const checkMean: Check = ({ values, confidence }, expected) => {
  const got = meanAtLevel(values, confidence);
  const { df, t_crit, ...inUnits } = expected;
  const described: Json = {
    n: got.n,
    mean: got.mean,
    sd: got.sd,
    se: got.se,
    ci: ends(got),
    min: Math.min(...values),
    max: Math.max(...values),
    median: median(values),
  };
  expectClose(described, inUnits, { scale: magnitude(values) });
  if (df !== undefined) expectClose({ df: got.df, t_crit: got.critical }, { df, t_crit });
  if (expected.sd === 0) expect(got.sd).toBe(0);
};

const checkPaired: Check = ({ a, b, confidence }, expected) => {
  const got = pairedDifference(a, b, confidence);
  const { df, t_crit, t, p, t_ill_conditioned, ...inUnits } = expected;
  const described: Json = { n: got.n, mean_diff: got.mean, sd_diff: got.sd, se_diff: got.se, ci: ends(got) };
  expectClose(described, inUnits, { scale: magnitude([...a, ...b]) });
  if (df !== undefined) expectClose({ df: got.df, t_crit: got.critical }, { df, t_crit });
  if (t_ill_conditioned !== true) expectClose({ t: got.t, p: got.p }, { t, p });
};

export const meanCi = sameForAll(
  ["small", "constant", "stability", "binary", "random", "confidence", "replications"],
  checkMean,
);

export const pairedCi = sameForAll(["edge", "n2to30", "binary", "confidence"], checkPaired);

export const tDistribution: Record<string, Check> = {
  quantile: ({ p, df }, expected) => expectClose({ t: tQuantile(p, df) }, expected),
  "two-sided-p": ({ t, df }, expected) => expectClose({ p_two_sided: twoSidedP(t, df) }, expected),
};

export const bootstrap: Record<string, Check> = {
  "given-indices": ({ values, indices, confidence }, expected) => {
    // The draws that lead the product to the given positions, row by row.
    const positions: number[] = indices.flat();
    let next = 0;
    const draw = () => ((positions[next++] as number) + 0.5) / values.length;
    const means = resampleMeans(values, draw, indices.length);
    const summary = new Moments(means);
    const mean = new Moments(values).mean as number;
    expectClose(
      {
        resample_means: [...means],
        percentile_ci: ends(percentileEnds(means, confidence)),
        boot_mean: summary.mean,
        boot_se: summary.sd,
        basic_ci: ends(basicEnds(mean, means, confidence)),
      },
      expected,
    );
  },
  exhaustive: ({ values, confidence, all_resamples }, expected) => {
    // All n^n resamples: the digits of 0, 1, 2, ... to the base n.
    const n = values.length;
    let drawn = 0;
    const draw = () => {
      const [row, column] = [Math.floor(drawn / n), drawn % n];
      drawn++;
      return ((Math.floor(row / n ** column) % n) + 0.5) / n;
    };
    const means = resampleMeans(values, draw, all_resamples);
    const summary = new Moments(means);
    expectClose(
      {
        percentile_ci_all: ends(percentileEnds(means, confidence)),
        mean_all: summary.mean,
        se_all: summary.populationSd,
      },
      expected,
    );
  },
  "monte-carlo": ({ values, confidence }, expected) => {
    for (const [resamples, tolerance] of [
      [2_000, expected.tolerance_for_B_2000],
      [10_000, expected.tolerance_for_B_10000],
    ]) {
      const means = resampleMeans(values, uniform(11), resamples);
      const got = percentileEnds(means, confidence);
      expect(Math.abs(got.low - expected.percentile_ci_limit[0])).toBeLessThanOrEqual(tolerance);
      expect(Math.abs(got.high - expected.percentile_ci_limit[1])).toBeLessThanOrEqual(tolerance);
      expect(Math.abs((new Moments(means).sd as number) - expected.se_limit)).toBeLessThanOrEqual(tolerance);
    }
  },
};
