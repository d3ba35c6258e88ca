import type { ModelStrategy } from "../agents/strategy.ts";

/** The user agent chooses sites from their descriptions and searches each, without content agents (the paper's Tool-P). */
export const toolP: ModelStrategy = {
  name: "tool-p",
  usesModel: true,
  reaches: "sites",
  menu: "sites",
  readSearch(payload, context) {
    const named = context.readNamedSites(payload);
    return named === null ? null : { through: "site-search", ...named };
  },
};
