import type { Question } from "./question.ts";
import type { Sentence } from "./sentences.ts";
import { wordsOf } from "./words.ts";

const asksNumber =
  /\b(?:age|weight|price|cost|fee|admission|number|count|size|length|height|width|depth|speed|capacity|duration|time|energy|calories|temperature|distance|funding|budget|population|sum|life)\b/i;
const asksName =
  /\b(?:region|city|town|country|headquarters|husband|wife|spouse|teacher|author|writer|founder|director|investigator|inventor|collector|composer|painter|owner|character|person|company)\b/i;

/** What kind of words answers a question, as its question words tell, or else the property that it asks for. */
export type AnswerKind = "name" | "date" | "year" | "number" | "phrase";

export function answerKindOf(question: string, property = ""): AnswerKind {
  if (/\b(?:what|which|in which|in what) year\b/i.test(question)) return "year";
  if (/\bwhen\b|\bwhat date\b|\bwhich (?:day|date|month)\b/i.test(question)) return "date";
  if (/\bhow (?:many|much|long|far|tall|old|high|often|large|big|deep|wide|heavy|fast|hot|cold)\b/i.test(question)) {
    return "number";
  }
  if (
    /\bwho(?:se|m)?\b|\bwhere\b|\b(?:which|what) (?:city|town|country|person|company|author|team)\b/i.test(question)
  ) {
    return "name";
  }
  if (/\byear\b/i.test(property)) return "year";
  if (asksNumber.test(property)) return "number";
  return asksName.test(property) ? "name" : "phrase";
}

const month = "(?:January|February|March|April|May|June|July|August|September|October|November|December)";
const capitalised = "\\p{Lu}[\\p{L}\\p{N}'’-]*";
const numberWord =
  "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred)";
const bareYear = "\\b(?:1\\d{3}|20\\d{2})\\b(?!\\s+\\p{Ll})";
const shapes: Readonly<Record<Exclude<AnswerKind, "phrase">, RegExp>> = {
  name: new RegExp(`${capitalised}(?:\\s+(?:(?:of|the|de|von|van|and)\\s+)?${capitalised})*`, "gu"),
  date: new RegExp(`(?:\\d{1,2}\\s+)?${month}(?:\\s+\\d{1,2},?)?(?:\\s+\\d{4})?|\\b1\\d{3}\\b|\\b20\\d{2}\\b`, "gu"),
  year: /\b1\d{3}\b|\b20\d{2}\b/gu,
  number: new RegExp(`(?!${bareYear})\\b(?:\\d[\\d.,]*\\d|\\d|${numberWord})(?:\\s?%|\\s+\\p{Ll}+)?`, "giu"),
};

interface Candidate {
  readonly text: string;
  readonly place: number;
}

/**
 * The words of a sentence that answer a question: of those with the right shape and something that the question does
 * not say itself, the ones nearest to a word that it does; of two as near, the later. Null when there are none.
 */
export function spanOf(sentence: Sentence, question: Question, kind: AnswerKind): string | null {
  const asked = new Set(question.words.map(({ stem }) => stem));
  const places = placesOf(sentence.text, asked);
  let best: { text: string; distance: number } | null = null;
  for (const { text, place } of kind === "phrase" ? phrases(sentence.text, asked) : shaped(sentence.text, kind)) {
    if (wordsOf(text).every(({ stem, weight }) => weight === 0 || asked.has(stem))) continue;
    const distance = places.reduce((least, each) => Math.min(least, Math.abs(each - place)), sentence.text.length);
    if (best === null || distance <= best.distance) best = { text, distance };
  }
  return best?.text ?? null;
}

function shaped(text: string, kind: Exclude<AnswerKind, "phrase">): Candidate[] {
  return Array.from(text.matchAll(shapes[kind]), (match) => ({
    text: match[0].replace(/[.,]+$/, ""),
    place: match.index,
  }));
}

const longestPhrase = 4;

/** Runs of words that say something and are not asked, with nothing but blanks between them. */
function phrases(text: string, asked: ReadonlySet<number>): Candidate[] {
  const found: { text: string; place: number; end: number; words: number }[] = [];
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu)) {
    const [known] = wordsOf(word);
    if (known === undefined || known.weight === 0 || asked.has(known.stem)) continue;
    const last = found.at(-1);
    if (last !== undefined && last.words < longestPhrase && text.slice(last.end, index).trim() === "") {
      last.text = text.slice(last.place, index + word.length);
      last.words += 1;
      last.end = index + word.length;
    } else {
      found.push({ text: word, place: index, end: index + word.length, words: 1 });
    }
  }
  return found.map(({ text: phrase, place }) => ({ text: phrase.replace(/[.'’-]+$/, ""), place }));
}

/** Where the asked words stand, in characters. */
function placesOf(text: string, asked: ReadonlySet<number>): number[] {
  return Array.from(text.matchAll(/[\p{L}\p{N}]+/gu)).flatMap(({ 0: word, index }) => {
    const stem = wordsOf(word)[0]?.stem;
    return stem !== undefined && asked.has(stem) ? [index] : [];
  });
}
