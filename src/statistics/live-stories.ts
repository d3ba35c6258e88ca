import type { Fact } from "../trace/facts.ts";
import { queryTimeline, type QueryTimeline } from "./query-timeline.ts";

/** How a site fares so far, counted by query. */
export interface SiteStory {
  readonly site: string;
  readonly askedIn: number;
  /** Queries that asked it and whose answer cites it. */
  readonly citedWhenAsked: number;
  /** Queries that asked it, by the strategy and model of the one who asked; most first. */
  readonly askers: readonly (readonly [string, number])[];
  /** Queries that asked it and cited another site instead, by that site; most first. */
  readonly lostTo: readonly (readonly [string, number])[];
}

interface Counts {
  askedIn: number;
  citedWhenAsked: number;
  readonly askers: Map<string, number>;
  readonly lostTo: Map<string, number>;
}

interface Followed {
  readonly asker: string;
  readonly asked: Set<string>;
  readonly cited: Set<string>;
  /** Null where the query's steps are not kept. */
  readonly facts: Fact[] | null;
}

/** The most queries in flight whose steps are kept, and as many of those that are done. */
const mostTimelines = 200;
/** A longer query's later steps are not kept. */
const mostFacts = 2000;
/** Whom a site lost to is counted for so many pairs at most. */
const mostPairs = 100_000;
const shownNames = 8;

/** What can be told of one site or of one query, in bounded memory. */
export class LiveStories {
  readonly #sites = new Map<string, Counts>();
  readonly #open = new Map<string, Followed>();
  readonly #done = new Map<string, Fact[]>();
  #timelines = 0;
  #pairs = 0;

  listen(fact: Fact): void {
    if (!("query" in fact)) return;
    if (fact.type === "query.arrived")
      this.#follow(fact.query, `${fact.strategy}${fact.model === null ? "" : `, ${fact.model}`}`);
    const open = this.#open.get(fact.query);
    if (open === undefined) {
      if (fact.type === "query.scored") this.#done.get(fact.query)?.push(fact);
      return;
    }
    if (open.facts !== null && (open.facts.length < mostFacts || fact.type === "query.completed"))
      open.facts.push(fact);
    if (fact.type === "site.contacted") open.asked.add(fact.site);
    else if (fact.type === "citation.made") open.cited.add(fact.site);
    else if (fact.type === "query.completed") this.#close(fact.query, open);
  }

  /** Null for a site that nobody asked. */
  site(site: string): SiteStory | null {
    const counts = this.#sites.get(site);
    if (counts === undefined) return null;
    const { askedIn, citedWhenAsked, askers, lostTo } = counts;
    return { site, askedIn, citedWhenAsked, askers: most(askers), lostTo: most(lostTo) };
  }

  /** The steps of a query in flight, or of one that was done lately; null where they are not kept. */
  timeline(query: string): QueryTimeline | null {
    const facts = this.#open.get(query)?.facts ?? this.#done.get(query) ?? null;
    return facts === null ? null : queryTimeline(query, facts);
  }

  #follow(query: string, asker: string): void {
    const keeps = this.#timelines < mostTimelines;
    if (keeps) this.#timelines++;
    this.#open.set(query, { asker, asked: new Set(), cited: new Set(), facts: keeps ? [] : null });
  }

  #close(query: string, { asker, asked, cited, facts }: Followed): void {
    this.#open.delete(query);
    if (facts !== null) {
      this.#timelines--;
      this.#done.set(query, facts);
      if (this.#done.size > mostTimelines) this.#done.delete(this.#done.keys().next().value as string);
    }
    for (const site of asked) {
      const counts = this.#of(site);
      counts.askedIn++;
      add(counts.askers, asker);
      if (cited.has(site)) counts.citedWhenAsked++;
      else for (const winner of cited) this.#lose(counts.lostTo, winner);
    }
  }

  #lose(lostTo: Map<string, number>, winner: string): void {
    if (!lostTo.has(winner) && this.#pairs++ >= mostPairs) return;
    add(lostTo, winner);
  }

  #of(site: string): Counts {
    let counts = this.#sites.get(site);
    if (counts === undefined) {
      counts = { askedIn: 0, citedWhenAsked: 0, askers: new Map(), lostTo: new Map() };
      this.#sites.set(site, counts);
    }
    return counts;
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function most(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, shownNames);
}
