import type { Stream, Streams } from "../../kernel/random.ts";
import { type Entity, Population } from "./entities.ts";
import { type Page, writePage } from "./page.ts";
import type { Parameters } from "./parameters.ts";
import type { PlannedSite, SitePlan } from "./sites.ts";
import { type DeepResearchItem, ResearchWriter } from "./tasks/deep-research.ts";
import { due, type Subject } from "./tasks/facts.ts";
import { type QuestionAnsweringItem, QuestionWriter } from "./tasks/question-answering.ts";
import { RecommendationWriter, type WebRecommendationItem } from "./tasks/web-recommendation.ts";
import { type WebSearchItem, WebSearchWriter } from "./tasks/web-search.ts";
import { topicIndex } from "./topics.ts";
import { relatedSearches } from "./typed.ts";

/** What the world gives to write down, in order. */
export type Item =
  | { readonly kind: "page"; readonly page: Page; readonly entity: Entity }
  | WebSearchItem
  | WebRecommendationItem
  | QuestionAnsweringItem
  | DeepResearchItem;

/** How many topics of a task an entity or family gives at most, however many are due. */
const topicsAtOnce = 3;

/** Goes through the world entity by entity: the pages about each, then the topics that ask about it or its family. */
export function* generateWorld(
  documents: number,
  plan: SitePlan,
  parameters: Parameters,
  streams: Streams,
): Generator<Item> {
  const population = new Population(streams, parameters);
  const pagesOf = new PageWriter(plan, population, parameters, streams);
  const searches = new WebSearchWriter(parameters);
  const questions = new QuestionWriter(parameters, streams.stream("questions", "commonplaces"));
  const research = new ResearchWriter();
  const recommendations = new RecommendationWriter(parameters, plan);
  const family: Subject[] = [];
  let written = 0;
  for (let index = 0; written < documents; index++) {
    const entity = population.at(index);
    const stream = streams.stream("topics", String(index));
    const pages = pagesOf.write(entity, Math.min(population.pages(index), documents - written));
    for (const page of pages) yield { kind: "page", page, entity };
    written += pages.length;
    const subject = { entity, pages };
    // Topics keep pace with pages, so that they are spread evenly whatever the size.
    const soFar = (topics: number): number => due(topics, written, documents);
    yield* searches.write(subject, Math.floor((written * parameters.webSearchTopics) / documents), stream);
    recommendations.remember(subject);
    yield* upTo(topicsAtOnce, () =>
      recommendations.write(entity.kind.field, soFar(parameters.webRecommendationTopics), stream),
    );
    family.push(subject);
    if (!population.endsFamily(index)) continue;
    yield* upTo(topicsAtOnce, () => questions.write(family, soFar(parameters.questionAnsweringTopics), stream));
    yield* upTo(topicsAtOnce, () => research.write(family, soFar(parameters.deepResearchTopics), stream));
    family.length = 0;
  }
}

function* upTo<T>(most: number, next: () => T | undefined): Generator<T> {
  for (let count = 0; count < most; count++) {
    const item = next();
    if (item !== undefined) yield item;
  }
}

/** The share of pages about what the entity is known for; the others are about any of its aspects. */
const mainShare = 0.63;

/** Writes the pages about one entity after the other, and numbers those of each site. */
class PageWriter {
  private readonly written = new Map<PlannedSite, number>();

  constructor(
    private readonly plan: SitePlan,
    private readonly population: Population,
    private readonly parameters: Parameters,
    private readonly streams: Streams,
  ) {}

  write(entity: Entity, many: number): Page[] {
    const stream = this.streams.stream("pages", String(entity.index));
    // The foot has draws of its own: how many pages have one then changes nothing above it.
    const footStream = this.streams.stream("feet", String(entity.index));
    return assign(entity, many, this.plan, stream).map(({ site, aspect }) => {
      const number = (this.written.get(site) ?? 0) + 1;
      this.written.set(site, number);
      const id = `${site.site.id.slice(0, -".example".length)}-${String(number).padStart(5, "0")}`;
      const sibling = this.population.siblingOf(entity, stream);
      const foot = relatedSearches(sibling, this.parameters, footStream);
      return writePage({ entity, sibling, aspect, site, id, foot }, this.parameters, stream);
    });
  }
}

/** Which sites write about an entity, and on what: no site twice on the same aspect while others are left. */
function assign(entity: Entity, many: number, plan: SitePlan, stream: Stream): { site: PlannedSite; aspect: number }[] {
  const { sites, draw } = plan.coverage[topicIndex(entity.kindIndex, entity.typeIndex)]!;
  const taken = new Set<number>();
  const aspects = entity.kind.aspects.length;
  return Array.from({ length: many }, () => {
    let site = 0;
    let aspect = 0;
    for (let trial = 0; trial < 8; trial++) {
      site = sites[stream.categorical(draw)]!;
      aspect = stream.uniform() < mainShare ? entity.mainAspect : stream.integer(aspects);
      if (!taken.has(site * aspects + aspect)) break;
    }
    taken.add(site * aspects + aspect);
    return { site: plan.sites[site]!, aspect };
  });
}
