const words = 4;

/**
 * A set of SHA-256 keys (64 hexadecimal digits) of which it holds the first 128 bits: 16 bytes a key and at most as
 * many free ones, where a Set of strings needs over 100. Two of a billion keys are taken for one with a chance below
 * 10^-20.
 */
export class KeySet {
  #places = new Uint32Array(words * 1024);
  #size = 0;

  /** True if the key is new to the set. */
  add(key: string): boolean {
    const entry = entryOf(key);
    if (!place(this.#places, entry)) return false;
    this.#size++;
    if (2 * words * this.#size > this.#places.length) this.#grow();
    return true;
  }

  #grow(): void {
    const grown = new Uint32Array(2 * this.#places.length);
    for (let at = 0; at < this.#places.length; at += words) {
      const entry = this.#places.subarray(at, at + words);
      if (entry[0] !== 0) place(grown, entry);
    }
    this.#places = grown;
  }
}

/** A first word of 0 marks a free place: a key that begins so counts as one with 1. */
function entryOf(key: string): Uint32Array {
  const entry = Uint32Array.from({ length: words }, (_, word) =>
    Number.parseInt(key.slice(8 * word, 8 * word + 8), 16),
  );
  if (entry[0] === 0) entry[0] = 1;
  return entry;
}

/** Puts an entry in the first free place from its own on; false where it stands already. */
function place(places: Uint32Array, entry: Uint32Array): boolean {
  const mask = places.length / words - 1;
  for (let index = (entry[1] as number) & mask; ; index = (index + 1) & mask) {
    const at = words * index;
    if (places[at] === 0) {
      places.set(entry, at);
      return true;
    }
    if (entry.every((word, offset) => places[at + offset] === word)) return false;
  }
}
