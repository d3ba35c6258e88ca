import type { ModelStrategy } from "../agents/strategy.ts";
import { selectListedSites } from "./select-listed-sites.ts";

/**
 * Each search goes to the sites whose vectors, the means of some of their pages' vectors, are nearest to its text
 * (the paper's Tool-E). The model writes the text only.
 */
export const toolE: ModelStrategy = {
  name: "tool-e",
  usesModel: true,
  selectsSites: true,
  reaches: "sites",
  menu: "central",
  readSearch: (payload, context) =>
    payload === ""
      ? null
      : { through: "site-search", query: payload, sites: () => selectListedSites(payload, "vectors", context) },
};
