import type { ModelRequest, Segment, SegmentGroup } from "./prompt.ts";

/** Who asks: a path that no run-dependent order enters, such as `u7/q000012/user/3`; part of a recorded call's key. */
export type Caller = string;

export interface Usage {
  readonly promptTokens: number;
  /** Tokens of the answer without the thoughts. */
  readonly completionTokens: number;
  readonly thoughtTokens: number;
}

/** What a model said: refusals, empty and malformed answers are answers too. */
export interface ModelAnswer {
  readonly text: string;
  readonly thought?: string;
  /** Why the model stopped, as the endpoint names it: stop, length, content_filter ... */
  readonly finish: string;
  readonly usage: Usage;
}

/** A language model. It answers at once (a tape, the surrogate) or later (an endpoint). */
export interface ModelPort {
  /** Names the answerer, its version included: part of a recorded call's key. */
  readonly identity: string;
  ask(request: ModelRequest, caller: Caller): ModelAnswer | Promise<ModelAnswer>;
}

/** A page found in an index. */
export interface Hit {
  readonly id: string;
  readonly site: string;
  /** Of the page's text as agents see it. */
  readonly textSha256: string;
  readonly tokens: number;
  /** Only where agents are to see it. */
  readonly url?: string;
}

/** How sites are selected for a query: by the means of their pages' vectors, or by ReDDE. */
export type SiteSelection = "vectors" | "redde";

/** A search index over one site's pages or, with `site` null, over all; best first, ties by id. */
export interface IndexPort {
  search(query: string, site: string | null, k: number): readonly Hit[] | Promise<readonly Hit[]>;
  /** The ids of the `k` sites, of all the corpus has, that promise the most for a query; best first, ties by id. */
  selectSites(query: string, by: SiteSelection, k: number): readonly string[] | Promise<readonly string[]>;
}

/** The pages as prompts show them: a line of JSON with `doc_id` and `doc_text`. */
export interface PagePort {
  page(hit: Hit): Segment;
  /** An information block with the pages of one search. */
  information(hits: readonly Hit[]): SegmentGroup;
}
