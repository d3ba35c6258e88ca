import type { Stream } from "../../../kernel/random.ts";
import { type AttributeRef, attributeOf, type Entity, pick } from "../entities.ts";
import type { Page } from "../page.ts";
import { compile, fill } from "../template.ts";
import { type Attribute, references, type Term } from "../world/model.ts";
import { familyNames, nouns } from "../world/nouns.ts";
import { people } from "../world/pools.ts";

/** An entity and the pages about it. */
export interface Subject {
  readonly entity: Entity;
  readonly pages: readonly Page[];
}

/** A fact of the world: what is true of one attribute of an entity. */
export interface Fact {
  readonly entity: Entity;
  readonly ref: AttributeRef;
}

/**
 * How far a page about the entity answers a question: undefined when it does not state the fact, or states it wrongly.
 */
export function gradeOf(page: Page, ref: AttributeRef): 1 | 2 | 3 | undefined {
  return page.stated.find((stated) => stated.correct && isSame(stated, ref))?.grade;
}

export function isSame(a: AttributeRef, b: AttributeRef): boolean {
  return a.aspect === b.aspect && a.attribute === b.attribute;
}

/** The pages that state a fact as it is. */
export function pagesStating({ pages }: Subject, ref: AttributeRef): Page[] {
  return pages.filter((page) => gradeOf(page, ref) !== undefined);
}

/** Every attribute of an entity, by aspect. */
export function attributesOf({ kind }: Entity): AttributeRef[] {
  return kind.aspects.flatMap(({ attributes }, aspect) =>
    [...attributes.keys()].map((attribute) => ({ aspect, attribute })),
  );
}

/** The names of what is true, the plainest first. */
export function truthOf({ entity, ref }: Fact): Term {
  return attributeOf(entity.kind, ref).values[entity.truth[ref.aspect]![ref.attribute]!]!;
}

/** What an attribute is called, such as "maturing time". */
export function nounOf({ entity, ref }: Fact): string {
  return nouns[entity.kind.id]![attributeOf(entity.kind, ref).id]!;
}

export function isPerson({ entity, ref }: Fact): boolean {
  return attributeOf(entity.kind, ref).values === people;
}

/** What is true as a number, where all values are numbers of one unit; undefined elsewhere. */
export function numberOf(fact: Fact): number | undefined {
  const attribute = attributeOf(fact.entity.kind, fact.ref);
  return isNumeric(attribute) ? Number(/\d+/.exec(truthOf(fact)[0]!)![0]) : undefined;
}

function isNumeric({ values }: Attribute): boolean {
  const unit = (value: Term): string => value[0]!.replace(/\d+/, "#");
  return values.every((value) => unit(value) === unit(values[0]!) && unit(value).includes("#"));
}

/** The entity by what it is: "the oak-aged apple cider for monks"; by its name where others answer to that too. */
export function described(entity: Entity, stream: Stream): string {
  if (!entity.distinct) return entity.name;
  return `the ${fill(compile(references(entity.kind).written), words(entity, stream), () => stream.uniform())}`;
}

/** The entity by its name, by what it is, or by both. */
export function referenceTo(entity: Entity, stream: Stream): string {
  const u = stream.uniform();
  if (u < 0.25) return entity.name;
  return u < 0.55 && entity.distinct ? `${entity.name}, ${described(entity, stream)}` : described(entity, stream);
}

/** What the entity has in common with its family: "an apple cider". */
export function familyOf(entity: Entity, stream: Stream): string {
  const family = fill(compile(familyNames[entity.kind.id]!), words(entity, stream), () => stream.uniform());
  return fill(
    compile("{a family}"),
    () => family,
    () => stream.uniform(),
  );
}

function words(entity: Entity, stream: Stream): (slot: string) => string {
  return (slot) => pick(entity[slot as "type" | "first" | "second" | "third"], stream);
}

/** How many topics of a task are due once a share of the pages is written: all of them a little before the end. */
export function due(topics: number, pages: number, documents: number): number {
  return Math.floor(topics * Math.min(1, pages / (0.97 * documents)));
}
