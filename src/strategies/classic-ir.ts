import type { RetrievalStrategy } from "../agents/strategy.ts";

/** Pages of one search; measures look at the first 10 at most. */
const documents = 10;

/** No model: one search of the index over all sites with the question as it is (the paper's Classic IR). */
export const classicIr: RetrievalStrategy = {
  name: "classic-ir",
  usesModel: false,
  reaches: "central-index",
  plan: (question) => ({ through: "central-index", query: question, documents }),
};
