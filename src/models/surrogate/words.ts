import { hash32 } from "../../kernel/random.ts";
import { associationOf } from "./associations.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { stem } from "./stem.ts";

/** A word as the surrogate compares it: by its stem, more loosely by its beginning, most loosely by its group. */
export interface Word {
  readonly text: string;
  readonly stem: number;
  /** 0 for words too short to be compared by their beginning. */
  readonly prefix: number;
  /** 0 for words without a group of associated words. */
  readonly group: number;
  /** How much the word says about a text, in [0, 1]; 0 for stop words. */
  readonly weight: number;
}

const stopWords = new Set(
  (
    "a about above after again all also am an and any are as at be because been before being below between both but " +
    "by can could did do does doing done during each else ever every few for from get gets got had has have having he " +
    "her here hers him his how i if in into is it its just let like made make me might more most much must my need " +
    "needs no nor not of off on once only or other our ours out over own per please same she should so some such than " +
    "that the their them then there these they this those through to too under until up upon us very want was we were " +
    "what when where which while who whom whose why will with within without would you your yours s t re ve ll d m " +
    "tell show give find know"
  ).split(" "),
);

/** Words that many questions share and that say little about what they are after. */
const vagueWords = new Set(
  (
    "best better good great top new old way ways thing things kind kinds type types many long often use used using " +
    "work works mean means information info guide tips help page pages site website online list different main " +
    "general common usual first last next one two three possible really actually"
  ).split(" "),
);

const wordPattern = /[\p{L}\p{N}]+/gu;
const prefixLength = 5;

/** The words met so far, as many as a large vocabulary has: analysing one costs more than looking it up. */
const knownWords = new BoundedCache<string, Word>(65_536);

/** All words of a text, in order. */
export function wordsOf(text: string): Word[] {
  return (text.match(wordPattern) ?? []).map((word) => knownWords.get(word, analyse));
}

/** All words of a text that say something, in order: what the index of a text needs. */
export function tellingWords(text: string): Word[] {
  return wordsOf(text).filter(({ weight }) => weight > 0);
}

function analyse(text: string): Word {
  const word = text.toLowerCase();
  const stemmed = stem(word);
  const group = associationOf(stemmed);
  return {
    text,
    stem: termOf(stemmed),
    prefix: word.length <= prefixLength ? 0 : termOf(`${word.slice(0, prefixLength)}*`),
    group: group === undefined ? 0 : termOf(`${group}~`),
    weight: weightOf(word),
  };
}

/** Long words are rarer than short ones, and rare ones say more: the commonness of a word, without a corpus. */
function weightOf(word: string): number {
  if (stopWords.has(word)) return 0;
  if (vagueWords.has(word)) return 0.3;
  return Math.min(1, 0.4 + 0.1 * word.length);
}

/** 28 bits, as small integers and tables of terms want them; never 0. */
function termOf(text: string): number {
  return hash32(text) & 0x0fffffff || 1;
}
