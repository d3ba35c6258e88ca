import type { Economy } from "../scenario/schema.ts";
import type { Fact } from "../trace/facts.ts";

/** What the market does to the web. */
interface MarketMoves {
  leave(site: string): void;
  enter(site: string): void;
}

/** Keeps the accounts of sites: those that earn too little leave, and others enter in their place. */
export class SiteMarket {
  readonly #economy: Economy;
  readonly #moves: MarketMoves;
  /** What each site that is there has earned, less its costs, since the accounts were closed last. */
  readonly #balances: Map<string, number>;
  readonly #entrants: string[];

  constructor(economy: Economy, sites: readonly { readonly id: string }[], moves: MarketMoves) {
    this.#economy = economy;
    this.#moves = moves;
    this.#balances = new Map(sites.map(({ id }) => [id, 0]));
    this.#entrants = economy.entrants.map(({ site }) => site);
  }

  readonly listen = (fact: Fact): void => {
    const { revenuePerCitation, pricePerRequest, costPerRequest } = this.#economy;
    if (fact.type === "citation.made") this.#book(fact.site, revenuePerCitation);
    else if (fact.type === "site.contacted") this.#book(fact.site, -costPerRequest);
    else if (fact.type === "site.answered" && (fact.outcome === "answered" || fact.outcome === "empty")) {
      this.#book(fact.site, pricePerRequest);
    } else if (fact.type === "site.changed") this.#note(fact.site, fact.change);
  };

  #book(site: string, amount: number): void {
    const balance = this.#balances.get(site);
    if (balance !== undefined) this.#balances.set(site, balance + amount);
  }

  /** Sites come and go by interventions too. */
  #note(site: string, change: string): void {
    if (change === "added" || change === "entered") this.#balances.set(site, 0);
    else if (change === "removed" || change === "left") this.#balances.delete(site);
  }

  /** Closes the accounts: sites leave in the order of the corpus, and for each the next entrant comes. */
  close(): void {
    const leaving = [...this.#balances].filter(([, balance]) => balance < this.#economy.exitBelow);
    for (const site of this.#balances.keys()) this.#balances.set(site, 0);
    for (const [site] of leaving) {
      this.#moves.leave(site);
      const entrant = this.#entrants.shift();
      if (entrant !== undefined) this.#moves.enter(entrant);
    }
  }
}
