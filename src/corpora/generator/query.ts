import type { Stream } from "../../kernel/random.ts";
import { type AttributeRef, type Entity, pick } from "./entities.ts";
import type { Page } from "./page.ts";
import type { Parameters } from "./parameters.ts";
import { compose } from "./typed.ts";
import { contentWords, wordsOf } from "./words.ts";

/** How many wordings are tried for a query, to get the share of absent words that is wanted. */
const wordings = 48;

/** How much more of a query the gold page lacks when a stranger to the subject types it, and how much less else. */
const strangeness = 0.25;

/** What it costs a wording to have a word as the other sort of searcher would have it. */
const outOfCharacter = 0.4;

/** What a word more costs: queries are short. */
const wordCost = 0.02;

/** How many first letters two inflections of a word have in common. */
const stemLength = 5;

/** The words of a page, to see what it shares with a query. */
class PageWords {
  private readonly words: ReadonlySet<string>;
  private readonly stems: ReadonlySet<string>;

  constructor({ document: { title, text } }: Page) {
    this.words = new Set(wordsOf(`${title} ${text}`));
    this.stems = new Set([...this.words].map((word) => word.slice(0, stemLength)));
  }

  /** The share of a query's content words that the page does not have. */
  absentOf(query: string): number {
    const content = contentWords(query);
    return content.length === 0 ? 0 : content.filter((word) => !this.words.has(word)).length / content.length;
  }

  /** Whether the page has a word of the text, be it inflected. */
  knows(text: string): boolean {
    return contentWords(text).some(
      (word) => this.words.has(word) || (word.length >= stemLength && this.stems.has(word.slice(0, stemLength))),
    );
  }
}

/** Writes the queries of a corpus, in order, so that the mean share of absent words comes out as it should. */
export class QueryWriter {
  private written = 0;
  private absentSum = 0;
  private readonly used = new Set<string>();

  constructor(private readonly parameters: Parameters) {}

  /**
   * What a person might type who wants to know this of the entity, and whom the gold page would answer. Some know the
   * words of those who write about it; strangers have others for all of it. Queries are thus easy or hard to any
   * search engine alike, as real ones are.
   */
  write(entity: Entity, ref: AttributeRef, gold: Page, stream: Stream): string {
    const { absentWords, strangers } = this.parameters;
    const page = new PageWords(gold);
    const stranger = stream.uniform() < strangers;
    const usual = absentWords + strangeness * (stranger ? 2 * (1 - strangers) : -2 * strangers);
    const owed = absentWords * this.written - this.absentSum;
    const wanted = Math.min(0.95, Math.max(0, usual + 0.5 * owed));
    const named = !entity.distinct || stream.uniform() < this.parameters.namedQueries;
    let best: { query: string; misfit: number } | undefined;
    for (let trial = 0; trial < wordings; trial++) {
      const { query, traits } = compose(entity, ref, named, stream);
      if (this.used.has(query)) continue;
      const strange = traits.filter((trait) => page.knows(trait) === stranger).length;
      const misfit =
        Math.abs(page.absentOf(query) - wanted) + wordCost * query.split(" ").length + outOfCharacter * strange;
      if (best === undefined || misfit < best.misfit) best = { query, misfit };
    }
    const { query } = best ?? compose(entity, ref, true, stream);
    this.used.add(query);
    const typed = stream.uniform() < this.parameters.typos ? withTypo(query, stream) : query;
    this.written++;
    this.absentSum += page.absentOf(typed);
    if (stream.uniform() >= this.parameters.siteQueries) return typed;
    const site = gold.site.site.name.toLowerCase();
    return stream.uniform() < 0.5 ? `${site} ${typed}` : `${typed} ${site}`;
  }
}

/** One word of five letters or more with a letter left out, doubled or exchanged with the next. */
function withTypo(query: string, stream: Stream): string {
  const words = query.split(" ");
  const long = words.flatMap((word, at) => (word.length >= 5 ? [at] : []));
  if (long.length === 0) return query;
  const at = pick(long, stream);
  const word = words[at]!;
  const place = 1 + stream.integer(word.length - 2);
  const letter = word.charAt(place);
  const changed = ["", letter + letter, word.charAt(place + 1) + letter];
  const kind = stream.integer(3);
  words[at] = word.slice(0, place) + changed[kind]! + word.slice(place + (kind === 2 ? 2 : 1));
  return words.join(" ");
}
