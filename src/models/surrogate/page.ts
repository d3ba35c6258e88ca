import { hash32 } from "../../kernel/random.ts";
import type { Question } from "./question.ts";
import { eachTerm } from "./words.ts";

/** No reader takes in more of a page than this, in characters. */
const attention = 6000;
const longestTitle = 200;
const longestSentence = 240;

/** How a word of a question can be found on a page; the larger, the better. */
const byPrefix = 1;
const inText = 2;
const inTitle = 3;

/** What a word counts that is found so, of a word found in the title. */
const credits = [0, 0.4, 0.75, 1];

/** A page that somebody reported or a search brought, as the surrogate reads it. */
export class Page {
  readonly id: string;
  /** Its number where pages compete. */
  readonly key: number;
  readonly #text: string;
  #terms: Map<number, number> | null = null;
  #question: Question | null = null;
  #relevance = 0;

  constructor(id: string, text: string) {
    this.id = id;
    this.key = hash32(id);
    this.#text = text.length > attention ? text.slice(0, attention) : text;
  }

  /** The share of what the question's words weigh that the page has, in [0, 1]; the last question is remembered. */
  relevanceTo(question: Question): number {
    if (this.#question !== question) {
      this.#question = question;
      this.#relevance = this.#compare(question);
    }
    return this.#relevance;
  }

  #compare(question: Question): number {
    if (question.totalWeight === 0) return 0;
    const terms = (this.#terms ??= termsOf(this.#text));
    let found = 0;
    for (const word of question.words) {
      const place = terms.get(word.stem) ?? terms.get(word.prefix) ?? 0;
      found += word.weight * (credits[place] as number);
    }
    return found / question.totalWeight;
  }

  /** The first sentence after the title: what a hurried reader would quote. */
  get firstSentence(): string {
    const text = this.#text.slice(titleEnd(this.#text)).trim();
    const end = /[.!?](?=\s|$)/.exec(text);
    return text.slice(0, Math.min(end === null ? text.length : end.index + 1, longestSentence));
  }
}

function titleEnd(text: string): number {
  const end = text.indexOf("\n");
  return end < 0 || end > longestTitle ? 0 : end;
}

function termsOf(text: string): Map<number, number> {
  const terms = new Map<number, number>();
  const put = (term: number, place: number): void => {
    if (term !== 0 && (terms.get(term) ?? 0) < place) terms.set(term, place);
  };
  const end = titleEnd(text);
  eachTerm(text.slice(end), (stem, prefix) => {
    put(stem, inText);
    put(prefix, byPrefix);
  });
  eachTerm(text.slice(0, end), (stem, prefix) => {
    put(stem, inTitle);
    put(prefix, byPrefix);
  });
  return terms;
}
