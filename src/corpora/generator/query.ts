import type { Stream } from "../../kernel/random.ts";
import { type AttributeRef, type Entity, pick } from "./entities.ts";
import type { Page } from "./page.ts";
import type { Parameters } from "./parameters.ts";
import { compose } from "./typed.ts";
import { contentWords, wordsOf } from "./words.ts";

/** How many wordings are tried for a query, to get the share of absent words that is wanted. */
const wordings = 48;

/**
 * What it costs a wording to have a trait in the gold page's very words, or in words that not even a reader would know
 * again from the page. What is best is an inflection: searchers and writers differ in their words for what is peculiar
 * about a thing more than in those for the thing itself, and rare words are what BM25 lives on.
 */
const sharedTrait = 0.3;
const foreignTrait = 0.16;

/** How many first letters two inflections of a word have in common. */
const stemLength = 5;

function strangeness(trait: string, shared: number, words: ReadonlySet<string>, stems: ReadonlySet<string>): number {
  const content = contentWords(trait);
  if (content.some((word) => words.has(word))) return shared;
  return content.some((word) => word.length >= stemLength && stems.has(word.slice(0, stemLength))) ? 0 : foreignTrait;
}

/** Writes the queries of a corpus, in order, so that the mean share of absent words comes out as it should. */
export class QueryWriter {
  private written = 0;
  private absentSum = 0;
  private readonly used = new Set<string>();

  constructor(private readonly parameters: Parameters) {}

  /** What a person might type who wants to know this of the entity, and whom the gold page would answer. */
  write(entity: Entity, ref: AttributeRef, gold: Page, stream: Stream): string {
    const words = new Set(wordsOf(`${gold.document.title} ${gold.document.text}`));
    const stems = new Set([...words].map((word) => word.slice(0, stemLength)));
    const absent = (query: string): number => {
      const content = contentWords(query);
      return content.length === 0 ? 0 : content.filter((word) => !words.has(word)).length / content.length;
    };
    const { absentWords } = this.parameters;
    const owed = absentWords * this.written - this.absentSum;
    const wanted = Math.min(0.9, Math.max(0, absentWords + 0.5 * owed + 0.4 * (stream.uniform() - 0.5)));
    const named = !entity.distinct || stream.uniform() < this.parameters.namedQueries;
    let best: { query: string; misfit: number } | undefined;
    for (let trial = 0; trial < wordings; trial++) {
      const wording = compose(entity, ref, named, stream);
      if (this.used.has(wording.query)) continue;
      // Queries are short: a word more must be worth it.
      const { query, type, traits } = wording;
      const strange = traits.reduce((sum, trait) => sum + strangeness(trait, sharedTrait, words, stems), 0);
      const misfit =
        Math.abs(absent(query) - wanted) +
        0.03 * query.split(" ").length +
        strange +
        strangeness(type, 0, words, stems);
      if (best === undefined || misfit < best.misfit) best = { query, misfit };
    }
    const { query } = best ?? compose(entity, ref, true, stream);
    this.used.add(query);
    const typed = stream.uniform() < this.parameters.typos ? withTypo(query, stream) : query;
    this.written++;
    this.absentSum += absent(typed);
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
