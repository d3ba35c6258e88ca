import { hash32 } from "../../kernel/random.ts";
import { BoundedCache } from "./bounded-cache.ts";
import type { SiteTaste } from "./profile.ts";
import type { Question } from "./question.ts";
import { eachTerm, wordsOf } from "./words.ts";

/** A site as its line in the prompt's list shows it. */
export interface ListedSite {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Its number where sites compete. */
  readonly key: number;
  /** Whether it says of itself that it is about many things. */
  readonly isBroad: boolean;
}

const broadWords =
  /\b(?:all (?:kinds|sorts|subjects|topics)|any|anything|broad|encyclop\w+|every\w*|general\w*|many (?:subjects|topics|fields)|range of|reference|varied|wide\w*)\b/i;

/** The site of a line of JSON; null when it describes none. */
export function siteOf(value: Record<string, unknown>): ListedSite | null {
  const { site: id, name, description } = value;
  if (typeof id !== "string" || typeof description !== "string") return null;
  const called = typeof name === "string" ? name : id;
  return { id, name: called, description, key: hash32(id), isBroad: broadWords.test(`${called}. ${description}`) };
}

/** How well a word is matched that stands in a site's description, of one in its name; by its beginning only, less. */
const descriptionCredit = 0.8;
const prefixCredit = 0.5;

/** The list of sites, made ready for questions: an inverted index over names and descriptions. */
export class Menu {
  readonly sites: readonly ListedSite[];
  readonly position: ReadonlyMap<string, number>;
  readonly #postings = new Map<number, Map<number, number>>();
  readonly #odds = new WeakMap<SiteTaste, BoundedCache<string, Float64Array>>();
  readonly #names: readonly (readonly number[])[];

  constructor(sites: readonly ListedSite[]) {
    this.sites = sites;
    this.position = new Map(sites.map((site, index) => [site.id, index]));
    sites.forEach((site, index) => {
      const inName = `${site.name} ${site.id.slice(0, site.id.lastIndexOf("."))}`;
      eachTerm(inName, (stem, prefix) => {
        this.#post(stem, index, 1);
        this.#post(prefix, index, prefixCredit);
      });
      eachTerm(site.description, (stem, prefix) => {
        this.#post(stem, index, descriptionCredit);
        this.#post(prefix, index, descriptionCredit * prefixCredit);
      });
    });
    this.#names = sites.map(({ name }) => [...new Set(wordsOf(name).map(({ stem }) => stem))]);
  }

  #post(term: number, index: number, credit: number): void {
    if (term === 0) return;
    let posting = this.#postings.get(term);
    if (posting === undefined) this.#postings.set(term, (posting = new Map()));
    if ((posting.get(index) ?? 0) < credit) posting.set(index, credit);
  }

  /** The odds of each site for a question, in the order of the list: e to the power of its utility. */
  odds(question: Question, taste: SiteTaste): Float64Array {
    let known = this.#odds.get(taste);
    if (known === undefined) this.#odds.set(taste, (known = new BoundedCache(4096)));
    return known.get(question.text, () => this.#weigh(question, taste));
  }

  #weigh(question: Question, taste: SiteTaste): Float64Array {
    const { "match-weight": match, "named-weight": named, "broad-weight": broad, temperature } = taste;
    const asked = new Set(wordsOf(question.text).map(({ stem }) => stem));
    return this.#match(question).map((share, index) => {
      const name = this.#names[index] as readonly number[];
      const isNamed = name.length > 0 && name.every((term) => asked.has(term));
      const isBroad = (this.sites[index] as ListedSite).isBroad;
      return Math.exp((match * share + (isNamed ? named : 0) + (isBroad ? broad : 0)) / temperature);
    });
  }

  /** The share of what the question's words weigh, rarer ones weighing more, that a site's line has: in [0, 1]. */
  #match(question: Question): Float64Array {
    const found = new Float64Array(this.sites.length);
    let total = 0;
    for (const word of question.words) {
      const posting = this.#postings.get(word.stem) ?? this.#postings.get(word.prefix);
      if (posting === undefined) continue;
      const weight = word.weight * Math.log(1 + this.sites.length / posting.size);
      total += weight;
      for (const [index, credit] of posting) found[index] = (found[index] as number) + weight * credit;
    }
    return total === 0 ? found : found.map((weight) => weight / total);
  }
}
