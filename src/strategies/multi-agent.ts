import { readSiteSearch } from "../agents/payloads.ts";
import type { ModelStrategy } from "../agents/strategy.ts";

/** The user agent chooses sites from their descriptions and talks to their content agents (the paper's Multi-Agent). */
export const multiAgent: ModelStrategy = {
  name: "multi-agent",
  usesModel: true,
  menu: "sites",
  readSearch(payload, menu, maxSites) {
    const search = readSiteSearch(payload, menu.lists, maxSites);
    return search === null ? null : { through: "content-agents", ...search };
  },
};
