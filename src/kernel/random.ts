import alea from "seedrandom/lib/alea.js";
import { Categorical } from "./categorical.ts";

/**
 * Keyed random streams: what a stream draws depends on (seed, replication, purpose, entity) alone, never on which
 * other streams exist or how much they have drawn. A seed of 7 and one of "7" are the same.
 */
export class Streams {
  private readonly run: string;

  constructor(seed: number | string, replication: number) {
    if (typeof seed === "number" && !Number.isFinite(seed)) throw parameterError("seed", "finite", seed);
    if (!(Number.isSafeInteger(replication) && replication >= 0)) {
      throw parameterError("replication", "an integer of at least 0", replication);
    }
    this.run = prefixed(String(seed)) + prefixed(String(replication));
  }

  /** A new stream at its beginning; the same key gives the same draws again. */
  stream(purpose: string, entity: string): Stream {
    return new Stream(this.run + prefixed(purpose) + entity);
  }

  /** A seed for somebody else's generator: an integer in [0, 2^31). */
  seedFor(purpose: string, entity: string): number {
    const [a, b] = hash64(`seed ${this.run}${prefixed(purpose)}${entity}`);
    return mix32(a, b) >>> 1;
  }
}

/** A part of a key after its length, so that no two lists of parts give one key, whatever the parts contain. */
function prefixed(part: string): string {
  return `${part.length}:${part}`;
}

/** One sequence of random draws: Baagøe's Alea, its state made from a hash of the key. */
export class Stream {
  private readonly next: () => number;

  constructor(key: string) {
    // Alea's own seeding reads the key three times; a hash of it is as good a state and several times quicker made.
    const [a, b] = hash64(key);
    const s0 = mix32(a, b);
    const s1 = mix32(b, s0);
    const s2 = mix32(s0, s1);
    this.next = alea("", { state: { c: 1, s0: s0 / 2 ** 32, s1: s1 / 2 ** 32, s2: s2 / 2 ** 32 } });
  }

  /** In [0, 1), with 53 random bits. */
  uniform(): number {
    const { next } = this;
    return next() + ((next() * 0x200000) | 0) * 2 ** -53;
  }

  /** An integer in 0..n-1; n is at most 2^32. */
  integer(n: number): number {
    if (!(Number.isInteger(n) && n > 0 && n <= 2 ** 32)) throw parameterError("n", "an integer in [1, 2^32]", n);
    return Math.floor(this.uniform() * n);
  }

  /** The mean is finite and not negative; the draw is in its unit. */
  exponential(mean: number): number {
    if (!(mean >= 0 && mean < Infinity)) throw parameterError("mean", "finite and not negative", mean);
    return -mean * Math.log(1 - this.uniform());
  }

  /** By Marsaglia's polar method, which needs log and sqrt only; the pair's second draw is not kept. */
  normal(mean: number, sd: number): number {
    if (!Number.isFinite(mean)) throw parameterError("mean", "finite", mean);
    if (!(sd >= 0 && sd < Infinity)) throw parameterError("standard deviation", "finite and not negative", sd);
    for (;;) {
      const x = 2 * this.uniform() - 1;
      const y = 2 * this.uniform() - 1;
      const square = x * x + y * y;
      if (square > 0 && square < 1) return mean + sd * x * Math.sqrt((-2 * Math.log(square)) / square);
    }
  }

  /** The median is positive; sigma, not negative, is the standard deviation of the logarithm. */
  lognormal(median: number, sigma: number): number {
    if (!(median > 0 && median < Infinity)) throw parameterError("median", "positive and finite", median);
    return median * Math.exp(this.normal(0, sigma));
  }

  /** An index with a probability in proportion to its weight. For many draws prepare the weights once. */
  categorical(weights: ArrayLike<number> | Categorical): number {
    const prepared = weights instanceof Categorical ? weights : new Categorical(weights);
    return prepared.at(this.uniform());
  }

  /** Shuffles in place (Fisher and Yates), every order equally likely, and returns the array. */
  shuffle<T>(array: T[]): T[] {
    for (let i = array.length - 1; i > 0; i--) {
      const j = this.integer(i + 1);
      const held = array[i]!;
      array[i] = array[j]!;
      array[j] = held;
    }
    return array;
  }
}

function parameterError(name: string, expected: string, got: number): RangeError {
  return new RangeError(`the ${name} must be ${expected}, got ${got}`);
}

// Hashes take the place of draws where options compete: an option's number depends on the seed and the option alone,
// so that taking another option away changes nothing about it. 32-bit integer arithmetic only: exact everywhere.

/** Appleby's finaliser of MurmurHash3: every input bit flips every output bit with a probability near 1/2. */
function finalise(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Text to an integer in [0, 2^32): MurmurHash3 over its UTF-16 units, one a block. */
export function hash32(text: string): number {
  let h = 0;
  for (let i = 0; i < text.length; i++) {
    let k = Math.imul(text.charCodeAt(i), 0xcc9e2d51);
    k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
    h ^= k;
    h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
  }
  return finalise(h ^ text.length);
}

/** Text to two 32-bit integers, together 64 bits of hash: two passes of MurmurHash3's mixing with unlike constants. */
function hash64(text: string): [number, number] {
  let g = 0x9747b28c;
  let h = 0x3c6ef372;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const k = Math.imul(unit, 0xcc9e2d51);
    const l = Math.imul(unit, 0x38b34ae5);
    g ^= Math.imul((k << 15) | (k >>> 17), 0x1b873593);
    g = (Math.imul((g << 13) | (g >>> 19), 5) + 0xe6546b64) | 0;
    h ^= Math.imul((l << 16) | (l >>> 16), 0xab0e9789);
    h = (Math.imul((h << 17) | (h >>> 15), 5) + 0x561ccd1b) | 0;
  }
  return [finalise(g ^ text.length), finalise(h ^ text.length)];
}

/** Two 32-bit integers to one in [0, 2^32); the order of the two matters. */
export function mix32(a: number, b: number): number {
  return finalise(Math.imul(finalise((a + 0x9e3779b9) | 0), 5) + finalise(b ^ 0x5bd1e995));
}

/** A number in the open interval (0, 1) for one option under one seed, both 32-bit integers. */
export function hashUniform(seed: number, option: number): number {
  return (mix32(seed, option) + 0.5) / 2 ** 32;
}

/** The standard Gumbel variable of a u in (0, 1): the option with the largest utility + gumbel is a logit choice. */
export function gumbel(u: number): number {
  return -Math.log(-Math.log(u));
}
