import type { ModelStrategy } from "../agents/strategy.ts";

/** The user agent chooses sites from their descriptions and talks to their content agents (the paper's Multi-Agent). */
export const multiAgent: ModelStrategy = {
  name: "multi-agent",
  usesModel: true,
  reaches: "sites",
  menu: "sites",
  readSearch(payload, context) {
    const named = context.readNamedSites(payload);
    return named === null ? null : { through: "content-agents", ...named };
  },
};
