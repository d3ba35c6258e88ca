import { type Interval, noInterval } from "./intervals.ts";
import { normalProbability, normalQuantile } from "./normal-distribution.ts";

/** A source of uniform random numbers in [0, 1). */
export type Draw = () => number;

/** The cases of one cluster (a topic): the sum of their values and their number. */
export interface Cluster {
  readonly sum: number;
  readonly count: number;
}

/**
 * The mean over all cases, with the percentile bootstrap interval that resamples whole clusters: cases of one topic
 * are not independent. Each resample draws as many clusters as there are and takes the ratio of sums, so memory and
 * time depend on the number of clusters alone. Clusters without cases are left out. With one cluster there is no
 * interval; n is the number of cases. Collapses to a point when all cases agree: for 0/1 measures see
 * `clusteredWilsonInterval`.
 */
export function clusteredMean(clusters: Iterable<Cluster>, draw: Draw, resamples = 2000): Interval {
  const used = [...clusters].filter((cluster) => cluster.count > 0);
  const sums = Float64Array.from(used, (cluster) => cluster.sum);
  const counts = Float64Array.from(used, (cluster) => cluster.count);
  return bootstrapInterval(used, used.length < 2 ? [] : resampleRatios(sums, counts, draw, resamples));
}

/** The ratio of the summed `sums` to the summed `counts` in each resample of the positions. */
function resampleRatios(sums: Float64Array, counts: Float64Array, draw: Draw, resamples: number): Float64Array {
  const size = sums.length;
  const ratios = new Float64Array(resamples);
  for (let b = 0; b < resamples; b++) {
    let sum = 0;
    let count = 0;
    for (let i = 0; i < size; i++) {
      const drawn = (draw() * size) | 0;
      sum += sums[drawn] as number;
      count += counts[drawn] as number;
    }
    ratios[b] = sum / count;
  }
  return ratios;
}

/** The cases of one topic that came from one user. */
export interface Cell extends Cluster {
  readonly topic: string;
  readonly user: string;
}

/**
 * As `clusteredMean`, with topics and users resampled independently (the pigeonhole bootstrap, Owen 2007): for
 * measures that vary with both, say with a user's memory. A case weighs the draws of its topic times those of its
 * user. It errs on the wide side. No interval with one topic or one user.
 */
export function crossedMean(cells: Iterable<Cell>, draw: Draw, resamples = 2000): Interval {
  const used = [...cells].filter((cell) => cell.count > 0);
  const topics = positions(used.map((cell) => cell.topic));
  const users = positions(used.map((cell) => cell.user));
  const means: number[] = [];
  while (topics.size > 1 && users.size > 1 && means.length < resamples) {
    const topicDraws = multiplicities(topics.size, draw);
    const userDraws = multiplicities(users.size, draw);
    let sum = 0;
    let count = 0;
    for (let i = 0; i < used.length; i++) {
      const weight = (topicDraws[topics.of[i] as number] as number) * (userDraws[users.of[i] as number] as number);
      sum += weight * (used[i] as Cell).sum;
      count += weight * (used[i] as Cell).count;
    }
    // Sparse cells can miss each other altogether; such a resample has no mean.
    means.push(count === 0 ? NaN : sum / count);
  }
  return bootstrapInterval(
    used,
    Float64Array.from(means).filter((mean) => !Number.isNaN(mean)),
  );
}

function bootstrapInterval(clusters: readonly Cluster[], resampleMeans: ArrayLike<number>): Interval {
  const n = clusters.reduce((total, cluster) => total + cluster.count, 0);
  const empty = noInterval("bootstrap-topic-user");
  if (n === 0) return empty;
  const mean = clusters.reduce((total, cluster) => total + cluster.sum, 0) / n;
  if (resampleMeans.length === 0) return { ...empty, mean, n };
  return { ...empty, ...around(mean, percentileEnds(resampleMeans, 0.95)), n };
}

function positions(names: readonly string[]): { of: Int32Array; size: number } {
  const index = new Map<string, number>();
  for (const name of names) if (!index.has(name)) index.set(name, index.size);
  return { of: Int32Array.from(names, (name) => index.get(name) as number), size: index.size };
}

function multiplicities(size: number, draw: Draw): Uint32Array {
  const times = new Uint32Array(size);
  for (let i = 0; i < size; i++) {
    const drawn = (draw() * size) | 0;
    times[drawn] = (times[drawn] as number) + 1;
  }
  return times;
}

/** The means of `resamples` resamples of independent values, drawn with replacement; none without values. */
export function resampleMeans(values: readonly number[], draw: Draw, resamples = 2000): Float64Array {
  if (values.length === 0) return new Float64Array();
  return resampleRatios(Float64Array.from(values), new Float64Array(values.length).fill(1), draw, resamples);
}

/**
 * The ends of the percentile bootstrap interval at a confidence `level` in (0, 1): quantiles of the resample means.
 */
export function percentileEnds(resampleMeans: ArrayLike<number>, level: number): { low: number; high: number } {
  const sorted = Float64Array.from(resampleMeans).sort();
  return { low: quantileOfSorted(sorted, (1 - level) / 2), high: quantileOfSorted(sorted, (1 + level) / 2) };
}

/** The ends of the basic bootstrap interval: the percentile ends mirrored at the mean of the values. */
export function basicEnds(
  mean: number,
  resampleMeans: ArrayLike<number>,
  level: number,
): { low: number; high: number } {
  const { low, high } = percentileEnds(resampleMeans, level);
  return { low: 2 * mean - high, high: 2 * mean - low };
}

/** The quantile by linear interpolation at (n - 1) q of values in ascending order (type 7 of R, numpy's linear). */
function quantileOfSorted(sorted: Float64Array, q: number): number {
  if (sorted.length === 0) throw new RangeError("there is no quantile of no values");
  const place = (sorted.length - 1) * q;
  const below = Math.floor(place);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (place - below) * (high - low);
}

/**
 * The bias-corrected and accelerated bootstrap interval (Efron 1987) of the mean of independent values: for bounded
 * or skewed measures, since it never leaves the range of the values and leans with their skew. Ends are null below
 * two values.
 */
export function bcaInterval(values: readonly number[], draw: Draw, resamples = 2000): Interval {
  const n = values.length;
  const empty = noInterval("bca");
  if (n === 0) return empty;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  if (n < 2) return { ...empty, mean, n };
  const sorted = resampleMeans(values, draw, resamples).sort();
  const bias = biasOf(sorted, mean);
  const acceleration = accelerationOf(values, mean);
  const end = (z: number) => {
    const shifted = bias + z;
    return quantileOfSorted(sorted, normalProbability(bias + shifted / (1 - acceleration * shifted)));
  };
  const z = normalQuantile(0.975);
  return { ...empty, ...around(mean, { low: end(-z), high: end(z) }), n };
}

/** The normal quantile of the share of resample means below the mean, ties counted half. */
function biasOf(sorted: Float64Array, mean: number): number {
  let below = 0;
  for (const value of sorted) below += value < mean ? 1 : value === mean ? 0.5 : 0;
  return normalQuantile(below / sorted.length);
}

/** A sixth of the jackknife's skewness; for the mean, that of the values over sqrt(n). 0 for equal values. */
function accelerationOf(values: readonly number[], mean: number): number {
  const norm = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0));
  if (norm === 0) return 0;
  let cubes = 0;
  for (const value of values) {
    const d = (value - mean) / norm;
    cubes += d * d * d;
  }
  return cubes / 6;
}

/** The mean with an interval that contains it, also where rounding or a strong skew would leave it just outside. */
function around(mean: number, ends: { low: number; high: number }) {
  return { mean, low: Math.min(mean, ends.low), high: Math.max(mean, ends.high) };
}
