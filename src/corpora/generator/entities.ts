import { hash32, hashUniform, mix32, type Stream, type Streams } from "../../kernel/random.ts";
import type { Parameters } from "./parameters.ts";
import { kinds } from "./world/index.ts";
import type { Attribute, Kind, Term } from "./world/model.ts";
import { regions } from "./world/pools.ts";

export const traits = ["type", "first", "second", "third"] as const;
export type Trait = (typeof traits)[number];

export function isTrait(slot: string): slot is Trait {
  return (traits as readonly string[]).includes(slot);
}

/** An invented thing, person or place with what is true of it. */
export interface Entity {
  readonly index: number;
  /** The number of its family: entities that share kind, type and first trait. */
  readonly family: number;
  readonly kind: Kind;
  readonly kindIndex: number;
  readonly name: string;
  readonly type: Term;
  readonly typeIndex: number;
  readonly first: Term;
  readonly second: Term;
  readonly third: Term;
  readonly region: string;
  readonly feminine: boolean;
  /** The aspect that most pages are about: what the entity is known for. */
  readonly mainAspect: number;
  /** Which of a trait's names those who write about the entity do not use, by slot; those who search may. */
  readonly unused: Readonly<Record<Trait, number>>;
  /** Whether no other entity is described by the same type and traits. */
  readonly distinct: boolean;
  /** For each aspect and attribute, the number of the true value. */
  readonly truth: readonly (readonly number[])[];
}

/** An attribute by its place in its kind. */
export interface AttributeRef {
  readonly aspect: number;
  readonly attribute: number;
}

export function attributeOf(kind: Kind, ref: AttributeRef): Attribute {
  return kind.aspects[ref.aspect]!.attributes[ref.attribute]!;
}

/** The kinds, each as often as its weight: one block of families has each of them in an order of its own. */
const block: number[] = kinds.flatMap((kind, index) => Array<number>(kind.weight).fill(index));

/** The share of all entities that are of a kind. */
export function kindShare(kindIndex: number): number {
  return kinds[kindIndex]!.weight / block.length;
}

/** How many pages are about the most and the least popular entity; between them the tail falls with the square. */
const mostPages = 24;
const leastPages = 2;

/**
 * A world's entities, each made from the seed and its number alone, in any order, so that none need be kept. They
 * come in families: the members share kind, type and first trait, and differ in the second.
 */
export class Population {
  private readonly seed: number;
  private readonly familySize: number;
  private family: Family | undefined;

  constructor(
    private readonly streams: Streams,
    parameters: Parameters,
  ) {
    this.seed = streams.seedFor("population", "all");
    // A page of one aspect meets the same aspect of each sibling about 1.3 times: half of the confusers.
    this.familySize = Math.max(1, 1 + Math.round((parameters.confusers / 2) * 0.75));
  }

  /** How many pages are about an entity: a discrete Pareto law with exponent 2, cut at both ends. */
  pages(index: number): number {
    return Math.min(mostPages, Math.floor(leastPages / Math.sqrt(hashUniform(this.seed, index))));
  }

  at(index: number): Entity {
    const family = this.familyAt(Math.floor(index / this.familySize));
    const member = index % this.familySize;
    const { kind } = family;
    const stream = this.streams.stream("entity", String(index));
    const ordinal = family.ordinal * this.familySize + member;
    return {
      index,
      family: family.number,
      kind,
      kindIndex: family.kindIndex,
      name: nameOf(kind, ordinal, this.seed),
      type: kind.types[family.typeIndex]!.forms,
      typeIndex: family.typeIndex,
      first: family.first,
      second: kind.second[family.seconds[member % family.seconds.length]!]!,
      third: pick(kind.fame.terms, stream),
      region: pick(regions, stream)[0]!,
      feminine: stream.uniform() < 0.5,
      mainAspect: stream.integer(kind.aspects.length),
      unused: {
        type: unusedName(stream),
        first: unusedName(stream),
        second: unusedName(stream),
        third: unusedName(stream),
      },
      distinct: family.distinct && member < family.seconds.length,
      truth: kind.aspects.map((aspect) => aspect.attributes.map(({ values }) => stream.integer(values.length))),
    };
  }

  /** Another entity of the same family, or the neighbour of an entity that has none. */
  siblingOf(entity: Entity, stream: Stream): Entity {
    const base = entity.index - (entity.index % this.familySize);
    const step = this.familySize > 1 ? 1 + stream.integer(this.familySize - 1) : 1;
    const index = base + ((entity.index - base + step) % Math.max(2, this.familySize));
    return this.at(index);
  }

  /** Whether the next entity is of another family. */
  endsFamily(index: number): boolean {
    return (index + 1) % this.familySize === 0;
  }

  private familyAt(number: number): Family {
    if (this.family?.number !== number) this.family = this.makeFamily(number);
    return this.family;
  }

  private makeFamily(number: number): Family {
    const round = Math.floor(number / block.length);
    const place = number % block.length;
    const order = this.streams.stream("kinds", String(round)).shuffle([...block]);
    const kindIndex = order[place]!;
    const kind = kinds[kindIndex]!;
    const before = order.slice(0, place).filter((other) => other === kindIndex).length;
    const ordinal = round * kind.weight + before;
    // Distinct pairs of type and first trait as long as there are any left.
    const pairs = kind.types.length * kind.first.length;
    const pair = scattered(ordinal, pairs, mix32(this.seed, kindIndex));
    const seconds = this.streams.stream("family", String(number)).shuffle([...kind.second.keys()]);
    return {
      number,
      kind,
      kindIndex,
      ordinal,
      typeIndex: pair % kind.types.length,
      first: kind.first[Math.floor(pair / kind.types.length)]!,
      seconds,
      distinct: ordinal < pairs,
    };
  }
}

interface Family {
  readonly number: number;
  readonly kind: Kind;
  readonly kindIndex: number;
  readonly ordinal: number;
  readonly typeIndex: number;
  readonly first: Term;
  readonly seconds: readonly number[];
  readonly distinct: boolean;
}

/** How often writers avoid the plainest name of a trait, the first, which people type: the source of absent words. */
const plainUnused = 0.75;

function unusedName(stream: Stream): number {
  return stream.uniform() < plainUnused ? 0 : 1 + stream.integer(2);
}

export function pick<T>(list: readonly T[], stream: Stream): T {
  return list[stream.integer(list.length)]!;
}

/** One of the kind's patterns filled with words, never the same twice: the ordinal, scattered, is read as digits. */
function nameOf(kind: Kind, ordinal: number, seed: number): string {
  const pattern = ordinal % kind.names.length;
  const parts = kind.names[pattern]!;
  const number = Math.floor(ordinal / kind.names.length);
  const size = parts.reduce((product, part) => product * part.length, 1);
  let digits = scattered(number, size, mix32(seed, hash32(`${kind.id} ${pattern}`)));
  let name = "";
  for (const part of parts) {
    name += part[digits % part.length];
    digits = Math.floor(digits / part.length);
  }
  const round = Math.floor(number / size);
  return round === 0 ? name : `${name} ${round + 1}`;
}

/** A permutation of 0..size-1, by steps of a number without a common factor; it repeats after `size`. */
function scattered(number: number, size: number, seed: number): number {
  let step = 1 + (seed % size);
  while (commonFactor(step, size) > 1) step++;
  return ((number % size) * step + (mix32(seed, size) % size)) % size;
}

function commonFactor(a: number, b: number): number {
  return b === 0 ? a : commonFactor(b, a % b);
}
