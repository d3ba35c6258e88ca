import type { QueryRow } from "../../statistics/query-ledger.ts";
import type { Fact, RequestOutcome } from "../../trace/facts.ts";

/** What became of a site in the scored queries of a run, counted by query but for the outcomes of its requests. */
export interface SiteStory {
  /** Queries that asked it, that cited it, and that did both. */
  askedIn: number;
  citedIn: number;
  askedAndCited: number;
  /** Queries that asked it and cited nobody. */
  askedForNothing: number;
  /** Queries whose answer names it first. */
  first: number;
  /** Its requests by what became of them. */
  readonly outcomes: Partial<Record<RequestOutcome, number>>;
  /** Queries that asked it and cited this other site instead of it. */
  readonly lostTo: Map<string, number>;
}

/** One kind of user agent: a strategy with its model. */
export interface Assistant {
  readonly strategy: string;
  readonly model: string | null;
  readonly thinking: boolean | null;
}

export interface AssistantTraffic extends Assistant {
  queries: number;
  readonly contacts: Map<string, number>;
  readonly citations: Map<string, number>;
}

/** From this many sites on nobody is told whom a site lost to: the pairs would be too many to keep. */
const mostPairedSites = 1000;

/** Counts, query by query, how each site fares and what each assistant sends where. It holds open queries only. */
export class SiteLedger {
  readonly sites = new Map<string, SiteStory>();
  readonly assistants = new Map<string, AssistantTraffic>();
  /** Whether `lostTo` is counted. */
  readonly hasPairs: boolean;
  readonly #cited = new Map<string, string[]>();
  readonly #contacts = new Map<string, Map<string, number>>();

  constructor(declaredSites: number) {
    this.hasPairs = declaredSites <= mostPairedSites;
  }

  listen(fact: Fact): void {
    switch (fact.type) {
      case "query.arrived":
        this.#cited.set(fact.query, []);
        this.#contacts.set(fact.query, new Map());
        break;
      case "site.contacted":
        count(this.#contacts.get(fact.query), fact.site);
        break;
      case "site.answered": {
        const { outcomes } = this.#site(fact.site);
        outcomes[fact.outcome] = (outcomes[fact.outcome] ?? 0) + 1;
        break;
      }
      case "citation.made":
        this.#cited.get(fact.query)?.push(fact.site);
        break;
      default: // says nothing about a site's fortune
    }
  }

  /** Takes in a query that is done. */
  add(row: QueryRow): void {
    const cited = this.#cited.get(row.query) ?? [];
    const contacts = this.#contacts.get(row.query) ?? new Map<string, number>();
    this.#cited.delete(row.query);
    this.#contacts.delete(row.query);
    if (row.measures === null) return;
    const citedSites = new Set(cited);
    for (const site of row.sites) this.#asked(site, citedSites);
    for (const site of citedSites) this.#site(site).citedIn++;
    if (cited[0] !== undefined) this.#site(cited[0]).first++;
    const assistant = this.#assistant(row);
    assistant.queries++;
    for (const [site, requests] of contacts) count(assistant.contacts, site, requests);
    for (const site of cited) count(assistant.citations, site);
  }

  #asked(site: string, cited: ReadonlySet<string>): void {
    const story = this.#site(site);
    story.askedIn++;
    if (cited.has(site)) story.askedAndCited++;
    else if (cited.size === 0) story.askedForNothing++;
    else if (this.hasPairs) for (const winner of cited) count(story.lostTo, winner);
  }

  #site(id: string): SiteStory {
    let story = this.sites.get(id);
    if (story === undefined) {
      story = {
        askedIn: 0,
        citedIn: 0,
        askedAndCited: 0,
        askedForNothing: 0,
        first: 0,
        outcomes: {},
        lostTo: new Map(),
      };
      this.sites.set(id, story);
    }
    return story;
  }

  #assistant({ strategy, model, thinking }: QueryRow): AssistantTraffic {
    const key = JSON.stringify([strategy, model, thinking]);
    let entry = this.assistants.get(key);
    if (entry === undefined) {
      entry = { strategy, model, thinking, queries: 0, contacts: new Map(), citations: new Map() };
      this.assistants.set(key, entry);
    }
    return entry;
  }
}

function count(counts: Map<string, number> | undefined, key: string, by = 1): void {
  counts?.set(key, (counts.get(key) ?? 0) + by);
}
