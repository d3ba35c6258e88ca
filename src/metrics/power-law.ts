/** A fitted Zipf distribution over ranks 1..ranks. */
export interface ZipfFit {
  /** p(rank) is proportional to rank^-exponent. */
  readonly exponent: number;
  /** Standard error of the exponent from the Fisher information. */
  readonly se: number;
  readonly logLikelihood: number;
  readonly ranks: number;
  readonly total: number;
}

/**
 * The maximum-likelihood Zipf exponent of counts in the order of their ranks; it may be negative. The number of ranks
 * matters: state whether sites without traffic are among them. Null where it is undefined (fewer than two ranks, no
 * events) or diverges (all events at the first or the last rank). Ranks made by sorting the same counts bias the
 * exponent; with a hundred sites it describes, and proves nothing.
 */
export function fitZipf(countsByRank: readonly number[]): ZipfFit | null {
  const logs = countsByRank.map((_, i) => Math.log(i + 1));
  const total = countsByRank.reduce((sum, count) => sum + count, 0);
  const ranks = countsByRank.length;
  const outside = total - Math.max(countsByRank[0] ?? 0, countsByRank[ranks - 1] ?? 0);
  if (ranks < 2 || total === 0 || outside === 0) return null;
  const meanLog = countsByRank.reduce((sum, count, i) => sum + count * (logs[i] as number), 0) / total;
  const exponent = decreasingRoot((s) => zipfMoments(logs, s).mean - meanLog, -1, 1);
  const { variance, logNorm } = zipfMoments(logs, exponent);
  return {
    exponent,
    se: 1 / Math.sqrt(total * variance),
    logLikelihood: -total * (exponent * meanLog + logNorm),
    ranks,
    total,
  };
}

/** As `fitZipf`, with ranks made by sorting the counts in descending order; zeros are ranks too. */
export function fitZipfToCounts(counts: readonly number[]): ZipfFit | null {
  return fitZipf([...counts].sort((a, b) => b - a));
}

/** Mean and variance of ln(rank) under the exponent `s`, and the logarithm of the norm, sum of rank^-s. */
function zipfMoments(logs: readonly number[], s: number): { mean: number; variance: number; logNorm: number } {
  const largest = Math.max(0, -s * (logs.at(-1) as number));
  let [sum, first, second] = [0, 0, 0];
  for (const log of logs) {
    const weight = Math.exp(-s * log - largest);
    sum += weight;
    first += weight * log;
    second += weight * log * log;
  }
  const mean = first / sum;
  return { mean, variance: second / sum - mean * mean, logNorm: Math.log(sum) + largest };
}

/** A discrete power law p(x) = x^-alpha / zeta(alpha, xMin) fitted to the values of at least xMin. */
export interface PowerLawFit {
  readonly alpha: number;
  /** The number of values of at least xMin. */
  readonly n: number;
  readonly logLikelihood: number;
  /** 1 + n / sum ln(x / (xMin - 1/2)): the approximation of Clauset et al. (2009), poor for xMin = 1. */
  readonly continuousApproximation: number;
  /** 1 + n / sum ln(x / xMin): the estimate for continuous values. */
  readonly continuous: number;
}

/**
 * The maximum-likelihood exponent of whole values of at least `xMin` >= 1 (Clauset, Shalizi and Newman 2009); null
 * when there are none or all equal xMin. Not the Zipf exponent s over ranks: alpha = 1 + 1/s in the limit only.
 */
export function fitPowerLaw(values: readonly number[], xMin: number): PowerLawFit | null {
  if (!(Number.isInteger(xMin) && xMin >= 1)) throw new RangeError(`xMin must be a whole number from 1; got ${xMin}`);
  const tail = values.filter((value) => value >= xMin);
  if (tail.every((value) => value === xMin)) return null;
  const n = tail.length;
  const logSum = tail.reduce((sum, value) => sum + Math.log(value), 0);
  const alpha = decreasingRoot(
    (s) => {
      const { sum, logs } = hurwitzSums(s, xMin);
      return logs / sum - logSum / n;
    },
    1 + 1e-9,
    2,
  );
  return {
    alpha,
    n,
    logLikelihood: -alpha * logSum - n * Math.log(hurwitzSums(alpha, xMin).sum),
    continuousApproximation: 1 + n / (logSum - n * Math.log(xMin - 0.5)),
    continuous: 1 + n / (logSum - n * Math.log(xMin)),
  };
}

/**
 * The sums over x = q, q+1, ... of x^-s, which is the Hurwitz zeta function, and of x^-s ln x, for s > 1: the first
 * terms, and the rest by the Euler-Maclaurin formula up to its first derivative.
 */
function hurwitzSums(s: number, q: number): { sum: number; logs: number } {
  let [sum, logs] = [0, 0];
  const end = q + 200;
  for (let x = q; x < end; x++) {
    const term = Math.exp(-s * Math.log(x));
    sum += term;
    logs += term * Math.log(x);
  }
  const log = Math.log(end);
  const term = Math.exp(-s * log);
  const integral = (end * term) / (s - 1);
  sum += integral + term / 2 + (s * term) / (12 * end);
  logs += integral * (log + 1 / (s - 1)) + (term * log) / 2 + (term * (s * log - 1)) / (12 * end);
  return { sum, logs };
}

/** The root of a decreasing function: the bracket [low, high] is doubled outwards, where needed, and then halved. */
function decreasingRoot(f: (x: number) => number, low: number, high: number): number {
  let step = high - low;
  while (f(high) > 0) {
    low = high;
    high += step;
    step *= 2;
  }
  while (f(low) < 0) {
    high = low;
    low -= step;
    step *= 2;
  }
  let middle = (low + high) / 2;
  while (high - low > 1e-14 * Math.max(1, Math.abs(middle))) {
    if (f(middle) > 0) low = middle;
    else high = middle;
    middle = (low + high) / 2;
  }
  return middle;
}
