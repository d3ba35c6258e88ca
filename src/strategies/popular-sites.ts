import type { ModelStrategy } from "../agents/strategy.ts";

/** A baseline: each search goes to the most popular sites (`priors.popularity` of sites.jsonl), whatever its text. */
export const popularSites: ModelStrategy = {
  name: "popular-sites",
  usesModel: true,
  reaches: "sites",
  menu: "central",
  readSearch(payload, { sites, settings }) {
    if (payload === "") return null;
    const ranked = sites.map(({ id, priors }) => ({ id, popularity: priors?.popularity ?? 0 }));
    ranked.sort((a, b) => b.popularity - a.popularity || (a.id < b.id ? -1 : 1));
    return {
      through: "site-search",
      query: payload,
      sites: ranked.slice(0, settings.sitesPerSelection).map(({ id }) => id),
    };
  },
};
