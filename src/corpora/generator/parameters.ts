import { InputError } from "../../errors.ts";

/** What shapes a generated corpus beside its size and seed. Shares are in [0, 1]. */
export interface Parameters {
  /** Pages that resemble a gold page: of the same entity about something else, and of entities of its family. */
  readonly confusers: number;
  /** The share of a query's content words that its gold page does not have. */
  readonly absentWords: number;
  /** The share of queries by people who have other words for everything than those who write about it. */
  readonly strangers: number;
  /** How often a query names the entity; else it describes it. */
  readonly namedQueries: number;
  /** How often a query has a typing error. */
  readonly typos: number;
  /** How often a query names the site of its gold page. */
  readonly siteQueries: number;
  /** The share of pages that end with what people type about other things: the words of queries they do not answer. */
  readonly relatedSearches: number;
  /** How often a page states a fact it is not about: this sets how many relevant pages a topic has. */
  readonly passingFacts: number;
  /** The share of a topic's relevant pages that are labelled; at least one is. */
  readonly labelled: number;
  /** The share of facts that pages get wrong, or have not kept up with. */
  readonly wrongCopies: number;
  /** The share of sites that cover thirty topics or more, and the share of gold pages they hold. */
  readonly generalists: number;
  readonly generalistGold: number;
  /** The share of a site's topics that its description names. */
  readonly namedTopics: number;
  /** How many topics of each task there are; fewer when the corpus is too small for them. */
  readonly webSearchTopics: number;
  readonly webRecommendationTopics: number;
  readonly questionAnsweringTopics: number;
  readonly deepResearchTopics: number;
  /** How often the next page of a history is on the site of the last. */
  readonly sameSite: number;
  /** The share of questions that the corpus does not answer; of all questions, those that everybody can answer. */
  readonly unanswerable: number;
  readonly knownWithoutWeb: number;
  /** Of the questions that the corpus answers, the share that needs pages of two sites. */
  readonly severalSites: number;
}

/** The parameters of corpora/atlas. */
const defaultParameters: Parameters = {
  confusers: 3,
  absentWords: 0.4,
  strangers: 0.5,
  namedQueries: 0.03,
  typos: 0.03,
  siteQueries: 0.12,
  relatedSearches: 0.8,
  passingFacts: 0.02,
  labelled: 0.4,
  wrongCopies: 0.1,
  generalists: 0.2,
  generalistGold: 0.4,
  namedTopics: 0.7,
  webSearchTopics: 1600,
  webRecommendationTopics: 300,
  questionAnsweringTopics: 300,
  deepResearchTopics: 300,
  sameSite: 0.5,
  unanswerable: 0.5,
  knownWithoutWeb: 0.2,
  severalSites: 0.4,
};

const counts = new Set<keyof Parameters>([
  "confusers",
  "webSearchTopics",
  "webRecommendationTopics",
  "questionAnsweringTopics",
  "deepResearchTopics",
]);

/** The defaults with some of them changed. Throws an InputError for an unknown name or a value out of range. */
export function parametersWith(changes: Partial<Parameters> = {}): Parameters {
  for (const [name, value] of Object.entries(changes)) {
    if (!(name in defaultParameters)) {
      const known = Object.keys(defaultParameters).join(", ");
      throw new InputError(`is no parameter of the generator; there are ${known}`, { field: name });
    }
    const count = counts.has(name as keyof Parameters);
    const fits = count ? Number.isInteger(value) && value >= 0 : value >= 0 && value <= 1;
    if (!fits) {
      throw new InputError(`expected ${count ? "a whole number from 0" : "a number from 0 to 1"}, got ${value}`, {
        field: name,
      });
    }
  }
  return { ...defaultParameters, ...changes };
}
