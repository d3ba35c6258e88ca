declare module "seedrandom/lib/alea.js" {
  /** Baagøe's Alea, seeded by a string: each call draws 32 bits as a number in [0, 1). */
  export default function alea(seed: string): () => number;
}
