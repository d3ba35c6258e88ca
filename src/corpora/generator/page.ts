import type { Stream } from "../../kernel/random.ts";
import type { Document } from "../format.ts";
import { type AttributeRef, attributeOf, type Entity, isTrait, pick, type Trait } from "./entities.ts";
import type { Parameters } from "./parameters.ts";
import type { PlannedSite } from "./sites.ts";
import { capitalised, compile, fill } from "./template.ts";
import { references } from "./world/model.ts";
import { people } from "./world/pools.ts";
import { askings, comparisons, echoes, fillers, passing, type Voice } from "./world/voices.ts";

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
  /** The last paragraph, if any. */
  readonly foot: string;
}

/** Writes one page in the style of its site. */
export function writePage(assignment: Assignment, parameters: Parameters, stream: Stream): Page {
  const { entity, site, aspect, id, foot } = assignment;
  const { kind } = entity;
  const { voice } = site;
  const day = dayBetween(2012, 2026, stream);
  const value = vocabulary(assignment, day.text, stream);
  const sentence = (source: string): string => capitalised(fill(compile(source), value, () => stream.uniform()));

  const stated = chooseFacts(entity, aspect, site, parameters, stream);
  const { main, aside } = tell(stated, entity, value, stream);
  const { title, intro, question } = opening(assignment, stated[0]!, main[0]!, value, stream);
  const body: Body = {
    padding: paddingFor(voice, kind.asides, intro, main, stream).map(sentence),
    head: sentence(pick(voice.heads, stream)),
    label: value("label"),
    question: question(),
    author: value("author"),
    intro,
    details: main.slice(1),
    aside,
    close: sentence(pick(voice.closers, stream)),
  };
  const text = layouts[voice.shape](body, stream);
  const slug = `${entity.name} ${body.label}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return {
    site,
    stated,
    document: {
      id,
      site: site.site.id,
      url: `https://${site.site.id}/${slug}-${id.slice(id.lastIndexOf("-") + 1)}`,
      title,
      text: foot === "" ? text : `${text}\n\n${foot}`,
      publishedMs: day.ms,
    },
  };
}

/** The facts as sentences: those the page is about, and those it has in passing. */
function tell(stated: readonly Stated[], entity: Entity, value: (slot: string) => string, stream: Stream) {
  const draw = (): number => stream.uniform();
  const texts = stated.map((fact) =>
    fill(
      compile(pick(attributeOf(entity.kind, fact).says, stream)),
      (slot) => (slot === "v" ? fact.value : value(slot)),
      draw,
    ),
  );
  const inPassing = (text: string): string => capitalised(fill(compile(pick(passing, stream)), () => text, draw));
  return {
    main: texts.filter((_, at) => stated[at]!.grade > 1).map(capitalised),
    aside: texts.filter((_, at) => stated[at]!.grade === 1).map(inPassing),
  };
}

/** How often a page has each of the sentences it may open with; these shares set how well a page can be found. */
const askingTitles = 0.75;
const askingShare = 0.9;
const echoShare = 0.7;
const factFirstShare = 0.25;
const openerShare = 0.3;

/**
 * The title and the first sentences. They say what the page is about more than once and in more words than one, as
 * pages that want to be found do; a sentence encoder reads little more than this.
 */
function opening(
  { entity, site }: Assignment,
  headline: Stated,
  fact: string,
  value: (slot: string) => string,
  stream: Stream,
) {
  const { kind } = entity;
  const draw = (): number => stream.uniform();
  const asked = compile(attributeOf(kind, headline).question);
  const reference = compile(references(kind).written);
  const other = otherWords(entity, value);
  const subject = (): string => fill(reference, value, draw);
  const otherSubject = (): string => fill(reference, other, draw);
  const question = (): string => fill(asked, subject, draw);
  const shortQuestion = fill(asked, () => value("type"), draw);
  const titled = (slot: string): string => {
    if (slot === "question") return question();
    if (slot === "label" && draw() < askingTitles) return uncapitalised(shortQuestion).replace(/[?]$/, "");
    return slot === "name" ? entitled(entity.name, subject, stream) : value(slot);
  };
  const echoed = (slot: string): string => (slot === "subject" ? otherSubject() : value(slot));
  const sentence = (source: string, words = value): string => capitalised(fill(compile(source), words, draw));

  const title = sentence(pick(site.voice.titles, stream), titled);
  const opener = fill(compile(pick(site.voice.openers, stream)), value, draw);
  const about = [sentence(pick(kind.leads, stream)), sentence(pick(kind.fame.says, stream))];
  const asking = draw() < askingShare ? sentence(pick(askings, stream)) + fill(asked, otherSubject, draw) : "";
  const echo = asking === "" || draw() < echoShare ? sentence(pick(echoes, stream), echoed) : "";
  const intro = draw() < factFirstShare ? [fact, ...about, asking, echo] : [asking, ...about, fact, echo];
  if (opener !== "" && draw() < openerShare) intro.unshift(opener);
  return { title, intro: intro.filter((text) => text !== ""), question };
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
    if (place > 0 && stream.uniform() < 0.04) return [];
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
  const type = usualWord(entity, "type", stream);
  const first = usualWord(entity, "first", stream);
  const second = usualWord(entity, "second", stream);
  const third = usualWord(entity, "third", stream);
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
      case "third":
        return third;
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
        return u < 0.2 ? entity.name : u < 0.6 ? pronoun : `the ${type}`;
      }
      default:
        throw new Error(`no slot {${slot}} in a page about ${kind.id}`);
    }
  };
}

/** How often a page keeps to its own ways and may have the name of a trait that others do not use. */
const ownWays = 0.14;

/** A name for a trait as writers have it. */
function usualWord(entity: Entity, trait: Trait, stream: Stream): string {
  const names = entity[trait];
  const shift = stream.uniform() < ownWays ? stream.integer(names.length) : 1 + stream.integer(names.length - 1);
  return names[(entity.unused[trait] + shift) % names.length]!;
}

/** The other usual name for each trait than the one the page has: of three names a page has two at most. */
function otherWords(entity: Entity, value: (slot: string) => string): (slot: string) => string {
  return (slot) => {
    if (!isTrait(slot)) return value(slot);
    const names = entity[slot];
    const next = (names.indexOf(value(slot)) + 1) % names.length;
    return names[next === entity.unused[slot] ? (next + 1) % names.length : next]!;
  };
}

function uncapitalised(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** How often a title has the bare name, and how often only what the thing is: names that nobody knows say little. */
const nameTitles = 0.1;
const subjectTitles = 0.6;

/** How a title calls the entity: by its name, by what it is, or both. */
function entitled(name: string, subject: () => string, stream: Stream): string {
  const u = stream.uniform();
  return u < nameTitles ? name : u < nameTitles + subjectTitles ? subject() : `${name}, ${subject()}`;
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
  for (const text of intro) words += wordCount(text);
  for (const text of main) words += wordCount(text);
  const own = stream.shuffle([...asides, ...voice.remarks, pick(comparisons, stream)]);
  const any = stream.shuffle([...fillers]);
  const chosen: string[] = [];
  while (words < wanted && own.length + any.length > 0) {
    const source = (own.length > 0 && stream.uniform() < 0.75) || any.length === 0 ? own.pop()! : any.pop()!;
    chosen.push(source);
    words += 0.8 * wordCount(source);
  }
  return chosen;
}

function wordCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) count++;
  return count;
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
    return paragraphs(body.head, body.intro, rest.slice(0, cut), rest.slice(cut, 2 * cut), rest.slice(2 * cut), [
      body.close,
    ]);
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

/** The blocks as paragraphs, the first after the introduction being the page's date, author or rating. */
function paragraphs(head: string, intro: readonly string[], ...blocks: (readonly string[])[]): string {
  return [intro, [head], ...blocks]
    .map((block) => block.join(" "))
    .filter((text) => text !== "")
    .join("\n\n");
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
