import { BoundedCache } from "./bounded-cache.ts";
import { type Question, questionOf } from "./question.ts";
import type { Sentence } from "./sentences.ts";

/** What of a thing is asked: the property, apart from the words that say which thing. */
export interface Focus {
  readonly property: Question;
  /** Other words by which such a property is told. */
  readonly hints: Question;
}

const atTheEnd = /\b(?:its|his|her|their|the)\s+([\p{L}-]+(?:\s+[\p{L}-]+){0,5})\s*[?.]?$/u;
const ofSomething = /\b(?:the|an?)\s+([\p{L}-]+(?:\s+(?!of\b)[\p{L}-]+){0,4})\s+of\b/u;

/** How properties are told in other words: "it weighs 2 kilograms" of a weight, "taught by" of a teacher. */
const tellings = `
age old years reached
weight heavy weighs grams kilograms tonnes
price cost costs admission fee charge pay paid crowns sum funding budget
energy calories kcal portion
duration time length minutes hours days weeks lasts takes ran
year founded founding first began released opened born dates since
birth born
death died dies
husband wife spouse married marriage home partner
teacher taught lessons pupil
author writer wrote written pen
founder founded began started
investigator leader led idea head ran
director directed shot
region place home lies based found country shot
headquarters based office seat
capacity seats holds room
instrument tool measured used plays
predator enemy enemies eaten preys
food diet eats feeds lives
size number count people samples cases took
speed fast kilometres
height tall high metres
temperature warm hot cold degrees
material made
cause because due blamed
`;

const tellingsOf = new Map<string, string>();
for (const line of tellings.trim().split("\n")) {
  const [property, ...words] = line.split(" ") as [string, ...string[]];
  for (const each of [property, ...words]) {
    tellingsOf.set(each, `${tellingsOf.get(each) ?? ""} ${line}`);
  }
}

const known = new BoundedCache<Question, Focus | null>(4096);

/** What a question asks of something; null where it has another form. */
export function focusOf(question: Question): Focus | null {
  return known.get(question, ({ text }) => {
    const words = (atTheEnd.exec(text.trim()) ?? ofSomething.exec(text))?.[1]?.toLowerCase();
    if (words === undefined) return null;
    const hints = words.split(/\s+/).map((word) => tellingsOf.get(word) ?? "");
    return { property: questionOf(words), hints: questionOf(hints.join(" ").trim()) };
  });
}

/** What a sentence is worth that tells a property in other words, of one that names it. */
const toldCredit = 0.7;

/** How much a sentence says of what is asked, in [0, 1]. */
export function tells(sentence: Sentence, question: Question): number {
  const focus = focusOf(question);
  if (focus === null) return sentence.relevanceTo(question);
  const named = sentence.relevanceTo(focus.property);
  return sentence.relevanceTo(focus.hints) > 0 ? Math.max(named, toldCredit) : named;
}
