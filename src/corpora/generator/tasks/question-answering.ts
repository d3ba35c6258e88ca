import type { Stream } from "../../../kernel/random.ts";
import type { QuestionAnsweringTopic } from "../../format.ts";
import { pick } from "../entities.ts";
import type { Page } from "../page.ts";
import type { Parameters } from "../parameters.ts";
import { capitalised } from "../template.ts";
import { commonplace } from "../world/commonplace.ts";
import {
  attributesOf,
  described,
  type Fact,
  familyOf,
  isPerson,
  isSame,
  nounOf,
  numberOf,
  pagesStating,
  referenceTo,
  type Subject,
  truthOf,
} from "./facts.ts";

/** Where an answer can be had: on one page, only on pages of two sites, on none, or in everybody's head. */
export type Source = "page" | "sites" | "nowhere" | "common";

export interface QuestionAnsweringItem {
  readonly kind: "topic";
  readonly task: "question-answering";
  readonly topic: QuestionAnsweringTopic;
  readonly source: Source;
  /** The facts that the answer rests on; none for what everybody knows. */
  readonly facts: readonly Fact[];
}

type Question = Omit<QuestionAnsweringTopic, "id"> & { readonly facts: readonly Fact[] };

/** Writes questions with short answers, in the shares that the parameters give. */
export class QuestionWriter {
  private written = 0;
  private readonly counts = new Map<Source, number>();
  private readonly shares: ReadonlyMap<Source, number>;
  private readonly commonplaces: (readonly [string, ...string[]])[];

  constructor(parameters: Parameters, stream: Stream) {
    const { unanswerable, knownWithoutWeb, severalSites, questionAnsweringTopics } = parameters;
    this.commonplaces = stream.shuffle([...commonplace]);
    const common = Math.min(unanswerable, knownWithoutWeb, this.commonplaces.length / questionAnsweringTopics);
    this.shares = new Map([
      ["page", (1 - unanswerable) * (1 - severalSites)],
      ["sites", (1 - unanswerable) * severalSites],
      ["nowhere", unanswerable - common],
      ["common", common],
    ]);
  }

  /** A question about the members of a family, all of whose pages are written, while fewer than `due` are written. */
  write(family: readonly Subject[], due: number, stream: Stream): QuestionAnsweringItem | undefined {
    if (this.written >= due) return undefined;
    for (const source of this.mostOwed()) {
      const question = this.ask(source, family, stream);
      if (question === undefined) continue;
      const { facts, ...rest } = question;
      this.counts.set(source, (this.counts.get(source) ?? 0) + 1);
      const topic = { id: `qa-${String(++this.written).padStart(5, "0")}`, ...rest };
      return { kind: "topic", task: "question-answering", topic, source, facts };
    }
    return undefined;
  }

  /** The sources with fewer questions than their share, the one that lacks most first. */
  private mostOwed(): Source[] {
    const owed = [...this.shares].map(([source, share]) => {
      return { source, lacks: share * (this.written + 1) - (this.counts.get(source) ?? 0) };
    });
    return owed
      .filter(({ lacks }) => lacks > 0)
      .sort((a, b) => b.lacks - a.lacks)
      .map(({ source }) => source);
  }

  private ask(source: Source, family: readonly Subject[], stream: Stream): Question | undefined {
    if (source === "common") {
      const known = this.commonplaces.pop();
      if (known === undefined) return undefined;
      const [question, ...answers] = known;
      return { question, answers, evidence: [], knownWithoutWeb: true, facts: [] };
    }
    const subject = pick(family, stream);
    if (source === "page") return onOnePage(subject, stream);
    if (source === "nowhere") return nowhere(subject, stream);
    return stream.uniform() < 0.5 ? comparison(family, stream) : bridge(subject, family, stream);
  }
}

/** Asks for what at least one page states. */
function onOnePage(subject: Subject, stream: Stream): Question | undefined {
  const { entity } = subject;
  const stated = attributesOf(entity).filter((ref) => pagesStating(subject, ref).length > 0);
  if (stated.length === 0) return undefined;
  const fact = { entity, ref: pick(stated, stream) };
  return {
    question: plainQuestion(fact, stream),
    answers: [...truthOf(fact)],
    evidence: idsOf(pagesStating(subject, fact.ref)),
    facts: [fact],
  };
}

/** Asks for what no page states, neither rightly nor wrongly: it has an answer in the world, and none in the corpus. */
function nowhere({ entity, pages }: Subject, stream: Stream): Question | undefined {
  const unstated = attributesOf(entity).filter(
    (ref) => !pages.some(({ stated }) => stated.some((s) => isSame(s, ref))),
  );
  if (unstated.length === 0) return undefined;
  const fact = { entity, ref: pick(unstated, stream) };
  return { question: plainQuestion(fact, stream), answers: [...truthOf(fact)], evidence: [], facts: [fact] };
}

/** Asks which of two members of a family has more of something, where no site tells it of both. */
function comparison(family: readonly Subject[], stream: Stream): Question | undefined {
  const [one, other] = stream.shuffle([...family]);
  if (one === undefined || other === undefined) return undefined;
  const pairs = attributesOf(one.entity).flatMap((ref) => {
    const facts = [one, other].map(({ entity }) => ({ entity, ref })) as [Fact, Fact];
    const [a, b] = [numberOf(facts[0]), numberOf(facts[1])];
    const pages = [pagesStating(one, ref), pagesStating(other, ref)] as const;
    return a === undefined || b === undefined || a === b || !apart(...pages)
      ? []
      : [{ facts, winner: a > b ? one : other, pages }];
  });
  if (pairs.length === 0) return undefined;
  const { facts, winner, pages } = pick(pairs, stream);
  const noun = nounOf(facts[0]);
  const more = /\byear\b/.test(noun) ? "later" : "greater";
  const full = stream.uniform() < 0.7;
  const [a, b] = [one, other].map(({ entity }) =>
    full && entity.distinct ? `${entity.name} (${described(entity, stream).slice("the ".length)})` : entity.name,
  );
  const question = pick(
    [
      `Which one has the ${more} ${noun}, ${a} or ${b}?`,
      `Compare ${a} with ${b}: for which of the two is the ${noun} ${more}?`,
      `${a} and ${b} - whose ${noun} is ${more}?`,
      `Is the ${noun} ${more} for ${a} or for ${b}?`,
    ],
    stream,
  );
  return { question, answers: [winner.entity.name], evidence: idsOf(pages.flat()), facts };
}

/** Asks for a fact of an entity that another fact tells from its family, where no site has both facts. */
function bridge(subject: Subject, family: readonly Subject[], stream: Stream): Question | undefined {
  const { entity } = subject;
  if (!entity.distinct) return undefined;
  const stated = attributesOf(entity)
    .map((ref) => ({ fact: { entity, ref }, pages: pagesStating(subject, ref) }))
    .filter(({ pages }) => pages.length > 0);
  const tells = ({ ref }: Fact): boolean =>
    family.every((other) => other === subject || !sharesValue(truthOf({ entity, ref }), other, ref));
  const pairs = stated.flatMap((first) =>
    stated.flatMap((second) =>
      apart(first.pages, second.pages) && tells(first.fact) ? [[first, second] as const] : [],
    ),
  );
  if (pairs.length === 0) return undefined;
  const [first, second] = pick(pairs, stream);
  const one = familyOf(entity, stream);
  const clue = `${nounOf(first.fact)} is ${pick(truthOf(first.fact), stream)}`;
  const its = entity.kind.pronoun === "it" ? "its" : "this person's";
  const what = isPerson(second.fact) ? "Who" : "What";
  const noun = nounOf(second.fact);
  const question = pick(
    [
      `There is ${one} whose ${clue}. ${what} is ${its} ${noun}?`,
      `I remember ${one} of which I only know that the ${clue}. ${what} is ${its} ${noun}?`,
      `${what} is the ${noun} of ${one} whose ${clue}?`,
      `Take ${one}, namely the one whose ${clue}, and tell me ${its} ${noun}.`,
    ],
    stream,
  );
  const facts = [first.fact, second.fact];
  return { question, answers: [...truthOf(second.fact)], evidence: idsOf([...first.pages, ...second.pages]), facts };
}

/** Whether the same is true of another entity, or some page about it says so. */
function sharesValue(truth: readonly string[], { entity, pages }: Subject, ref: Fact["ref"]): boolean {
  if (truthOf({ entity, ref }) === truth) return true;
  return pages.some(({ stated }) => stated.some((each) => isSame(each, ref) && truth.includes(each.value)));
}

/** Whether both lists have pages, and none of a site that the other has pages of. */
function apart(some: readonly Page[], others: readonly Page[]): boolean {
  const sites = new Set(some.map(({ site }) => site));
  return some.length > 0 && others.length > 0 && !others.some(({ site }) => sites.has(site));
}

function idsOf(pages: readonly Page[]): string[] {
  return [...new Set(pages.map(({ document }) => document.id))];
}

/** A question for one fact, in one of the ways people ask. */
function plainQuestion(fact: Fact, stream: Stream): string {
  const noun = nounOf(fact);
  const subject = referenceTo(fact.entity, stream);
  const person = [
    `Who is the ${noun} of ${subject}?`,
    `Can you name the ${noun} of ${subject}?`,
    `I am trying to find out who the ${noun} of ${subject} is.`,
    `${capitalised(subject)}: who is the ${noun}?`,
    `For ${subject}, who counts as the ${noun}?`,
  ];
  const thing = [
    `What is the ${noun} of ${subject}?`,
    `Could you look up the ${noun} of ${subject}?`,
    `I need to know the ${noun} of ${subject}.`,
    `${capitalised(subject)} - what is the ${noun}?`,
    `Do you happen to know the ${noun} of ${subject}?`,
    `We could not agree on the ${noun} of ${subject}. What is it?`,
    `For ${subject}, what would be the ${noun}?`,
  ];
  return pick(isPerson(fact) ? person : thing, stream);
}
