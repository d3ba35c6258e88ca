/**
 * Running count, mean and variance of a stream of numbers (Welford 1962): constant memory, no cancellation, and a
 * variance of exactly 0 when all values are equal.
 */
export class Moments {
  n = 0;
  #mean = 0;
  #squares = 0;

  constructor(values: Iterable<number> = []) {
    for (const value of values) this.add(value);
  }

  /** Takes one more value into account; a value that is not finite is a `RangeError`. */
  add(value: number): void {
    if (!Number.isFinite(value)) throw new RangeError(`a value must be finite; got ${value}`);
    this.n++;
    const before = value - this.#mean;
    this.#mean += before / this.n;
    this.#squares += before * (value - this.#mean);
  }

  /** The mean; null without values. */
  get mean(): number | null {
    return this.n === 0 ? null : this.#mean;
  }

  /** The sample variance (divisor n - 1); null below two values. */
  get variance(): number | null {
    return this.n < 2 ? null : this.#squares / (this.n - 1);
  }

  /** The sample standard deviation (divisor n - 1); null below two values. */
  get sd(): number | null {
    return this.variance === null ? null : Math.sqrt(this.variance);
  }

  /** The population standard deviation (divisor n); null without values. */
  get populationSd(): number | null {
    return this.n === 0 ? null : Math.sqrt(this.#squares / this.n);
  }

  /** The standard error of the mean, sd / sqrt(n); null below two values. */
  get se(): number | null {
    return this.sd === null ? null : this.sd / Math.sqrt(this.n);
  }
}

/** The middle value, or the mean of the middle two; null without values. */
export function median(values: Iterable<number>): number | null {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  const upper = sorted[half];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2;
}
