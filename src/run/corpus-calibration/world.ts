import type { Document } from "../../corpora/format.ts";
import { generateWorld, type Item } from "../../corpora/generator/coverage.ts";
import { type GenerateOptions, generatorOptions } from "../../corpora/generator/generate.ts";
import type { Parameters } from "../../corpora/generator/parameters.ts";
import { planSites, type SitePlan } from "../../corpora/generator/sites.ts";
import { Streams } from "../../kernel/random.ts";

type TopicOf<Task extends string> = Extract<Item, { kind: "topic"; task: Task }>;

/** A generated world as a whole, with what its corpus does not tell. */
export interface World {
  readonly parameters: Parameters;
  readonly plan: SitePlan;
  readonly pages: readonly Extract<Item, { kind: "page" }>[];
  readonly documents: readonly Document[];
  readonly searches: readonly TopicOf<"web-search">[];
  readonly recommendations: readonly TopicOf<"web-recommendation">[];
  readonly questions: readonly TopicOf<"question-answering">[];
  readonly research: readonly TopicOf<"deep-research">[];
}

export function collectWorld(options: GenerateOptions): World {
  const { seed, sites, documents, parameters } = generatorOptions(options);
  const streams = new Streams(seed, 0);
  const plan = planSites(sites, parameters, streams);
  const items = [...generateWorld(documents, plan, parameters, streams)];
  const topics = items.filter((item) => item.kind === "topic");
  const of = <Task extends string>(task: Task): TopicOf<Task>[] =>
    topics.filter((item): item is TopicOf<Task> => item.task === task);
  const pages = items.filter((item) => item.kind === "page");
  return {
    parameters,
    plan,
    pages,
    documents: pages.map(({ page }) => page.document),
    searches: of("web-search"),
    recommendations: of("web-recommendation"),
    questions: of("question-answering"),
    research: of("deep-research"),
  };
}

/** The site of a document id, by the way the generator makes ids. */
export function siteOf(documentId: string): string {
  return `${documentId.slice(0, documentId.lastIndexOf("-"))}.example`;
}
