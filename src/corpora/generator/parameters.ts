import { InputError } from "../../errors.ts";

/** What shapes a generated corpus beside its size and seed. Shares are in [0, 1]. */
export interface Parameters {
  /** Pages that resemble a gold page: of the same entity about something else, and of entities of its family. */
  readonly confusers: number;
  /** The share of a query's content words that its gold page does not have. */
  readonly absentWords: number;
  /** How often a query names the entity; else it describes it. */
  readonly namedQueries: number;
  /** How often a query has a typing error. */
  readonly typos: number;
  /** How often a query names the site of its gold page. */
  readonly siteQueries: number;
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
  /** How many web-search topics there are; fewer when the corpus is too small for them. */
  readonly webSearchTopics: number;
}

/** The parameters of corpora/atlas. */
const defaultParameters: Parameters = {
  confusers: 3,
  absentWords: 0.4,
  namedQueries: 0.03,
  typos: 0.04,
  siteQueries: 0.12,
  passingFacts: 0.02,
  labelled: 0.4,
  wrongCopies: 0.1,
  generalists: 0.2,
  generalistGold: 0.4,
  namedTopics: 0.7,
  webSearchTopics: 1600,
};

const counts = new Set<keyof Parameters>(["confusers", "webSearchTopics"]);

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
