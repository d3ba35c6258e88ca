import { plainLine } from "../../agents/grammar.ts";
import { hash32 } from "../../kernel/random.ts";
import type { Question } from "./question.ts";
import { isListOfSearches, isStatement, Sentence, sentencesOf } from "./sentences.ts";
import { relevance, type TermTable, termsOf } from "./term-table.ts";

/** No reader takes in more of a page than this, in characters. */
const attention = 6000;
const longestTitle = 200;
const longestSentence = 240;

/** A page as the surrogate reads it. */
export class Page {
  readonly id: string;
  readonly key: number;
  readonly #text: string;
  #terms: TermTable | null = null;
  #quote: string | null = null;
  #subject: string | null = null;
  #sentences: readonly Sentence[] | null = null;

  constructor(id: string, text: string) {
    this.id = id;
    this.key = hash32(id);
    this.#text = withoutFoot(text.length > attention ? text.slice(0, attention) : text);
  }

  /** The share of what the question's words weigh that the page has, in [0, 1]. */
  relevanceTo(question: Question): number {
    this.#terms ??= termsOf(this.#text, titleEnd(this.#text), leadEnd(this.#text));
    return relevance(this.#terms, question);
  }

  /** The sentences after the title that state something. */
  get sentences(): readonly Sentence[] {
    this.#sentences ??= sentencesOf(this.#text.slice(titleEnd(this.#text))).filter(isStatement);
    return this.#sentences;
  }

  /** The first line, where it is short enough to be a title. */
  get title(): string {
    return plainLine(this.#text.slice(0, titleEnd(this.#text)));
  }

  /** The name that its title and opening have most of: what the page is about. Empty for none. */
  get subject(): string {
    return (this.#subject ??= nameIn(this.#text.slice(0, leadEnd(this.#text))));
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
  readonly #quote: string;
  #question: Question | null = null;
  #match: number;

  /**
   * @param match how well it matched when it was kept in a summary, in [0, 1]
   * @param quote the sentence of it that the summary kept; empty for none
   */
  constructor(id: string, page: Page | null, site: string, rank: number, match = 0, quote = "") {
    this.id = id;
    this.page = page;
    this.site = site;
    this.rank = rank;
    this.key = page?.key ?? hash32(id);
    this.#match = match;
    this.#quote = quote;
  }

  /** What it says: of a page that is known from a summary only, the sentence that was kept. */
  get sentences(): readonly Sentence[] {
    if (this.page !== null) return this.page.sentences;
    return this.#quote === "" ? [] : [new Sentence(this.#quote)];
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

/** Names of two words and more, within a sentence. */
const names = /(?<=[\p{L},:;] )\p{Lu}[\p{L}\p{N}'’-]*(?: \p{Lu}[\p{L}\p{N}'’-]*)+/gu;

function nameIn(text: string): string {
  const counts = new Map<string, number>();
  for (const [name] of text.matchAll(names)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return [...counts.keys()].find((name) => counts.get(name) === most) ?? "";
}

function firstSentence(text: string): string {
  const end = /[.!?](?=\s|$)/.exec(text);
  return text.slice(0, Math.min(end === null ? text.length : end.index + 1, longestSentence));
}

/** A page without a last paragraph of searches that led to it: these say what others wanted, not what it has. */
function withoutFoot(text: string): string {
  const end = text.trimEnd().lastIndexOf("\n");
  return end >= 0 && isListOfSearches(text.slice(end + 1)) ? text.slice(0, end) : text;
}

/** Paragraphs that open a page. */
const leadParagraphs = 2;

function leadEnd(text: string): number {
  let end = titleEnd(text);
  for (let paragraph = 0; paragraph < leadParagraphs && end >= 0; paragraph++) {
    const start = text.slice(end).search(/\S/);
    if (start < 0) return text.length;
    end = text.indexOf("\n", end + start);
  }
  return end < 0 ? text.length : end;
}

function titleEnd(text: string): number {
  const end = text.indexOf("\n");
  return end < 0 || end > longestTitle ? 0 : end;
}
