import type { Stream } from "../../../kernel/random.ts";
import type { DeepResearchTopic } from "../../format.ts";
import { pick } from "../entities.ts";
import type { Page } from "../page.ts";
import {
  attributesOf,
  described,
  type Fact,
  isSame,
  nounOf,
  pagesStating,
  referenceTo,
  type Subject,
} from "./facts.ts";

export interface DeepResearchItem {
  readonly kind: "topic";
  readonly task: "deep-research";
  readonly topic: DeepResearchTopic;
  /** The facts behind the key points, in their order. */
  readonly facts: readonly Fact[];
}

const fewestPoints = 5;
const mostPoints = 8;
const fewestSites = 3;

interface Found {
  readonly fact: Fact;
  readonly pages: readonly Page[];
}

/** Writes questions for a report: what pages of several sites state about one thing, or about two to be compared. */
export class ResearchWriter {
  private written = 0;

  /** A question about members of a family, all of whose pages are written, while fewer than `due` are written. */
  write(family: readonly Subject[], due: number, stream: Stream): DeepResearchItem | undefined {
    if (this.written >= due) return undefined;
    const chosen = stream.uniform() < 0.4 ? stream.shuffle([...family]).slice(0, 2) : [pick(family, stream)];
    const found = stream.shuffle(chosen.flatMap(factsOf)).slice(0, mostPoints);
    const evidence = new Map(found.flatMap(({ pages }) => pages).map((page) => [page.document.id, page]));
    const sites = new Set([...evidence.values()].map(({ site }) => site));
    const covered = new Set(found.map(({ fact }) => fact.entity));
    if (found.length < fewestPoints || sites.size < fewestSites || covered.size < chosen.length) return undefined;
    const topic = {
      id: `dr-${String(++this.written).padStart(5, "0")}`,
      question: questionFor(chosen, found, stream),
      keyPoints: found.map(keyPoint),
      evidence: [...evidence.keys()].sort(),
    };
    return { kind: "topic", task: "deep-research", topic, facts: found.map(({ fact }) => fact) };
  }
}

function factsOf(subject: Subject): Found[] {
  const { entity } = subject;
  return attributesOf(entity)
    .map((ref) => ({ fact: { entity, ref }, pages: pagesStating(subject, ref) }))
    .filter(({ pages }) => pages.length > 0);
}

/** A fact as a sentence, with the words of one of its pages for what is true. */
function keyPoint({ fact, pages }: Found): string {
  const { value } = pages[0]!.stated.find((each) => isSame(each, fact.ref))!;
  return `The ${nounOf(fact)} of ${fact.entity.name} is ${value}.`;
}

function questionFor(subjects: readonly Subject[], found: readonly Found[], stream: Stream): string {
  const { kind } = subjects[0]!.entity;
  const aspects = [...new Set(found.map(({ fact }) => fact.ref.aspect))].sort((a, b) => a - b);
  const labels = aspects.map((aspect) => pick(kind.aspects[aspect]!.labels, stream));
  const about = labels.length < 2 ? labels[0]! : `${labels.slice(0, -1).join(", ")} and ${labels.at(-1)!}`;
  if (subjects.length === 2) {
    const [a, b] = subjects.map(({ entity }) =>
      entity.distinct ? `${entity.name} (${described(entity, stream).slice("the ".length)})` : entity.name,
    );
    return pick(
      [
        `How do ${a} and ${b} differ when it comes to ${about}?`,
        `Write a comparison of ${a} and ${b}. It should go into ${about}.`,
        `Why might somebody prefer ${a} to ${b}, or the other way round? Consider ${about}.`,
        `${a} or ${b}: set out what speaks for each, with regard to ${about}.`,
      ],
      stream,
    );
  }
  const subject = referenceTo(subjects[0]!.entity, stream);
  return pick(
    [
      `What should somebody know before making up their mind about ${subject}, above all concerning ${about}?`,
      `Prepare a well-sourced report on ${subject} that deals with ${about}.`,
      `Why do so many people take an interest in ${subject}? Go into ${about}.`,
      `I have to give a talk about ${subject}. Put together the facts on ${about}.`,
      `How much is really known about ${subject}? Look at ${about}.`,
    ],
    stream,
  );
}
