import type { Stream } from "../../kernel/random.ts";
import type { Document } from "../format.ts";
import { type AttributeRef, attributeOf, type Entity, pick } from "./entities.ts";
import type { Parameters } from "./parameters.ts";
import type { PlannedSite } from "./sites.ts";
import { capitalised, compile, fill } from "./template.ts";
import type { Term } from "./world/model.ts";
import { people } from "./world/pools.ts";
import { comparisons, fillers, passing, type Voice } from "./world/voices.ts";

/** A fact as a page states it. */
export interface Stated extends AttributeRef {
  /** The words the page has for the value. */
  readonly value: string;
  /** False for a copy that is wrong or stale. */
  readonly correct: boolean;
  /** 3 when the page opens with it, 2 when it is among what the page is about, 1 in passing. */
  readonly grade: 1 | 2 | 3;
}

export interface Page {
  readonly site: PlannedSite;
  readonly document: Document;
  readonly stated: readonly Stated[];
}

/** What a page is to be about, and the names it may bring up. */
export interface Assignment {
  readonly entity: Entity;
  readonly sibling: Entity;
  readonly aspect: number;
  readonly site: PlannedSite;
  readonly id: string;
}

/** Writes one page in the style of its site. */
export function writePage(assignment: Assignment, parameters: Parameters, stream: Stream): Page {
  const { entity, site, aspect, id } = assignment;
  const { kind } = entity;
  const { voice } = site;
  const draw = (): number => stream.uniform();
  const day = dayBetween(2012, 2026, stream);
  const value = vocabulary(assignment, day.text, stream);
  const say = (source: string): string => fill(compile(source), value, draw);
  const sentence = (source: string): string => capitalised(say(source));

  const facts = chooseFacts(entity, aspect, site, parameters, stream);
  const told = facts.map((fact) => ({
    fact,
    text: fill(
      compile(pick(attributeOf(kind, fact).says, stream)),
      (slot) => (slot === "v" ? fact.value : value(slot)),
      draw,
    ),
  }));
  const main = told.filter(({ fact }) => fact.grade > 1).map(({ text }) => capitalised(text));
  const aside = told
    .filter(({ fact }) => fact.grade === 1)
    .map(({ text }) => capitalised(fill(compile(pick(passing, stream)), () => text, draw)));

  const question = attributeOf(kind, facts[0]!).question;
  const title = capitalised(
    fill(
      compile(pick(voice.titles, stream)),
      (slot) => (slot === "question" ? fill(compile(question), () => say(pick(kind.subjects, stream)), draw) : value(slot)),
      draw,
    ),
  );
  const opener = say(pick(voice.openers, stream));
  const lead = sentence(pick(kind.leads, stream));
  const intro = draw() < 0.25 ? [main[0]!, lead] : [lead, main[0]!];
  if (opener !== "") intro.unshift(opener);

  const padding = paddingFor(voice, kind.asides, intro, main, stream).map(sentence);
  const body: Body = {
    head: sentence(pick(voice.heads, stream)),
    label: value("label"),
    question: fill(compile(question), () => entity.name, draw),
    author: value("author"),
    intro,
    details: main.slice(1),
    aside,
    padding,
    close: sentence(pick(voice.closers, stream)),
  };
  const slug = `${entity.name} ${body.label}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return {
    site,
    stated: facts,
    document: {
      id,
      site: site.site.id,
      url: `https://${site.site.id}/${slug}-${id.slice(id.lastIndexOf("-") + 1)}`,
      title,
      text: layouts[voice.shape](body, stream),
      publishedMs: day.ms,
    },
  };
}

/** The facts of a page, the one it opens with first; each is the truth but for a share of wrong copies. */
function chooseFacts(
  entity: Entity,
  aspect: number,
  site: PlannedSite,
  parameters: Parameters,
  stream: Stream,
): Stated[] {
  const { kind } = entity;
  const wrong = parameters.wrongCopies * site.unreliability;
  const state = (ref: AttributeRef, grade: 1 | 2 | 3): Stated => {
    const { values } = attributeOf(kind, ref);
    const truth = entity.truth[ref.aspect]![ref.attribute]!;
    const correct = values.length < 2 || stream.uniform() >= wrong;
    const number = correct ? truth : (truth + 1 + stream.integer(values.length - 1)) % values.length;
    return { ...ref, value: pick(values[number]!, stream), correct, grade };
  };
  const order = stream.shuffle([...kind.aspects[aspect]!.attributes.keys()]);
  const facts = order.flatMap((attribute, place): Stated[] => {
    if (place > 0 && stream.uniform() < 0.15) return [];
    return [state({ aspect, attribute }, place === 0 ? 3 : 2)];
  });
  for (const [other, { attributes }] of kind.aspects.entries()) {
    if (other === aspect) continue;
    for (const attribute of attributes.keys()) {
      if (stream.uniform() < parameters.passingFacts) facts.push(state({ aspect: other, attribute }, 1));
    }
  }
  return facts;
}

/** The words of a page for everything its templates name; a page keeps to its choice for most of its length. */
function vocabulary(assignment: Assignment, date: string, stream: Stream): (slot: string) => string {
  const { entity, sibling, aspect, site } = assignment;
  const { kind } = entity;
  // The first name of a term is the usual one: half of all pages have it.
  const choose = (term: Term): string => (stream.uniform() < 0.35 ? term[0]! : pick(term, stream));
  const type = choose(entity.type);
  const first = choose(entity.first);
  const second = choose(entity.second);
  const label = pick(kind.aspects[aspect]!.labels, stream);
  const pronoun = kind.pronoun === "it" ? "it" : entity.feminine ? "she" : "he";
  return (slot) => {
    switch (slot) {
      case "name":
        return entity.name;
      case "type":
        return type;
      case "first":
        return first;
      case "second":
        return second;
      case "label":
        return label;
      case "region":
        return entity.region;
      case "site":
        return site.site.name;
      case "other":
        return sibling.name;
      case "author":
        return pick(people, stream)[0]!;
      case "date":
        return date;
      case "him":
        return pronoun === "it" ? "it" : pronoun === "she" ? "her" : "him";
      case "his":
        return pronoun === "it" ? "its" : pronoun === "she" ? "her" : "his";
      case "it": {
        const u = stream.uniform();
        return u < 0.35 ? entity.name : u < 0.75 ? pronoun : `the ${stream.uniform() < 0.5 ? type : pick(entity.type, stream)}`;
      }
      default:
        throw new Error(`no slot {${slot}} in a page about ${kind.id}`);
    }
  };
}

/** Sentences without facts, each at most once a page, until the page has a length between 80 and 350 words. */
function paddingFor(
  voice: Voice,
  asides: readonly string[],
  intro: readonly string[],
  main: readonly string[],
  stream: Stream,
): string[] {
  const u = stream.uniform();
  const wanted = 80 + Math.floor(u * u * 230);
  let words = 12;
  for (const text of intro) words += text.split(" ").length;
  for (const text of main) words += text.split(" ").length;
  const own = stream.shuffle([...asides, ...voice.remarks, pick(comparisons, stream)]);
  const any = stream.shuffle([...fillers]);
  const chosen: string[] = [];
  while (words < wanted && own.length + any.length > 0) {
    const source = (own.length > 0 && stream.uniform() < 0.75) || any.length === 0 ? own.pop()! : any.pop()!;
    chosen.push(source);
    words += 0.8 * source.split(" ").length;
  }
  return chosen;
}

interface Body {
  readonly head: string;
  readonly label: string;
  readonly question: string;
  readonly author: string;
  readonly intro: readonly string[];
  readonly details: readonly string[];
  readonly aside: readonly string[];
  readonly padding: readonly string[];
  readonly close: string;
}

const layouts: Record<Voice["shape"], (body: Body, stream: Stream) => string> = {
  prose: (body, stream) => {
    const rest = woven([...body.details, ...body.aside], body.padding, stream);
    const cut = Math.ceil(rest.length / (rest.length > 8 ? 3 : 2));
    return paragraphs(body.head, body.intro, rest.slice(0, cut), rest.slice(cut, 2 * cut), rest.slice(2 * cut), [body.close]);
  },
  headings: (body, stream) => {
    const half = Math.ceil(body.padding.length / 2);
    return paragraphs(
      body.head,
      body.intro,
      headed(body.label, woven(body.details, body.padding.slice(0, half), stream)),
      headed("notes", woven(body.aside, body.padding.slice(half), stream)),
      [body.close],
    );
  },
  list: (body) =>
    paragraphs(
      body.head,
      body.intro,
      [[...body.details, ...body.aside].map((text) => `- ${text}`).join("\n")],
      body.padding,
      [body.close],
    ),
  dialogue: (body, stream) => {
    const half = Math.ceil(body.padding.length / 2);
    return paragraphs(
      body.head,
      [body.question],
      [`${body.author}:`, ...body.intro, ...woven(body.details, body.padding.slice(0, half), stream)],
      body.aside,
      [body.padding.slice(half).join("\n")],
      [body.close],
    );
  },
  transcript: (body, stream) => {
    let seconds = 4 + stream.integer(20);
    const stamped = woven([...body.details, ...body.aside], body.padding, stream).map((text) => {
      seconds += 6 + stream.integer(30);
      return `[${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}] ${text}`;
    });
    return paragraphs(body.head, body.intro, [stamped.join("\n")], [body.close]);
  },
};

/** Facts and padding in one row: the order within each is kept, and which comes next is drawn. */
function woven(facts: readonly string[], padding: readonly string[], stream: Stream): string[] {
  const row: string[] = [];
  let f = 0;
  let p = 0;
  while (f < facts.length || p < padding.length) {
    const left = facts.length - f;
    if (stream.uniform() * (left + padding.length - p) < left) row.push(facts[f++]!);
    else row.push(padding[p++]!);
  }
  return row;
}

function headed(heading: string, sentences: readonly string[]): string[] {
  return sentences.length === 0 ? [] : [`${capitalised(heading)}\n${sentences.join(" ")}`];
}

function paragraphs(head: string, ...blocks: (readonly string[])[]): string {
  const texts = blocks.map((block) => block.join(" ")).filter((text) => text !== "");
  return (head === "" ? texts : [head, ...texts]).join("\n\n");
}

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

function dayBetween(from: number, to: number, stream: Stream): { ms: number; text: string } {
  const year = from + stream.integer(to - from + 1);
  const month = stream.integer(12);
  const day = 1 + stream.integer(28);
  return { ms: Date.UTC(year, month, day, stream.integer(24)), text: `${day} ${months[month]} ${year}` };
}
