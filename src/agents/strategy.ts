import type { AgentSettings } from "./environment.ts";
import type { ListedSite } from "./menu.ts";
import type { IndexPort } from "./ports.ts";

/** What a user agent's prompt says about the web: the list of sites, a search engine over all of them, or nothing. */
export type MenuKind = "sites" | "central" | "none";

/** A search of the index over all sites. */
export interface CentralSearch {
  readonly through: "central-index";
  readonly query: string;
  /** The most pages it comes back with. */
  readonly documents: number;
}

/**
 * The same text to some sites, each of which counts as a contact: to their content agents, or to their search engines
 * without one. Sites stand by id in the order in which they are asked; a
 * function gives them when the search is made.
 */
export interface SitesSearch {
  readonly through: "content-agents" | "site-search";
  readonly query: string;
  readonly sites: readonly string[] | (() => readonly string[] | Promise<readonly string[]>);
  /** Names beyond the most that one search may ask, and names that are on no list: reported back, not asked. */
  readonly tooMany?: readonly string[];
  readonly unknown?: readonly string[];
}

/** What a search action comes to. */
export type SearchPlan = CentralSearch | SitesSearch;

/** What a strategy may go by when it plans a search. */
export interface SearchContext {
  /** The sites that can be asked, in the order of the corpus. */
  readonly sites: readonly ListedSite[];
  readonly settings: AgentSettings;
  readonly index: IndexPort;
  /** The ids of the sites that hold what is searched for: ground truth, empty unless the strategy is marked for it. */
  readonly goldSites: readonly string[];
  /**
   * Reads a payload that names sites, `{"query": "...", "websites": ["...", ...]}`, by the names of the prompt's list;
   * null when it is none. At most `settings.maxSitesPerSearch` are kept.
   */
  readNamedSites(payload: string): Omit<SitesSearch, "through"> | null;
  /** An integer in [0, 2^31) for this search and this option, whatever the other options are: to draw some of many. */
  draw(option: string): number;
}

interface Named {
  readonly name: string;
  /** True for one that asks the index which sites to search: it does so by vectors, whatever it searches by. */
  readonly selectsSites?: true;
  /** What its searches reach: sites one by one, an index over all of them, or nothing. */
  readonly reaches: "sites" | "central-index" | "nothing";
}

/** A strategy whose user agent is driven by a model. */
export interface ModelStrategy extends Named {
  readonly usesModel: true;
  /** Which of a task's prompts the user agent gets. */
  readonly menu: MenuKind;
  /** True for a baseline that is told the gold sites: it shows what is possible, nobody can use it. */
  readonly knowsGroundTruth?: true;
  /** Reads the payload of a search; null when it is none, which makes the turn invalid. */
  readSearch(payload: string, context: SearchContext): SearchPlan | null;
}

/** A strategy without a model: one search of the central index, and what it finds is the answer, in that order. */
export interface RetrievalStrategy extends Named {
  readonly usesModel: false;
  plan(question: string): CentralSearch;
}

/** A way to coordinate user agents and sites. */
export type Strategy = ModelStrategy | RetrievalStrategy;
