/** Turns a text into a vector. The same text always gives the same vector. */
export interface Embedder {
  /** As a scenario names it: `sentence`, `hashing`, `transformers/<model>`. */
  readonly name: string;
  /** Equal for embedders that give the same vectors, different otherwise: what caches and shipped vectors go by. */
  readonly identity: string;
  readonly dimensions: number;
  /** Whether a vector costs more to make than to keep on disk. */
  readonly costly: boolean;
  /** A unit vector in the integers of `unitIntegers`. An empty text gives `emptyVector`. Throws an InputError when the model cannot be loaded. */
  embed(text: string): Promise<Int16Array>;
}

/**
 * The length of a vector in integer units. With it every inner product of two vectors, and every partial sum of one,
 * stays below 2^24: 32-bit floats hold it exactly, whatever the order of the sum, so native and plain code agree.
 * @internal
 */
export const vectorScale = 2048;

/** The vector of a text without content: the first axis. */
export function emptyVector(dimensions: number): Int16Array {
  const vector = new Int16Array(dimensions);
  vector[0] = vectorScale;
  return vector;
}

/** `vector` scaled to the length `vectorScale` and rounded; `emptyVector` when it has no direction (all 0, or NaN). */
export function unitIntegers(vector: ArrayLike<number>): Int16Array {
  let squares = 0;
  for (let i = 0; i < vector.length; i += 1) squares += (vector[i] as number) * (vector[i] as number);
  const factor = vectorScale / Math.sqrt(squares);
  if (!Number.isFinite(factor)) return emptyVector(vector.length);
  return Int16Array.from(vector, (value) => Math.round(value * factor));
}

/** `text` with runs of white space as one space and none at the ends: what the encoders are given. */
export function plainSpaces(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
