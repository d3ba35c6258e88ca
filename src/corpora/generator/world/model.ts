/**
 * The words a world is written in. A term is a list of names for one thing, divided by bars: "trout|river fish". Pages
 * and queries each pick their own, which is where the vocabulary mismatch between them comes from.
 */
export type Term = readonly string[];

/** One thing that can be said of an entity. */
export interface Attribute {
  readonly id: string;
  /** What can be true of it. */
  readonly values: readonly Term[];
  /** Templates of a sentence that states it: {v} is the value, {it} the entity. */
  readonly says: readonly string[];
  /** Templates of a search query that asks for it: {s} is a reference to the entity. */
  readonly asks: readonly string[];
  /** A question in full, {s} as above. */
  readonly question: string;
}

/** A group of attributes that one page is about. */
export interface Aspect {
  /** What the group is called in titles and headings, in lower case. */
  readonly labels: readonly string[];
  readonly attributes: readonly Attribute[];
}

/** What an entity is known for: a third trait, which tells it from the other members of its family. */
export interface Fame {
  /** What joins it to the rest of a reference: "hill town [known for] perfume". */
  readonly link: string;
  /** Templates of a sentence that states it: {third} is the trait. */
  readonly says: readonly string[];
  readonly terms: readonly Term[];
}

/** A kind of entity: all that is needed to invent any number of them, and to write and ask about them. */
export interface Kind {
  readonly id: string;
  /** What sites specialise in: kinds of one field are covered by the same specialists. */
  readonly field: Field;
  /** How often it is drawn, beside the other kinds. */
  readonly weight: number;
  /** Its varieties; each is a topic of the corpus, named before the colon. */
  readonly types: readonly { readonly topic: string; readonly forms: Term }[];
  /** Two more traits. Entities of one family share type and first trait and differ in the second, and in their fame. */
  readonly first: readonly Term[];
  readonly second: readonly Term[];
  /** Patterns of proper names: each is a row of parts, one word of each part is taken. */
  readonly names: readonly (readonly (readonly string[])[])[];
  readonly pronoun: "it" | "person";
  /** Templates of what it is, for the top of a page: {name}, {type}, {first}, {second}, with {a ...} for an article. */
  readonly leads: readonly string[];
  /** A reference to it without its name, as pages have it and people may type it, but for what it is known for. */
  readonly subject: string;
  /** Shorter references, as people type them. */
  readonly typed: readonly string[];
  readonly fame: Fame;
  readonly aspects: readonly Aspect[];
  /** Sentences that state no fact of the world: the padding that real pages are full of. */
  readonly asides: readonly string[];
}

/** References to an entity of a kind, complete: as pages have them, and as people type them. */
export function references({ subject, typed, fame }: Kind): { written: string; typed: readonly string[] } {
  const written = `${subject} ${fame.link} {third}`;
  return {
    written,
    typed: [written, ...typed.flatMap((words) => [`${words} ${fame.link} {third}`, `${words} {third}`])],
  };
}

export type Field =
  | "food"
  | "travel"
  | "culture"
  | "nature"
  | "health"
  | "technology"
  | "society"
  | "sports"
  | "science"
  | "home";

/** "trout|river fish" as a term. */
function term(forms: string): Term {
  return forms.split("|");
}

export function terms(...list: string[]): Term[] {
  return list.map(term);
}

/** "soups: soup|broth" as a topic with the names of the variety. */
export function types(...list: string[]): { topic: string; forms: Term }[] {
  return list.map((line) => {
    const colon = line.indexOf(": ");
    return { topic: line.slice(0, colon), forms: term(line.slice(colon + 2)) };
  });
}

/** The values from `low` to `high` in steps, with {n} in each form replaced by the number. */
export function range(low: number, high: number, step: number, forms = "{n}"): Term[] {
  const values: Term[] = [];
  for (let n = low; n <= high; n += step) values.push(term(forms.replaceAll("{n}", String(n))));
  return values;
}

export function fact(
  id: string,
  values: readonly Term[],
  says: readonly string[],
  asks: readonly string[],
  question: string,
): Attribute {
  return { id, values, says, asks, question };
}

export function aspect(labels: string, ...attributes: Attribute[]): Aspect {
  return { labels: term(labels), attributes };
}
