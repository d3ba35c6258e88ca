import type { Neighbour } from "./exact-search.ts";

/** The kinds of index there are, as a scenario names them. */
export const indexKinds = ["dense", "bm25", "hybrid"] as const;
export type IndexKind = (typeof indexKinds)[number];

/** What an index of documents answers, whatever it goes by. */
export interface DocumentIndex {
  /** Names the kind, its parameters and what it was made of: equal for indexes that answer alike. */
  readonly identity: string;
  /**
   * The `k` best documents of `site` (null: of all) as rows of the store's pages, best first, ties by row: at once, or
   * as a promise where the query must be embedded first. An index of words has fewer when fewer share one with the query.
   */
  search(query: string, site: string | null, k: number): Neighbour[] | Promise<Neighbour[]>;
}
