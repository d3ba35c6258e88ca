import { BoundedCache } from "./bounded-cache.ts";
import { searchTexts } from "./search-texts.ts";
import { type Word, wordsOf } from "./words.ts";

/** What somebody wants to know, prepared for comparison with pages and sites. */
export interface Question {
  readonly text: string;
  /** The words that say something, each stem once. */
  readonly words: readonly Word[];
  readonly totalWeight: number;
  /** Ways to search for it, in the order in which they are tried, all different; the first is the text itself. */
  readonly searchTexts: readonly string[];
}

const questions = new BoundedCache<string, Question>(8192);

/** The question of a text; one text gives one object for as long as it is in use. */
export function questionOf(text: string): Question {
  return questions.get(text, prepare);
}

function prepare(text: string): Question {
  const words = new Map<number, Word>();
  for (const word of wordsOf(text)) if (word.weight > 0 && !words.has(word.stem)) words.set(word.stem, word);
  const telling = [...words.values()];
  return {
    text,
    words: telling,
    totalWeight: telling.reduce((sum, word) => sum + word.weight, 0),
    searchTexts: searchTexts(text, telling),
  };
}
