import { hash32 } from "../../kernel/random.ts";
import { BoundedCache } from "./bounded-cache.ts";
import type { SiteTaste } from "./profile.ts";
import type { Question } from "./question.ts";
import { tellingWords, type Word, wordsOf } from "./words.ts";

/** A site as its line in the prompt's list shows it. */
export interface ListedSite {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Its number where sites compete. */
  readonly key: number;
  /** How many different things it says it is about: the logarithm of the number of telling words, of 1 at least. */
  readonly breadth: number;
}

/** What a site's line in the list has to say for a question. */
export interface SiteAttraction {
  /** How well it matches the question's words; 1 for the best of the list. */
  readonly match: number;
  /** Whether the question has all words of its name. */
  readonly isNamed: boolean;
  readonly breadth: number;
}

/** The site of a line of JSON; null when it describes none. */
export function siteOf(value: Record<string, unknown>): ListedSite | null {
  const { site: id, name, description } = value;
  if (typeof id !== "string" || typeof description !== "string") return null;
  const stems = new Set(tellingWords(description).map(({ stem }) => stem));
  const breadth = Math.log(Math.max(1, stems.size));
  return { id, name: typeof name === "string" ? name : id, description, key: hash32(id), breadth };
}

/** What a word counts that stands in a site's description, of one in its name; by its beginning or group only, less. */
const descriptionCredit = 0.8;
const prefixCredit = 0.5;
const groupCredit = 0.4;

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
      this.#postAll(tellingWords(`${site.name} ${site.id.slice(0, site.id.lastIndexOf("."))}`), index, 1);
      this.#postAll(tellingWords(site.description), index, descriptionCredit);
    });
    this.#names = sites.map(({ name }) => [...new Set(wordsOf(name).map(({ stem }) => stem))]);
  }

  #postAll(words: readonly Word[], index: number, credit: number): void {
    for (const { stem, prefix, group } of words) {
      this.#post(stem, index, credit);
      this.#post(prefix, index, credit * prefixCredit);
      this.#post(group, index, credit * groupCredit);
    }
  }

  #post(term: number, index: number, credit: number): void {
    if (term === 0) return;
    let posting = this.#postings.get(term);
    if (posting === undefined) this.#postings.set(term, (posting = new Map()));
    if ((posting.get(index) ?? 0) < credit) posting.set(index, credit);
  }

  /** The odds of each site for a question, in the order of the list: e to the power of its utility. */
  odds(question: Question, taste: SiteTaste, visited: ReadonlySet<string>): Float64Array {
    let known = this.#odds.get(taste);
    if (known === undefined) this.#odds.set(taste, (known = new BoundedCache(4096)));
    const odds = known.get(question.text, () => this.#weigh(question, taste));
    if (visited.size === 0) return odds;
    const gain = Math.exp(taste["visited-weight"] / taste.temperature);
    return odds.map((each, index) => (visited.has((this.sites[index] as ListedSite).id) ? gain * each : each));
  }

  #weigh(question: Question, taste: SiteTaste): Float64Array {
    const { "match-weight": match, "named-weight": named, "broad-weight": broad, temperature } = taste;
    return Float64Array.from(this.attractions(question), (site) =>
      Math.exp((match * site.match + (site.isNamed ? named : 0) + broad * site.breadth) / temperature),
    );
  }

  /** What speaks for each site as one to ask, in the order of the list. */
  attractions(question: Question): SiteAttraction[] {
    const asked = new Set(wordsOf(question.text).map(({ stem }) => stem));
    return Array.from(this.#match(question), (match, index) => {
      const name = this.#names[index] as readonly number[];
      const isNamed = name.length > 0 && name.every((term) => asked.has(term));
      return { match, isNamed, breadth: (this.sites[index] as ListedSite).breadth };
    });
  }

  /** How well each site's line matches the question's words, rarer ones weighing more; the best site has 1. */
  #match(question: Question): Float64Array {
    const found = new Float64Array(this.sites.length);
    for (const { stem, prefix, group, weight } of question.words) {
      for (const term of [stem, prefix, group]) {
        const posting = this.#postings.get(term);
        if (posting === undefined) continue;
        const rarity = weight * Math.log(1 + this.sites.length / posting.size);
        for (const [index, credit] of posting) found[index] = (found[index] as number) + rarity * credit;
      }
    }
    const best = Math.max(...found);
    return best === 0 ? found : found.map((each) => each / best);
  }
}
