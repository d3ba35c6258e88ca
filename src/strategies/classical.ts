import type { ModelStrategy } from "../agents/strategy.ts";

/** Central index + model: the user agent searches one index over all sites, with words of its own (the paper's Classical). */
export const classical: ModelStrategy = {
  name: "classical",
  usesModel: true,
  reaches: "central-index",
  menu: "central",
  readSearch: (payload, { settings }) =>
    payload === "" ? null : { through: "central-index", query: payload, documents: settings.documentsPerSearch },
};
