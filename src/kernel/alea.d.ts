declare module "seedrandom/lib/alea.js" {
  /** Where a generator is in its sequence: three fractions of 32 bits and a carry. */
  interface AleaState {
    readonly c: number;
    readonly s0: number;
    readonly s1: number;
    readonly s2: number;
  }

  /** Baagøe's Alea, seeded by a string or put into a state: each call draws 32 bits as a number in [0, 1). */
  export default function alea(seed: string, options?: { state: AleaState }): () => number;
}
