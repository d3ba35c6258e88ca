import { InputError } from "../errors.ts";

/** Kendall's rank correlation of two variables and the pairs it is made of. */
export interface Kendall {
  /** Corrected for ties, in [-1, 1]; null when either variable is constant. */
  readonly tauB: number | null;
  /** Over all pairs, in [-1, 1]; null below two observations. */
  readonly tauA: number | null;
  readonly concordant: number;
  readonly discordant: number;
  /** Pairs tied in the first variable only, in the second only, in both. */
  readonly tiesXOnly: number;
  readonly tiesYOnly: number;
  readonly tiesBoth: number;
}

/** Kendall's tau of values paired by position (Kendall 1938, 1945). Time grows with the square of their number. */
export function kendall(x: readonly number[], y: readonly number[]): Kendall {
  if (x.length !== y.length) throw new RangeError(`paired values differ in number: ${x.length} and ${y.length}`);
  let [concordant, discordant, tiesXOnly, tiesYOnly, tiesBoth] = [0, 0, 0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j < i; j++) {
      const dx = order(x[i] as number, x[j] as number);
      const dy = order(y[i] as number, y[j] as number);
      if (dx === 0 && dy === 0) tiesBoth++;
      else if (dx === 0) tiesXOnly++;
      else if (dy === 0) tiesYOnly++;
      else if (dx === dy) concordant++;
      else discordant++;
    }
  }
  const untied = concordant + discordant;
  const pairs = (x.length * (x.length - 1)) / 2;
  const norm = Math.sqrt(untied + tiesXOnly) * Math.sqrt(untied + tiesYOnly);
  return {
    tauB: norm === 0 ? null : Math.min(1, Math.max(-1, (concordant - discordant) / norm)),
    tauA: pairs === 0 ? null : (concordant - discordant) / pairs,
    concordant,
    discordant,
    tiesXOnly,
    tiesYOnly,
    tiesBoth,
  };
}

function order(a: number, b: number): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Rank-biased overlap of two rankings, all parts in [0, 1] (Webber, Moffat and Zobel 2010). */
export interface RankBiasedOverlap {
  /** Extrapolated beyond the lists (eq. 32): the point estimate to report. */
  readonly ext: number;
  /** The least value that any continuation of the lists can give (eq. 11), and how much more is possible (eq. 30). */
  readonly min: number;
  readonly res: number;
  /** The sum over the depth of the shorter list alone, and the same over its largest possible value. */
  readonly truncated: number;
  readonly truncatedNormalized: number;
  /** The mean overlap over the depth of the shorter list. */
  readonly averageOverlap: number;
  /** The length of the shorter list. */
  readonly depth: number;
}

/**
 * Rank-biased overlap with persistence `p` in (0, 1): the chance to look one rank deeper. A repeated item in a list is
 * an `InputError`. Two empty lists agree fully; an empty list and another do not agree at all.
 */
export function rankBiasedOverlap(a: readonly string[], b: readonly string[], p: number): RankBiasedOverlap {
  if (!(p > 0 && p < 1)) throw new RangeError(`the persistence p must lie between 0 and 1; got ${p}`);
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const [s, l] = [short.length, long.length];
  const overlap = overlaps(short, long);
  if (s === 0) {
    const same = l === 0 ? 1 : 0;
    return { ext: same, min: same, res: 0, truncated: same, truncatedNormalized: same, averageOverlap: same, depth: 0 };
  }
  const [xs, xl] = [overlap[s] as number, overlap[l] as number];
  const f = l + s - xl;
  let [agreement, extrapolated, beyondMin, average] = [0, 0, 0, 0];
  let [logSum, shortTail, longTail, truncated] = [0, 0, 0, 0];
  let [power, powerS, powerL] = [1, 1, 1];
  for (let d = 1; d <= f; d++) {
    power *= p;
    logSum += power / d;
    if (d > s) shortTail += power / d;
    if (d > l) longTail += power / d;
    if (d === s) powerS = power;
    if (d === l) powerL = power;
    if (d > l) continue;
    const x = overlap[d] as number;
    agreement += (x / d) * power;
    beyondMin += ((x - xl) / d) * power;
    if (d > s) extrapolated += ((xs * (d - s)) / (s * d)) * power;
    if (d <= s) average += x / d;
    if (d === s) truncated = agreement;
  }
  const scale = (1 - p) / p;
  const logs = -Math.log1p(-p);
  return {
    ext: fraction(scale * (agreement + extrapolated) + ((xl - xs) / l + xs / s) * powerL),
    min: fraction(scale * (beyondMin + xl * logs)),
    res: fraction(powerS + powerL - power - scale * (s * shortTail + l * longTail + xl * (logs - logSum))),
    truncated: fraction(scale * truncated),
    truncatedNormalized: fraction((scale * truncated) / (1 - powerS)),
    averageOverlap: average / s,
    depth: s,
  };
}

/** At each depth d, the number of items that the first d of both lists share; the shorter list stops at its end. */
function overlaps(short: readonly string[], long: readonly string[]): number[] {
  const [seenShort, seenLong] = [new Set<string>(), new Set<string>()];
  const counts = [0];
  let shared = 0;
  long.forEach((item, i) => {
    addOnce(seenLong, item);
    if (seenShort.has(item)) shared++;
    const other = short[i];
    if (other !== undefined) {
      addOnce(seenShort, other);
      if (seenLong.has(other)) shared++;
    }
    counts.push(shared);
  });
  return counts;
}

function addOnce(seen: Set<string>, item: string): void {
  if (seen.has(item)) throw new InputError(`a ranking lists ${item} twice; rank-biased overlap needs distinct items`);
  seen.add(item);
}

/** Takes away what rounding puts outside [0, 1]. */
function fraction(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/**
 * Cohen's kappa of two 0/1 ratings of the same cases: agreement beyond chance, in [-1, 1]; null without cases, or where
 * chance alone would always agree.
 */
export function cohenKappa(x: readonly number[], y: readonly number[]): number | null {
  if (x.length !== y.length) throw new RangeError(`paired values differ in number: ${x.length} and ${y.length}`);
  const n = x.length;
  const observed = x.filter((value, index) => value === y[index]).length / n;
  const [ones, others] = [x, y].map((values) => values.filter((value) => value === 1).length / n) as [number, number];
  const expected = ones * others + (1 - ones) * (1 - others);
  return n === 0 || expected === 1 ? null : (observed - expected) / (1 - expected);
}
