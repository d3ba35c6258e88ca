import { Moments } from "./moments.ts";
import { tQuantile, twoSidedP } from "./t-distribution.ts";

/**
 * A mean with its 95 % confidence interval. Without cases mean, low and high are null and n is 0; where there is a
 * mean but no interval (one case, one cluster) low and high are null. Never NaN or Infinity.
 *
 * `bootstrap-topic-user` is a bootstrap over clusters: topics, or topics and users.
 */
export interface Interval {
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
  readonly method: "wilson" | "t" | "bca" | "bootstrap-topic-user";
  readonly level: 0.95;
}

/** The range of values that a measure can take. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** The bounds of a measure that is a fraction. */
export const FRACTION: Bounds = { min: 0, max: 1 };

const UNBOUNDED: Bounds = { min: -Number.MAX_VALUE, max: Number.MAX_VALUE };

/** The 97.5 % point of the standard normal distribution. */
const Z95 = 1.959963984540054;

/** The interval of a measure without cases. */
export function noInterval(method: Interval["method"]): Interval {
  return { mean: null, low: null, high: null, n: 0, method, level: 0.95 };
}

/**
 * Student's t interval of the mean of independent values, cut at the bounds of the measure. Cutting is safe: the true
 * mean lies within the bounds, so coverage is unchanged. For skewed measures of few cases `bcaInterval` covers better;
 * for 0/1 measures use `wilsonInterval`, whose interval does not collapse when all cases agree, as this one does.
 */
export function tInterval(values: Iterable<number> | Moments, bounds: Bounds = UNBOUNDED): Interval {
  const { n, mean, low, high } = meanAtLevel(values, 0.95);
  return {
    mean,
    low: low === null ? null : Math.max(bounds.min, low),
    high: high === null ? null : Math.min(bounds.max, high),
    n,
    method: "t",
    level: 0.95,
  };
}

/** A mean, the parts of its t interval, and the interval; what cannot be had is null. */
export interface MeanAtLevel {
  readonly n: number;
  readonly mean: number | null;
  /** Sample standard deviation and standard error of the mean. */
  readonly sd: number | null;
  readonly se: number | null;
  readonly df: number | null;
  /** The quantile of t that the half-width is made of. */
  readonly critical: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** The mean of independent values with its t interval at any confidence `level` in (0, 1). */
export function meanAtLevel(values: Iterable<number> | Moments, level: number): MeanAtLevel {
  const moments = values instanceof Moments ? values : new Moments(values);
  const { n, mean, sd, se } = moments;
  if (mean === null || se === null) return { n, mean, sd, se, df: null, critical: null, low: null, high: null };
  const critical = tQuantile((1 + level) / 2, n - 1);
  return { n, mean, sd, se, df: n - 1, critical, low: mean - critical * se, high: mean + critical * se };
}

/** A paired comparison: the mean difference with its interval, and Student's test of no difference. */
export interface PairedDifference extends MeanAtLevel {
  /** mean / se and its two-sided p; null below two pairs and when all differences are equal. */
  readonly t: number | null;
  readonly p: number | null;
}

/** The differences a - b of values paired by position (the same topics, the same replications). */
export function pairedDifference(a: readonly number[], b: readonly number[], level = 0.95): PairedDifference {
  if (a.length !== b.length) throw new RangeError(`paired values differ in number: ${a.length} and ${b.length}`);
  const difference = meanAtLevel(
    a.map((value, i) => value - (b[i] as number)),
    level,
  );
  const { mean, se, df } = difference;
  if (mean === null || se === null || df === null || se === 0) return { ...difference, t: null, p: null };
  return { ...difference, t: mean / se, p: twoSidedP(mean / se, df) };
}

/**
 * Wilson's score interval (1927) of a share of independent 0/1 cases. It stays within [0, 1] and is never a point: for
 * 0 of 281 it is [0, 0.0135].
 */
export function wilsonInterval(successes: number, n: number): Interval {
  if (n === 0) return noInterval("wilson");
  return { ...wilsonBounds(successes / n, n), mean: successes / n, n, method: "wilson", level: 0.95 };
}

/**
 * Wilson's interval of a share of 0/1 cases that repeat clusters (arrivals of the same topic are not independent). The
 * number of cases is divided by the design effect: the variance of the ratio over clusters against that of
 * independent cases (Kish; Dean and Pagano 2015). Where all cases agree it cannot be estimated, and each cluster
 * counts as one case. Null ends with one cluster only; n is the number of cases.
 */
export function clusteredWilsonInterval(clusters: Iterable<{ sum: number; count: number }>): Interval {
  const used = [...clusters].filter((cluster) => cluster.count > 0);
  const n = used.reduce((total, cluster) => total + cluster.count, 0);
  if (n === 0) return noInterval("wilson");
  const mean = used.reduce((total, cluster) => total + cluster.sum, 0) / n;
  if (used.length < 2) return { ...noInterval("wilson"), mean, n };
  let squares = 0;
  for (const { sum, count } of used) squares += (sum - mean * count) * (sum - mean * count);
  const variance = ((used.length / (used.length - 1)) * squares) / (n * n);
  const agreed = mean === 0 || mean === 1;
  const effective = agreed ? used.length : Math.min(n, (mean * (1 - mean)) / variance);
  return { ...wilsonBounds(mean, effective), mean, n, method: "wilson", level: 0.95 };
}

/**
 * The difference a - b of two shares over the same cases, each value in [0, 1] (0/1, or a case's own share), paired by
 * position: Newcombe's interval from Wilson's limits (1998, method 10, with his correction of the correlation). It does
 * not collapse when no pair differs, as an interval of the differences would.
 */
export function pairedShareDifference(a: readonly number[], b: readonly number[]): Interval {
  const n = a.length;
  if (n !== b.length) throw new RangeError(`paired values differ in number: ${n} and ${b.length}`);
  const one = clusteredWilsonInterval(a.map((sum) => ({ sum, count: 1 })));
  const other = clusteredWilsonInterval(b.map((sum) => ({ sum, count: 1 })));
  if (one.mean === null || other.mean === null) return noInterval("wilson");
  const mean = one.mean - other.mean;
  if (one.low === null || one.high === null || other.low === null || other.high === null) {
    return { ...noInterval("wilson"), mean, n };
  }
  const phi = correlationOfShares(a, b);
  const width = (x: number, y: number) => Math.sqrt(Math.max(0, x * x - 2 * phi * x * y + y * y));
  const low = Math.max(-1, mean - width(one.mean - one.low, other.high - other.mean));
  const high = Math.min(1, mean + width(one.high - one.mean, other.mean - other.low));
  return { mean, low, high, n, method: "wilson", level: 0.95 };
}

/** The phi coefficient of paired shares; a positive one is corrected towards 0 as Newcombe does. */
function correlationOfShares(a: readonly number[], b: readonly number[]): number {
  const n = a.length;
  let [sumA, sumB, both] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [x, y] = [a[i] as number, b[i] as number];
    sumA += x;
    sumB += y;
    both += x * y;
  }
  const spread = Math.sqrt(sumA * (n - sumA) * sumB * (n - sumB));
  const shared = n * both - sumA * sumB;
  if (spread === 0) return 0;
  return (shared > 0 ? Math.max(0, shared - n / 2) : shared) / spread;
}

function wilsonBounds(share: number, n: number): { low: number; high: number } {
  if (!(share >= 0 && share <= 1)) throw new RangeError(`a share must lie between 0 and 1; got ${share}`);
  const z2 = Z95 * Z95;
  const centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z95 * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n))) / (1 + z2 / n);
  // Rounding may leave an end a hair outside [0, 1], or on the wrong side of the share.
  return { low: Math.max(0, Math.min(share, centre - half)), high: Math.min(1, Math.max(share, centre + half)) };
}
