import type { PromptPart } from "./prompt.ts";

/** One thing for a judge to decide. */
export interface JudgeQuestion {
  /** Names it among the questions about one query. */
  readonly item: string;
  /** The role of the prompt that asks it, and what fills the prompt's variables. */
  readonly role: string;
  readonly values: Readonly<Record<string, string | PromptPart>>;
  readonly choices: readonly string[];
  /** The choice that counts as no: for a vote that cannot be read, and where no choice has a majority. */
  readonly otherwise: string;
  /** `median` for choices that are numbers in order. */
  readonly combine: "majority" | "median";
}

/** What a judge decided, and the share of pairs of its votes that agree (numbers: differ by at most 1), in [0, 1]. */
export interface Verdict {
  readonly choice: string;
  readonly agreement: number;
}

/** Judges what rules cannot: scoring gets it handed in by the run. */
export type Judge = (question: JudgeQuestion) => Promise<Verdict>;
