import type { Stream } from "../../../kernel/random.ts";
import type { WebSearchTopic } from "../../format.ts";
import type { AttributeRef, Entity } from "../entities.ts";
import type { Page } from "../page.ts";
import type { Parameters } from "../parameters.ts";
import { QueryWriter } from "../query.ts";
import { gradeOf, pagesStating, type Subject } from "./facts.ts";

export interface WebSearchItem {
  readonly kind: "topic";
  readonly task: "web-search";
  readonly topic: WebSearchTopic;
  readonly entity: Entity;
  readonly ref: AttributeRef;
  readonly gold: Page;
  /** Every page that states the fact, labelled or not. */
  readonly relevant: readonly Page[];
}

const topicsPerEntity = 2;

/** Writes web-search topics: a query for one fact, and the pages that state it, of which some are labelled. */
export class WebSearchWriter {
  private written = 0;
  private readonly queries: QueryWriter;

  constructor(private readonly parameters: Parameters) {
    this.queries = new QueryWriter(parameters);
  }

  /** Topics about an entity, a few at most, while fewer than `due` are written. */
  *write(subject: Subject, due: number, stream: Stream): Generator<WebSearchItem> {
    const { entity, pages } = subject;
    const asked = new Set<string>();
    for (let trial = 0; this.written < due && asked.size < topicsPerEntity && trial < 2 * pages.length; trial++) {
      const found = this.choose(subject, asked, stream);
      if (found === undefined) continue;
      const { ref, gold, relevant, labelled } = found;
      const topic: WebSearchTopic = {
        id: `ws-${String(++this.written).padStart(5, "0")}`,
        query: this.queries.write(entity, ref, gold, stream),
        relevant: Object.fromEntries(labelled.map((page) => [page.document.id, gradeOf(page, ref)!])),
      };
      yield { kind: "topic", task: "web-search", topic, entity, ref, gold, relevant };
    }
  }

  /**
   * A gold page, drawn by popularity among the pages about an entity, and one of its facts that no topic has asked for
   * yet; then all pages that state the fact, and those of them that are labelled.
   */
  private choose(subject: Subject, asked: Set<string>, stream: Stream) {
    const gold = subject.pages[stream.categorical(subject.pages.map(popularity))]!;
    const facts = gold.stated.filter(
      ({ correct, aspect, attribute }) => correct && !asked.has(`${aspect} ${attribute}`),
    );
    if (facts.length === 0) return undefined;
    const ref = facts[stream.categorical(facts.map(({ grade }) => answerWeight[grade]))]!;
    asked.add(`${ref.aspect} ${ref.attribute}`);
    const relevant = pagesStating(subject, ref);
    const labelled = [gold];
    const others = relevant.filter((page) => page !== gold);
    while (labelled.length < Math.floor(relevant.length * this.parameters.labelled)) {
      labelled.push(...others.splice(stream.categorical(others.map(popularity)), 1));
    }
    return { ref, gold, relevant, labelled };
  }
}

/** How likely people who ask for a fact come to a page that opens with it, that is about it, that has it in passing. */
const answerWeight = { 3: 1, 2: 0.03, 1: 0.01 } as const;

/** Only sites that cover the entity compete, which levels their popularity: squared, the shares of gold come out. */
function popularity({ site }: Page): number {
  const ratio = site.gold / site.size;
  return ratio * ratio;
}
