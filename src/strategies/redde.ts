import type { ModelStrategy } from "../agents/strategy.ts";
import { selectListedSites } from "./select-listed-sites.ts";

/**
 * A baseline of federated search: each search goes to the sites with the most relevant pages as ReDDE estimates them
 * from a sample of every site's pages (Si and Callan, SIGIR 2003).
 */
export const redde: ModelStrategy = {
  name: "redde",
  usesModel: true,
  selectsSites: true,
  reaches: "sites",
  menu: "central",
  readSearch: (payload, context) =>
    payload === ""
      ? null
      : { through: "site-search", query: payload, sites: () => selectListedSites(payload, "redde", context) },
};
