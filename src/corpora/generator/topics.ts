import { kindShare } from "./entities.ts";
import { kinds } from "./world/index.ts";
import type { Field, Term } from "./world/model.ts";

/** What sites cover: one variety of one kind, such as soups. */
export interface SiteTopic {
  readonly label: string;
  /** What a thing of this variety is called. */
  readonly forms: Term;
  readonly field: Field;
  /** The kind that it is a variety of, by its place among all. */
  readonly kind: number;
  /** The share of entities that belong to it. */
  readonly mass: number;
}

const firstOf: number[] = [];

/** Every topic of the world, kind by kind. */
export const siteTopics: readonly SiteTopic[] = kinds.flatMap((kind, kindIndex) => {
  firstOf.push((firstOf.at(-1) ?? 0) + (kindIndex === 0 ? 0 : kinds[kindIndex - 1]!.types.length));
  return kind.types.map(({ topic, forms }) => ({
    label: topic,
    forms,
    field: kind.field,
    kind: kindIndex,
    mass: kindShare(kindIndex) / kind.types.length,
  }));
});

/** The topic that an entity of this kind and type belongs to, by its place in `siteTopics`. */
export function topicIndex(kindIndex: number, typeIndex: number): number {
  return firstOf[kindIndex]! + typeIndex;
}
