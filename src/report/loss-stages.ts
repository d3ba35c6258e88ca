/** The stages at which a query can lose all its relevant pages, in their order, and what each means. */
export const lossStages = [
  { measure: "lossNotSelected", name: "not selected", meaning: "no site that holds one was asked" },
  { measure: "lossNotRetrieved", name: "not retrieved", meaning: "no search found one" },
  { measure: "lossNotReturned", name: "not returned", meaning: "a content agent had one and did not pass it on" },
  { measure: "lossNotRanked", name: "not ranked", meaning: "the user agent saw one and did not answer with it" },
] as const;
