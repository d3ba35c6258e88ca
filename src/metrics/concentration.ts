/**
 * Concentration of traffic over a declared set of sites: `counts` holds one whole number of events per site, zeros
 * included. Shares, Gini, entropy and coverage depend on the number of events and on the declared set; only the
 * unbiased Herfindahl index does not, so it stands first when windows of different volume are compared.
 *
 * Everything but `sites` and `n` is null when there is no event, and the unbiased figures below two events.
 */
export interface Concentration {
  /** Declared sites and events. */
  readonly sites: number;
  readonly n: number;
  /** Herfindahl-Hirschman index: the sum of squared shares, in [1/sites, 1]. */
  readonly hhi: number | null;
  /** The unbiased estimate of HHI from a sample of n events, in [0, 1]; null unless counts are whole and n >= 2. */
  readonly hhiUnbiased: number | null;
  /** 1 / hhiUnbiased: as if traffic were spread over so many equal sites; null when hhiUnbiased is null or 0. */
  readonly effectiveSites: number | null;
  /** exp(Shannon entropy), in [1, sites]. */
  readonly effectiveSitesShannon: number | null;
  /** Gini coefficient over all declared sites, and over those with traffic only, in [0, 1). */
  readonly gini: number | null;
  readonly giniPositive: number | null;
  /** Concentration ratios: the share of the 1, 5 and 10 busiest sites. */
  readonly top1: number | null;
  readonly top5: number | null;
  readonly top10: number | null;
  /** The share of the declared sites that have traffic. */
  readonly coverage: number | null;
  /** Theil's T in nats, in [0, ln sites]. */
  readonly theil: number | null;
}

/** All concentration measures of one vector of counts. */
export function concentration(counts: readonly number[]): Concentration {
  const hhiUnbiased = unbiasedHerfindahl(counts);
  const entropy = shannonEntropy(counts);
  const n = total(counts);
  const positive = counts.filter((count) => count > 0);
  return {
    sites: counts.length,
    n,
    hhi: herfindahl(counts),
    hhiUnbiased,
    effectiveSites: hhiUnbiased === null || hhiUnbiased === 0 ? null : 1 / hhiUnbiased,
    effectiveSitesShannon: entropy === null ? null : Math.exp(entropy),
    gini: gini(counts),
    giniPositive: gini(positive),
    top1: topShare(counts, 1),
    top5: topShare(counts, 5),
    top10: topShare(counts, 10),
    coverage: n === 0 ? null : positive.length / counts.length,
    theil: theilT(counts),
  };
}

/** The sum of the counts, which must be finite and not negative (`RangeError` otherwise). */
function total(counts: readonly number[]): number {
  let sum = 0;
  for (const count of counts) {
    if (!(count >= 0 && count < Infinity)) throw new RangeError(`a count must be 0 or more, finite; got ${count}`);
    sum += count;
  }
  return sum;
}

/** The Herfindahl-Hirschman index, the sum of squared shares; null without events. Times 10,000 in antitrust. */
export function herfindahl(counts: readonly number[]): number | null {
  const n = total(counts);
  if (n === 0) return null;
  let sum = 0;
  for (const count of counts) sum += (count / n) * (count / n);
  return Math.min(1, sum);
}

/** HHI scaled so that equal shares give 0 and a monopoly 1: (HHI - 1/sites) / (1 - 1/sites); null for one site. */
export function normalizedHerfindahl(counts: readonly number[]): number | null {
  const hhi = herfindahl(counts);
  if (hhi === null || counts.length === 1) return null;
  return Math.max(0, (hhi - 1 / counts.length) / (1 - 1 / counts.length));
}

/**
 * The unbiased estimate of HHI, sum x(x-1) / n(n-1): the chance that two events drawn without replacement are at one
 * site (Simpson 1949). Its expectation is the true HHI at every n, where the plug-in is too high by (1 - HHI)/n.
 * Null below two events, and when counts are not whole numbers.
 */
export function unbiasedHerfindahl(counts: readonly number[]): number | null {
  const n = total(counts);
  if (n < 2 || !counts.every(Number.isInteger)) return null;
  let sum = 0;
  for (const count of counts) sum += (count / n) * ((count - 1) / (n - 1));
  return Math.min(1, Math.max(0, sum));
}

/**
 * Where the unbiased estimate of HHI from n multinomial events lies in 95 of 100 cases while the shares are those of
 * `counts` (normal approximation). Its variance as a U-statistic of order 2 with the kernel "at one site" (Hoeffding
 * 1948) is (4 (n - 2) (S3 - S2^2) + 2 (S2 - S2^2)) / (n (n - 1)), S2 and S3 being the sums of the squared and cubed
 * shares. Null without events, or with n below 2.
 */
export function herfindahlBand(
  counts: readonly number[],
  n: number,
): { readonly value: number; readonly low: number; readonly high: number } | null {
  const all = total(counts);
  if (all === 0 || n < 2) return null;
  let squares = 0;
  let cubes = 0;
  for (const count of counts) {
    const share = count / all;
    squares += share * share;
    cubes += share * share * share;
  }
  const one = Math.max(0, cubes - squares * squares);
  const variance = (4 * (n - 2) * one + 2 * (squares - squares * squares)) / (n * (n - 1));
  const width = 1.959963984540054 * Math.sqrt(variance);
  return { value: squares, low: Math.max(0, squares - width), high: Math.min(1, squares + width) };
}

/**
 * The Gini coefficient, sum (2i - n - 1) x_(i) / (n T) over the ascending counts, in [0, 1 - 1/sites]; null without
 * events. Zeros count as sites: pass the positive counts for the Gini of sites with traffic.
 */
export function gini(counts: readonly number[]): number | null {
  const n = total(counts);
  if (n === 0) return null;
  const sites = counts.length;
  let sum = 0;
  ascending(counts).forEach((count, i) => {
    sum += (2 * (i + 1) - sites - 1) * (count / n);
  });
  return Math.max(0, sum / sites);
}

/** Gini times sites / (sites - 1), so that a monopoly gives 1 whatever the number of sites; null for one site. */
export function correctedGini(counts: readonly number[]): number | null {
  const value = gini(counts);
  return value === null || counts.length === 1 ? null : (value * counts.length) / (counts.length - 1);
}

/** Shannon's entropy of the shares in nats, in [0, ln sites]; null without events. Biased down in small samples. */
export function shannonEntropy(counts: readonly number[]): number | null {
  const n = total(counts);
  if (n === 0) return null;
  let sum = 0;
  for (const count of counts) if (count > 0) sum -= (count / n) * Math.log(count / n);
  return Math.max(0, sum);
}

/** Shannon's entropy in nats with the correction of Miller and Madow (1955): plus (sites with traffic - 1) / 2n. */
export function millerMadowEntropy(counts: readonly number[]): number | null {
  const entropy = shannonEntropy(counts);
  if (entropy === null) return null;
  return entropy + (counts.filter((count) => count > 0).length - 1) / (2 * total(counts));
}

/** Entropy over its maximum, ln sites (Pielou's evenness), in [0, 1]; null for fewer than two sites. */
export function evenness(counts: readonly number[]): number | null {
  const entropy = shannonEntropy(counts);
  return entropy === null || counts.length < 2 ? null : Math.min(1, entropy / Math.log(counts.length));
}

/** Theil's T in nats, ln sites - entropy, in [0, ln sites]; null without events. */
export function theilT(counts: readonly number[]): number | null {
  const entropy = shannonEntropy(counts);
  return entropy === null ? null : Math.max(0, Math.log(counts.length) - entropy);
}

/** Theil's L in nats, the mean of ln(mean / count); null without events and when a site has none. */
export function theilL(counts: readonly number[]): number | null {
  const n = total(counts);
  if (n === 0 || counts.includes(0)) return null;
  const mean = n / counts.length;
  return Math.max(0, counts.reduce((sum, count) => sum + Math.log(mean / count), 0) / counts.length);
}

/** CR_k, the share of the k busiest sites, in [0, 1]; null without events. */
export function topShare(counts: readonly number[], k: number): number | null {
  const n = total(counts);
  if (n === 0) return null;
  return Math.min(1, total(ascending(counts).reverse().slice(0, k)) / n);
}

/**
 * The Lorenz curve as points (share of sites, their share of the events) from [0, 0] to [1, 1], least busy sites
 * first; null without events.
 */
export function lorenzCurve(counts: readonly number[]): [number, number][] | null {
  const n = total(counts);
  if (n === 0) return null;
  let sum = 0;
  const points = ascending(counts).map((count, i): [number, number] => {
    sum += count;
    return [(i + 1) / counts.length, sum / n];
  });
  return [[0, 0], ...points];
}

function ascending(counts: readonly number[]): number[] {
  return [...counts].sort((a, b) => a - b);
}
