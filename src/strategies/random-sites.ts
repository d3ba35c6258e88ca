import type { ModelStrategy } from "../agents/strategy.ts";

/** A baseline: each search goes to sites drawn by lot. Taking a site away leaves the others' lots as they are. */
export const randomSites: ModelStrategy = {
  name: "random-sites",
  usesModel: true,
  reaches: "sites",
  menu: "central",
  readSearch(payload, { sites, settings, draw }) {
    if (payload === "") return null;
    const lots = sites.map(({ id }) => ({ id, lot: draw(id) }));
    lots.sort((a, b) => a.lot - b.lot || (a.id < b.id ? -1 : 1));
    return {
      through: "site-search",
      query: payload,
      sites: lots.slice(0, settings.sitesPerSelection).map(({ id }) => id),
    };
  },
};
