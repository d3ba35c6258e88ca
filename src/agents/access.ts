/** Who asks for a site's pages, as far as the site can tell askers apart. */
export interface Asker {
  readonly strategy: string;
  /** The assistant's name; null where it has none. */
  readonly assistant: string | null;
  /** False for a strategy without a model: a search engine that a person reads, no agent. */
  readonly isAgent: boolean;
}

/** What a site does for an asker: all, all but hand over documents, or nothing. */
export type Access = "open" | "without-documents" | "blocked";
