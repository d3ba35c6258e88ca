/** The probability that a standard normal variable is below `z` (Marsaglia's series, 2004); error below 1e-15. */
export function normalProbability(z: number): number {
  if (!(Math.abs(z) <= 8)) return z > 0 ? 1 : 0;
  let term = z;
  let sum = z;
  for (let k = 3; sum + term !== sum; k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return Math.min(1, Math.max(0, 0.5 + sum * normalDensity(z)));
}

/** The `z` with `normalProbability(z)` = p, within [-8, 8]. */
export function normalQuantile(p: number): number {
  let low = -8;
  let high = 8;
  let z = 0;
  for (let step = 0; step < 100; step++) {
    const excess = normalProbability(z) - p;
    if (excess > 0) high = z;
    else low = z;
    // Newton's step; the middle of the bracket where it would leave it.
    const newton = z - excess / normalDensity(z);
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - z) <= 1e-15) return next;
    z = next;
  }
  return z;
}

function normalDensity(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}
