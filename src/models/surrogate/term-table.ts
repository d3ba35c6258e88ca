/** Bits of a place: places are 1 to 7, and 0 says that a term is not there. */
const placeBits = 3;

/**
 * Which terms (positive integers below 2^28) a page has, and in which place: a hash table in one typed array. Pages are
 * many and looked at for a few words each, so that small and close together in memory is what counts.
 */
export class TermTable {
  readonly #entries: Int32Array;
  readonly #mask: number;

  constructor(places: ReadonlyMap<number, number>) {
    let size = 4;
    while (size < 2 * places.size) size *= 2;
    this.#entries = new Int32Array(size);
    this.#mask = size - 1;
    for (const [term, place] of places) {
      let slot = term & this.#mask;
      while (this.#entries[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#entries[slot] = (term << placeBits) | place;
    }
  }

  placeOf(term: number): number {
    const entries = this.#entries;
    let slot = term & this.#mask;
    for (;;) {
      const entry = entries[slot] as number;
      if (entry === 0) return 0;
      if (entry >> placeBits === term) return entry & 7;
      slot = (slot + 1) & this.#mask;
    }
  }
}
