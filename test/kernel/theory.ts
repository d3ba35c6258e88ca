/** Pearson's statistic of observed against expected counts. */
export function chiSquare(observed: readonly number[], expected: readonly number[]): number {
  return observed.reduce((sum, count, i) => sum + (count - expected[i]!) ** 2 / expected[i]!, 0);
}

/** The 99.9 % point of the chi-square distribution, by Wilson and Hilferty's approximation. */
export function chiSquareBound(degrees: number): number {
  const z = 3.0902;
  return degrees * (1 - 2 / (9 * degrees) + z * Math.sqrt(2 / (9 * degrees))) ** 3;
}

export function moments(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, variance };
}

/** Mean wait in the queue of an M/M/c system in units of the mean service time (Erlang C). */
export function erlangWait(servers: number, load: number): number {
  const offered = servers * load;
  let term = 1; // offered^k / k!
  let sum = 0;
  for (let k = 0; k < servers; k++) {
    sum += term;
    term *= offered / (k + 1);
  }
  const waiting = term / (1 - load) / (sum + term / (1 - load));
  return waiting / (servers * (1 - load));
}
