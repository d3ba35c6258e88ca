import type { Stream, Streams } from "../../kernel/random.ts";
import type { WebSearchTopic } from "../format.ts";
import { type AttributeRef, type Entity, Population } from "./entities.ts";
import { type Page, writePage } from "./page.ts";
import type { Parameters } from "./parameters.ts";
import { QueryWriter } from "./query.ts";
import type { PlannedSite, SitePlan } from "./sites.ts";
import { topicIndex } from "./topics.ts";

/** What the world gives to write down, in order. */
export type Item =
  | { readonly kind: "page"; readonly page: Page; readonly entity: Entity }
  | {
      readonly kind: "topic";
      readonly task: "web-search";
      readonly topic: WebSearchTopic;
      readonly entity: Entity;
      readonly ref: AttributeRef;
      readonly gold: Page;
      /** Every page that states the fact, labelled or not. */
      readonly relevant: readonly Page[];
    };

const topicsPerEntity = 2;

/** The share of pages about what the entity is known for; the others are about any of its aspects. */
const mainShare = 0.63;

/** Goes through the world entity by entity: the pages about each, then the topics that ask about it. */
export function* generateWorld(
  documents: number,
  plan: SitePlan,
  parameters: Parameters,
  streams: Streams,
): Generator<Item> {
  const population = new Population(streams, parameters);
  const queries = new QueryWriter(parameters);
  const written = new Map<PlannedSite, number>();
  let pages = 0;
  let topics = 0;
  for (let index = 0; pages < documents; index++) {
    const entity = population.at(index);
    const stream = streams.stream("pages", String(index));
    const many = Math.min(population.pages(index), documents - pages);
    const about: Page[] = [];
    for (const { site, aspect } of assign(entity, many, plan, stream)) {
      const number = (written.get(site) ?? 0) + 1;
      written.set(site, number);
      const id = `${site.site.id.slice(0, -".example".length)}-${String(number).padStart(5, "0")}`;
      const sibling = population.siblingOf(entity, stream);
      const page = writePage({ entity, sibling, aspect, site, id }, parameters, stream);
      about.push(page);
      yield { kind: "page", page, entity };
    }
    pages += about.length;
    // Topics keep pace with pages, so that they are spread evenly whatever the size; a few an entity at most.
    const due = Math.floor((pages * parameters.webSearchTopics) / documents);
    const asked = new Set<string>();
    for (let trial = 0; topics < due && asked.size < topicsPerEntity && trial < 2 * about.length; trial++) {
      const found = chooseTopic(about, asked, parameters, stream);
      if (found === undefined) continue;
      const { ref, gold, relevant, labelled } = found;
      const topic: WebSearchTopic = {
        id: `ws-${String(++topics).padStart(5, "0")}`,
        query: queries.write(entity, ref, gold, stream),
        relevant: Object.fromEntries(labelled.map((page) => [page.document.id, gradeOf(page, ref)!])),
      };
      yield { kind: "topic", task: "web-search", topic, entity, ref, gold, relevant };
    }
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

/** How likely people who ask for a fact come to a page that opens with it, that is about it, that has it in passing. */
const answerWeight = { 3: 1, 2: 0.08, 1: 0.02 } as const;

/**
 * A gold page, drawn by popularity among the pages about an entity, and one of its facts that no topic has asked for
 * yet; then all pages that state the fact, and those of them that are labelled. Only sites that cover the entity
 * compete, which levels their popularity: squared, the shares of gold come out as they should.
 */
function chooseTopic(about: readonly Page[], asked: Set<string>, parameters: Parameters, stream: Stream) {
  const popularity = ({ site }: Page): number => {
    const ratio = site.gold / site.size;
    return ratio * ratio;
  };
  const gold = about[stream.categorical(about.map(popularity))]!;
  const facts = gold.stated.filter(({ correct, aspect, attribute }) => correct && !asked.has(`${aspect} ${attribute}`));
  if (facts.length === 0) return undefined;
  const ref = facts[stream.categorical(facts.map(({ grade }) => answerWeight[grade]))]!;
  asked.add(`${ref.aspect} ${ref.attribute}`);
  const relevant = about.filter((page) => gradeOf(page, ref) !== undefined);
  const labelled = [gold];
  const others = relevant.filter((page) => page !== gold);
  while (labelled.length < Math.floor(relevant.length * parameters.labelled)) {
    labelled.push(...others.splice(stream.categorical(others.map(popularity)), 1));
  }
  return { ref, gold, relevant, labelled };
}

/**
 * How far a page answers a question: undefined when it does not state the fact, or states it wrongly.
 * @internal
 */
export function gradeOf(page: Page, ref: AttributeRef): 1 | 2 | 3 | undefined {
  return page.stated.find(
    ({ aspect, attribute, correct }) => correct && aspect === ref.aspect && attribute === ref.attribute,
  )?.grade;
}
