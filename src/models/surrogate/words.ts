import { hash32 } from "../../kernel/random.ts";

/** A word as the surrogate compares it: by its stem, and more loosely by its beginning. */
export interface Word {
  readonly text: string;
  readonly stem: number;
  /** 0 for words too short to be compared by their beginning. */
  readonly prefix: number;
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

/** All words of a text, in order. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const [word] of text.matchAll(wordPattern)) words.push(analyse(word));
  return words;
}

/** Calls back with the stem and prefix of every word that says something: what the index of a text needs. */
export function eachTerm(text: string, visit: (stem: number, prefix: number) => void): void {
  for (const [word] of text.toLowerCase().matchAll(wordPattern)) {
    if (!stopWords.has(word)) visit(termOf(stem(word)), prefixOf(word));
  }
}

export function analyse(text: string): Word {
  const word = text.toLowerCase();
  return { text, stem: termOf(stem(word)), prefix: prefixOf(word), weight: weightOf(word) };
}

/** Long words are rarer than short ones, and rare ones say more: the commonness of a word, without a corpus. */
function weightOf(word: string): number {
  if (stopWords.has(word)) return 0;
  if (vagueWords.has(word)) return 0.3;
  return Math.min(1, 0.4 + 0.1 * word.length);
}

/** 30 bits, so that the engine keeps it as a small integer. */
function termOf(text: string): number {
  return hash32(text) & 0x3fffffff;
}

function prefixOf(word: string): number {
  return word.length <= prefixLength ? 0 : hash32(`${word.slice(0, prefixLength)}*`) & 0x3fffffff;
}

/** A light English stemmer: plural, past, -ing, -ly, a final e, and the doubled consonant that these leave behind. */
export function stem(word: string): string {
  let s = word;
  if (s.length > 4 && s.endsWith("ies")) s = `${s.slice(0, -3)}y`;
  else if (s.length > 4 && /(?:ss|x|ch|sh)es$/.test(s)) s = s.slice(0, -2);
  else if (s.length > 3 && s.endsWith("s") && !/(?:ss|us|is)$/.test(s)) s = s.slice(0, -1);
  if (s.length > 5 && s.endsWith("ing")) s = undouble(s.slice(0, -3));
  else if (s.length > 4 && s.endsWith("ed")) s = undouble(s.slice(0, -2));
  else if (s.length > 5 && s.endsWith("ly")) s = s.slice(0, -2);
  return s.length > 3 && s.endsWith("e") ? s.slice(0, -1) : s;
}

function undouble(s: string): string {
  const last = s.at(-1);
  return s.length > 3 && last === s.at(-2) && !/[aeiouls]/.test(last as string) ? s.slice(0, -1) : s;
}
