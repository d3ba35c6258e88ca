import { plainLine } from "../../agents/grammar.ts";
import { hash32 } from "../../kernel/random.ts";
import type { Question } from "./question.ts";
import { TermTable } from "./term-table.ts";
import { tellingWords, type Word } from "./words.ts";

/** No reader takes in more of a page than this, in characters. */
const attention = 6000;
const longestTitle = 200;
const longestSentence = 240;

/** How a word of a question can be found on a page; the larger, the better. */
const byGroup = 1;
const byPrefix = 2;
const inText = 3;
const inTitle = 4;

/** What a word counts that is found so, of a word found in the title. */
const credits = [0, 0.3, 0.4, 0.75, 1];

/** A page as the surrogate reads it. */
export class Page {
  readonly id: string;
  readonly key: number;
  readonly #text: string;
  #terms: TermTable | null = null;
  #quote: string | null = null;

  constructor(id: string, text: string) {
    this.id = id;
    this.key = hash32(id);
    this.#text = text.length > attention ? text.slice(0, attention) : text;
  }

  /** The share of what the question's words weigh that the page has, in [0, 1]. */
  relevanceTo({ words, totalWeight }: Question): number {
    if (totalWeight === 0) return 0;
    const terms = (this.#terms ??= termsOf(this.#text));
    let found = 0;
    for (const { stem, prefix, group, weight } of words) {
      const place = terms.placeOf(stem) || terms.placeOf(prefix) || terms.placeOf(group);
      found += weight * (credits[place] as number);
    }
    return found / totalWeight;
  }

  /** The first sentence after the title, as one plain line: what a hurried reader would quote. */
  get quote(): string {
    this.#quote ??= plainLine(firstSentence(this.#text.slice(titleEnd(this.#text)).trim()));
    return this.#quote;
  }
}

/** A page in a prompt: who reported it, and in which place. */
export class SeenPage {
  readonly id: string;
  /** Null for a page that is known from a summary only. */
  readonly page: Page | null;
  /** The site that reported it; empty where the agent searched itself. */
  readonly site: string;
  /** Its place among what came back with it, from 0. */
  readonly rank: number;
  /** Its number where pages compete. */
  readonly key: number;
  #question: Question | null = null;
  #match: number;

  /** @param match how well it matched when it was kept in a summary, in [0, 1] */
  constructor(id: string, page: Page | null, site: string, rank: number, match = 0) {
    this.id = id;
    this.page = page;
    this.site = site;
    this.rank = rank;
    this.key = page?.key ?? hash32(id);
    this.#match = match;
  }

  /** Its relevance; remembered, since the turns of one agent are about one question. */
  matchWith(question: Question): number {
    if (this.page !== null && this.#question !== question) {
      this.#question = question;
      this.#match = this.page.relevanceTo(question);
    }
    return this.#match;
  }
}

function firstSentence(text: string): string {
  const end = /[.!?](?=\s|$)/.exec(text);
  return text.slice(0, Math.min(end === null ? text.length : end.index + 1, longestSentence));
}

function titleEnd(text: string): number {
  const end = text.indexOf("\n");
  return end < 0 || end > longestTitle ? 0 : end;
}

function termsOf(text: string): TermTable {
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
  const end = titleEnd(text);
  putAll(tellingWords(text.slice(end)), inText);
  putAll(tellingWords(text.slice(0, end)), inTitle);
  return new TermTable(places);
}
