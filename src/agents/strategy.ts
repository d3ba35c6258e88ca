import type { Menu } from "./menu.ts";
import type { SiteSearch } from "./payloads.ts";

/** A search of the index over all sites. */
export interface CentralSearch {
  readonly query: string;
  readonly documents: number;
}

/** What a search action comes to: sites to ask, or one search of the central index. */
export type SearchPlan =
  | ({ readonly through: "content-agents" } & SiteSearch)
  | ({ readonly through: "central-index" } & CentralSearch);

/** A strategy whose user agent is driven by a model. */
export interface ModelStrategy {
  readonly name: string;
  readonly usesModel: true;
  /** Which of a task's prompts the user agent gets: the one with the list of sites, or the one without. */
  readonly menu: "sites" | "central";
  /** Reads the payload of a search; null when it is none, which makes the turn invalid. */
  readSearch(payload: string, menu: Menu, maxSites: number): SearchPlan | null;
}

/** A strategy without a model: one search, and what it finds is the answer, in that order. */
export interface RetrievalStrategy {
  readonly name: string;
  readonly usesModel: false;
  plan(question: string): SearchPlan;
}

/** A way to coordinate user agents and sites. */
export type Strategy = ModelStrategy | RetrievalStrategy;

/** Whether a strategy asks sites, rather than an index over all of them. */
export function asksSites(strategy: Strategy): boolean {
  return strategy.usesModel && strategy.menu === "sites";
}
