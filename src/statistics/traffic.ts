import type { Fact } from "../trace/facts.ts";

/** What a site can get: see the terms in the reference. */
export const trafficMeasures = ["contacts", "documents", "citations", "exposure", "visits"] as const;
export type TrafficMeasure = (typeof trafficMeasures)[number];

/** Counts by site; a site without traffic is not in it. */
export type SiteCounts = ReadonlyMap<string, number>;
export type Traffic = Readonly<Record<TrafficMeasure, SiteCounts>>;

export interface TrafficWindow {
  readonly startMs: number;
  readonly endMs: number;
  readonly traffic: Traffic;
}

type MutableTraffic = Record<TrafficMeasure, Map<string, number>>;

/** What must be known of a query in flight: which documents its user agent saw, and how many places of its answer are filled. */
interface OpenQuery {
  readonly seen: Set<string>;
  cited: number;
}

type QueryFact = { readonly t: number; readonly query: string };

/** Counts who gets the traffic: over the run, and window by window. */
export class TrafficCounter {
  readonly #total = emptyTraffic();
  readonly #open = new Map<string, OpenQuery>();
  readonly #onWindow: (window: TrafficWindow) => void;
  readonly #onEvent: (measure: TrafficMeasure, site: string, query: string) => void;
  readonly #counts: (t: number) => boolean;
  #window = emptyTraffic();

  /**
   * @param counts whether what happens at a time counts in the total (not in a warm-up or cool-down); windows
   *   count all
   * @param onEvent takes each event beside, for whoever counts otherwise
   */
  constructor(
    counts: (t: number) => boolean,
    onWindow: (window: TrafficWindow) => void,
    onEvent: (measure: TrafficMeasure, site: string, query: string) => void = () => {},
  ) {
    this.#counts = counts;
    this.#onWindow = onWindow;
    this.#onEvent = onEvent;
  }

  get total(): Traffic {
    return this.#total;
  }

  readonly listen = (fact: Fact): void => {
    switch (fact.type) {
      case "query.arrived":
        this.#open.set(fact.query, { seen: new Set(), cited: 0 });
        break;
      case "site.contacted":
        this.#add(fact, "contacts", fact.site, 1);
        break;
      case "site.answered":
        for (const id of fact.documents) this.#show(fact, id, fact.site);
        break;
      case "search.answered":
        fact.sites?.forEach((site, index) => this.#show(fact, fact.documents[index] as string, site));
        break;
      case "citation.made":
        this.#cite(fact, fact.site);
        break;
      case "site.visited":
        this.#add(fact, "visits", fact.site, 1);
        break;
      case "query.completed":
        this.#open.delete(fact.query);
        break;
      case "window.closed":
        this.#onWindow({ startMs: fact.startMs, endMs: fact.endMs, traffic: this.#window });
        this.#window = emptyTraffic();
        break;
      default: // is no traffic
    }
  };

  /** A document counts once a query, however often it is shown. */
  #show(at: QueryFact, document: string, site: string): void {
    const seen = this.#open.get(at.query)?.seen;
    if (seen === undefined || seen.has(document)) return;
    seen.add(document);
    this.#add(at, "documents", site, 1);
  }

  /** Citations come in the order of the answer; the place at rank r is worth 1 / log2(r + 1), as in DCG. */
  #cite(at: QueryFact, site: string): void {
    const open = this.#open.get(at.query);
    if (open === undefined) return;
    open.cited++;
    this.#add(at, "citations", site, 1);
    this.#add(at, "exposure", site, 1 / Math.log2(open.cited + 1));
  }

  #add({ t, query }: QueryFact, measure: TrafficMeasure, site: string, amount: number): void {
    this.#onEvent(measure, site, query);
    const window = this.#window[measure];
    window.set(site, (window.get(site) ?? 0) + amount);
    if (!this.#counts(t)) return;
    const total = this.#total[measure];
    total.set(site, (total.get(site) ?? 0) + amount);
  }
}

function emptyTraffic(): MutableTraffic {
  return { contacts: new Map(), documents: new Map(), citations: new Map(), exposure: new Map(), visits: new Map() };
}
