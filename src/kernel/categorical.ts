/** A distribution over 0..n-1 given by weights, prepared so that a draw costs one binary search. */
export class Categorical {
  private readonly sums: Float64Array;

  /** Weights are finite, not negative, and not all 0; they need not sum to 1. */
  constructor(weights: ArrayLike<number>) {
    this.sums = new Float64Array(weights.length);
    let sum = 0;
    for (let i = 0; i < weights.length; i++) {
      const weight = weights[i]!;
      if (!(weight >= 0 && weight < Infinity)) {
        throw new RangeError(`a weight must be a finite number of at least 0, got ${weight} at index ${i}`);
      }
      this.sums[i] = sum += weight;
    }
    if (!(sum > 0 && sum < Infinity)) {
      throw new RangeError(`the weights must have a positive finite sum, got ${sum} of ${weights.length} weights`);
    }
  }

  /** The inverse distribution function: the index that u in [0, 1) falls on. Never one of weight 0. */
  at(u: number): number {
    const { sums } = this;
    const target = u * sums[sums.length - 1]!;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > target) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The probability of an index in 0..n-1. */
  probability(index: number): number {
    return (this.sums[index]! - (index === 0 ? 0 : this.sums[index - 1]!)) / this.sums[this.sums.length - 1]!;
  }
}
