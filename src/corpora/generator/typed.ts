import type { Stream } from "../../kernel/random.ts";
import { type AttributeRef, attributeOf, type Entity, isTrait, pick } from "./entities.ts";
import type { Parameters } from "./parameters.ts";
import { compile, fill } from "./template.ts";
import { references } from "./world/model.ts";

/** How often people type the singular of what pages have in the plural. */
const singularShare = 0.75;

/** A query, and its words for what tells the entity from others of its kind. */
export function compose(
  entity: Entity,
  ref: AttributeRef,
  named: boolean,
  stream: Stream,
): { query: string; traits: readonly string[] } {
  const { kind } = entity;
  const draw = (): number => stream.uniform();
  const traits: string[] = [];
  const forms = (slot: string): string => {
    if (!isTrait(slot)) {
      throw new Error(`no slot {${slot}} in a query about ${kind.id}`);
    }
    const words = pick(entity[slot], stream);
    const form = stream.uniform() < singularShare ? singular(words) : words;
    if (slot !== "type") traits.push(form);
    return form;
  };
  const subject = named
    ? stream.uniform() < 0.5
      ? entity.name
      : `${entity.name} ${forms("first")} ${forms("type")}`
    : fill(compile(pick(references(kind).typed, stream)), forms, draw);
  const query = fill(compile(pick(attributeOf(kind, ref).asks, stream)), () => subject, draw).toLowerCase();
  // People leave out articles and marks.
  const plain = query.replace(/[^\p{L}\p{N}' -]/gu, "");
  return { query: stream.uniform() < 0.7 ? plain.replace(/\b(a|an|the) /g, "") : plain, traits };
}

/** Words that end like a plural and are none. */
const singulars = new Set(["always", "news", "series", "species", "overseas", "besides", "careless", "seamless"]);

/** Each plural in the singular: with no stemming, another word to an index, and nearly the same one to a reader. */
function singular(words: string): string {
  return words.replace(/[a-z]{3,}s\b(?!')/g, (word) => {
    if (singulars.has(word) || /(ss|us|is|as|os)$/.test(word)) return word;
    if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
    return word.slice(0, /(sses|shes|ches|xes)$/.test(word) ? -2 : -1);
  });
}

/** What introduces the searches at the end of a page. */
const introductions = [
  "People also searched for: {list}.",
  "Related searches: {list}",
  "Others looked for {list}.",
  "Tags: {list}",
  "Searches that led here: {list}",
  "Popular this month: {list}.",
];

/** How many searches a page lists. */
const fewest = 3;
const most = 6;

/**
 * The foot of a page: what people have typed about another thing, in their words, as sites list it to be found. It
 * makes the page match the words of queries that it does not answer. Empty for pages without one.
 */
export function relatedSearches(other: Entity, { relatedSearches: share }: Parameters, stream: Stream): string {
  if (stream.uniform() >= share) return "";
  const many = fewest + stream.integer(most - fewest + 1);
  const searches = Array.from({ length: many }, () => {
    const aspect = stream.integer(other.kind.aspects.length);
    const attribute = stream.integer(other.kind.aspects[aspect]!.attributes.length);
    return compose(other, { aspect, attribute }, false, stream).query;
  });
  const list = [...new Set(searches)].join(", ");
  return fill(
    compile(pick(introductions, stream)),
    () => list,
    () => stream.uniform(),
  );
}
