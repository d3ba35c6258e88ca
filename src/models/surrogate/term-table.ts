import type { Question } from "./question.ts";
import { tellingWords, type Word } from "./words.ts";

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

/** How a word of a question can be found in a text; the larger, the better. */
const byGroup = 1;
const byPrefix = 2;
const inText = 3;
const inLead = 4;
const inTitle = 5;

/** What a word counts that is found so, of a word found in the title. */
const credits = [0, 0.3, 0.4, 0.5, 0.85, 1];

/** The share of what a question's words weigh that a text has, in [0, 1]. */
export function relevance(terms: TermTable, { words, totalWeight }: Question): number {
  if (totalWeight === 0) return 0;
  let found = 0;
  for (const { stem, prefix, group, weight } of words) {
    const place = terms.placeOf(stem) || terms.placeOf(prefix) || terms.placeOf(group);
    found += weight * (credits[place] as number);
  }
  return found / totalWeight;
}

/** The terms of a text: where its title ends, if it has one, and the paragraphs that open it and say what it is about. */
export function termsOf(text: string, titleEnd: number, leadEnd: number): TermTable {
  const places = new Map<number, number>();
  const put = (term: number, place: number): void => {
    if (term !== 0 && (places.get(term) ?? 0) < place) places.set(term, place);
  };
  const putAll = (words: readonly Word[], place: number): void => {
    for (const { stem, prefix, group } of words) {
      put(stem, place);
      put(prefix, byPrefix);
      put(group, byGroup);
    }
  };
  putAll(tellingWords(text.slice(leadEnd)), inText);
  putAll(tellingWords(text.slice(titleEnd, leadEnd)), inLead);
  putAll(tellingWords(text.slice(0, titleEnd)), inTitle);
  return new TermTable(places);
}
