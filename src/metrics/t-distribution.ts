const SMALLEST = 1e-300;

/**
 * The probability that Student's t with `df` degrees of freedom (at least 1) lies at least |t| from 0, in [0, 1].
 */
export function twoSidedP(t: number, df: number): number {
  const t2 = t * t;
  if (t2 === 0) return 1;
  if (t2 === Infinity) return 0;
  // p = I_x(df/2, 1/2) with x = df/(df+t²), the regularised incomplete beta function. Its factor
  // x^a (1-x)^(1/2) / B(a, 1/2) serves both continued fractions, of which only one converges fast.
  const a = df / 2;
  const x = df / (df + t2);
  const y = t2 / (df + t2);
  const factor = Math.exp(-a * Math.log1p(t2 / df)) * Math.sqrt(y) * (gammaRatio(a) / Math.sqrt(Math.PI));
  const p = x < (a + 1) / (a + 2.5) ? (factor / a) * betaFraction(a, 0.5, x) : 1 - 2 * factor * betaFraction(0.5, a, y);
  return Math.min(1, Math.max(0, p));
}

/**
 * The value below which Student's t with `df` degrees of freedom (at least 1) lies with probability `p`,
 * 0 < p < 1. Relative error below 1e-11 for the usual levels.
 */
export function tQuantile(p: number, df: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`a probability must lie between 0 and 1; got ${p}`);
  if (p === 0.5) return 0;
  if (p < 0.5) return -tQuantile(1 - p, df);
  const tail = 2 * (1 - p);
  let low = 0;
  let high = 1;
  while (twoSidedP(high, df) > tail) {
    low = high;
    high *= 2;
  }
  let t = (low + high) / 2;
  for (let step = 0; step < 200; step++) {
    const excess = twoSidedP(t, df) - tail;
    if (excess > 0) low = t;
    else high = t;
    // Newton's step; the middle of the bracket where it would leave it.
    const newton = t + excess / (2 * tDensity(t, df));
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - t) <= 1e-15 * t) return next;
    t = next;
  }
  return t;
}

function tDensity(t: number, df: number): number {
  return (gammaRatio(df / 2) / Math.sqrt(df * Math.PI)) * Math.exp((-(df + 1) / 2) * Math.log1p((t * t) / df));
}

/** Gamma(a + 1/2) / Gamma(a) for a > 0: its asymptotic series, reached from small `a` by the recurrence. */
function gammaRatio(a: number): number {
  let factor = 1;
  let x = a;
  for (; x < 50; x++) factor *= x / (x + 0.5);
  const series = 1 + (-1 / 8 + (1 / 128 + (5 / 1024 + (-21 / 32768 - 399 / 262144 / x) / x) / x) / x) / x;
  return factor * Math.sqrt(x) * series;
}

/** The continued fraction of the incomplete beta function by Lentz's method (Numerical Recipes, 6.4). */
function betaFraction(a: number, b: number, x: number): number {
  const awayFromZero = (value: number) => (Math.abs(value) < SMALLEST ? SMALLEST : value);
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / awayFromZero(1 + even * d);
    c = awayFromZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / awayFromZero(1 + odd * d);
    c = awayFromZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return fraction;
}
