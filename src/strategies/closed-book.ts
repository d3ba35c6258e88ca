import type { ModelStrategy } from "../agents/strategy.ts";

/** A baseline without the web: the model answers from what it knows; a search is no action here. */
export const closedBook: ModelStrategy = {
  name: "closed-book",
  usesModel: true,
  reaches: "nothing",
  menu: "none",
  readSearch: () => null,
};
