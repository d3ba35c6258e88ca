import type { ModelStrategy } from "../agents/strategy.ts";

/**
 * A baseline that is told the answer's sites: each search goes to exactly the listed sites that hold a relevant page.
 * It is the only strategy that gets ground truth, and the bound on what any choice of sites can reach.
 */
export const oracleSites: ModelStrategy = {
  name: "oracle-sites",
  usesModel: true,
  reaches: "sites",
  menu: "central",
  knowsGroundTruth: true,
  readSearch(payload, { sites, goldSites }) {
    if (payload === "") return null;
    const gold = new Set(goldSites);
    return {
      through: "site-search",
      query: payload,
      sites: sites.map(({ id }) => id).filter((id) => gold.has(id)),
    };
  },
};
