import { plainLine } from "../../agents/grammar.ts";
import { hash32 } from "../../kernel/random.ts";
import type { Question } from "./question.ts";
import { relevance, type TermTable, termsOf } from "./term-table.ts";

/** No reader quotes a longer sentence, in characters. */
const longestSentence = 300;
const sentenceEnd = /(?<=[.!?]["'”’)]*)\s+|\n+/u;

/** A sentence of a page, as one plain line. */
export class Sentence {
  /** Its number where sentences compete. */
  readonly key: number;
  #terms: TermTable | null = null;

  constructor(readonly text: string) {
    this.key = hash32(text);
  }

  /** The share of what the question's words weigh that the sentence has, in [0, 1]. */
  relevanceTo(question: Question): number {
    this.#terms ??= termsOf(this.text, this.text.length, this.text.length); // all of it counts as a title does
    return relevance(this.#terms, question);
  }
}

/** What separates the pieces of a list from a sentence with commas: so many pieces, of so many words on average. */
const fewestPieces = 4;
const wordsPerPiece = 4;

/** Whether a line is a string of things that others searched for, as pages have at their foot. */
export function isListOfSearches(line: string): boolean {
  const pieces = line.split(", ");
  return pieces.length >= fewestPieces && line.split(" ").length >= wordsPerPiece * pieces.length;
}

/** Whether a sentence says something: questions do not, nor do lists. */
export function isStatement({ text }: Sentence): boolean {
  return !text.includes("?") && !isListOfSearches(text);
}

/** The sentences of a text, without repeats. */
export function sentencesOf(text: string): Sentence[] {
  const lines = text.split(sentenceEnd).map((each) => plainLine(each.slice(0, longestSentence)));
  return [...new Set(lines)].filter((line) => line !== "").map((line) => new Sentence(line));
}
