import type { ActionKind } from "./grammar.ts";
import type { SiteReply } from "./information.ts";
import type { Judge } from "./judge.ts";
import type { Hit } from "./ports.ts";
import type { PromptPart } from "./prompt.ts";

/** What an answer refers to: a document, or a site as a whole. */
export interface Citation {
  readonly site: string;
  readonly document?: string;
}

/** What a user agent hands over: the documents that it rests on, best first, and a text where the task wants one. */
export interface Answer {
  readonly documents: readonly Hit[];
  /** In the order of the answer. */
  readonly citations: readonly Citation[];
  readonly text?: string;
}

/** What came of a query, for scoring. Sites and ids are in the order of events. */
export interface Outcome {
  /** Null when the query was not answered. */
  readonly answer: Answer | null;
  /** Whether the strategy asks sites at all, rather than a central index. */
  readonly asksSites: boolean;
  /** Whether the strategy has a model that writes: without one, pages are handed over and never a text. */
  readonly writes: boolean;
  readonly contactedSites: ReadonlySet<string>;
  /** Ids of all documents that any search for the query found, whoever searched. */
  readonly found: ReadonlySet<string>;
  /** All documents that were shown to the user agent. */
  readonly seen: ReadonlyMap<string, Hit>;
  /** What the sites replied, as it was shown. */
  readonly replies: readonly SiteReply[];
  /** The texts of the documents that were shown. */
  seenTexts(): string[];
}

/** Scores in [0, 1] by measure; null where a measure does not apply. */
export type Scores = Readonly<Record<string, number | null>>;

/** A topic as a run uses it: a line of the corpus' tasks file, and the sites that hold its relevant documents. */
export type Prepared<Topic> = Topic & { readonly goldSites: readonly string[] };

/** A task: what is asked, what an answer is, and what it is worth. */
export interface Task<Topic extends { id: string } = { id: string }> {
  readonly name: string;
  readonly actions: readonly ActionKind[];
  /** Names of the scores, in the order of reports. */
  readonly measures: readonly string[];
  /** Those that only a language model can give as a judge. */
  readonly judged: readonly string[];
  /** The roles of the prompts that a judge is asked with. */
  readonly judgePrompts: readonly string[];
  /** The measures that tell most: what a printed table shows. */
  readonly headline: readonly string[];
  /** The one text that stands for the topic: what a strategy without a model searches for. */
  question(topic: Topic): string;
  /** Values of the prompt's variables, but for the list of sites. */
  variables(topic: Topic): Readonly<Record<string, string | PromptPart>>;
  /** Reads the payload of an answer; null when it is none, which makes the turn invalid. */
  readAnswer(payload: string, seen: ReadonlyMap<string, Hit>): Answer | null;
  /** The answer that documents alone make: without a text. */
  answerOf(documents: readonly Hit[]): Answer;
  /** Ids of the documents that the topic can be answered from. */
  relevant(topic: Topic): readonly string[];
  score(topic: Prepared<Topic>, outcome: Outcome): Scores;
  /** The scores that a judge gives; missing where a task needs none. */
  judge?(topic: Prepared<Topic>, outcome: Outcome, judge: Judge): Promise<Scores>;
}
