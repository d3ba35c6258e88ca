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
    this.#terms ??= termsOf(this.text, this.text.length); // all of it counts as a title does
    return relevance(this.#terms, question);
  }
}

/** The sentences of a text, without repeats. */
export function sentencesOf(text: string): Sentence[] {
  const lines = text.split(sentenceEnd).map((each) => plainLine(each.slice(0, longestSentence)));
  return [...new Set(lines)].filter((line) => line !== "").map((line) => new Sentence(line));
}
