import { Categorical } from "./categorical.ts";
import type { Stream } from "./random.ts";

/** Zipf's law over the ranks 1..n: the probability of rank r is in proportion to 1 / r^exponent. */
export class Zipf {
  private readonly table: Categorical;

  constructor(n: number, exponent: number) {
    if (!(Number.isSafeInteger(n) && n > 0)) throw new RangeError(`Zipf needs a whole number of ranks, got ${n}`);
    if (!(exponent >= 0 && exponent < Infinity)) {
      throw new RangeError(`Zipf's exponent must be finite and at least 0, got ${exponent}`);
    }
    this.table = new Categorical(Float64Array.from({ length: n }, (_, i) => Math.exp(-exponent * Math.log(i + 1))));
  }

  /** A rank in 1..n. */
  sample(stream: Stream): number {
    return stream.categorical(this.table) + 1;
  }

  probability(rank: number): number {
    return this.table.probability(rank - 1);
  }
}

/**
 * A Poisson process from time 0: each call returns the next arrival in ms. The time is kept with its fraction and
 * rounded down only in what is returned, so that the number of arrivals before a whole ms is exactly Poisson.
 */
export function poissonProcess(stream: Stream, ratePerMs: number): () => number {
  if (!(ratePerMs > 0 && ratePerMs < Infinity)) {
    throw new RangeError(`the rate of a Poisson process must be positive and finite, got ${ratePerMs} a ms`);
  }
  const meanGap = 1 / ratePerMs;
  let time = 0;
  return () => {
    time += stream.exponential(meanGap);
    return Math.floor(time);
  };
}
