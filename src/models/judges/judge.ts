import { afterThought } from "../../agents/grammar.ts";
import type { Judge, JudgeQuestion } from "../../agents/judge.ts";
import type { ModelPort } from "../../agents/ports.ts";
import { fillTemplate, findTemplate, type Prompts } from "../../agents/templates.ts";

/** How often one vote is asked for until it can be read. */
const tries = 3;
/** The most tokens a judge may write, thoughts included. */
const maxTokens = 8192;

export interface JudgeOptions {
  readonly model: ModelPort;
  readonly prompts: Prompts;
  readonly votes: number;
  /** Whose query is judged: `<user>/<query>`, the beginning of all callers. */
  readonly about: string;
  readonly seedFor: (caller: string) => number;
}

/**
 * A language model as a judge. Each vote is a call of its own, `<user>/<query>/judge/<item>/<vote>/<try>`, and so
 * recorded like any other; one that cannot be read is asked for again, twice at most, and then counts as no.
 */
export function judgeBy({ model, prompts, votes, about, seedFor }: JudgeOptions): Judge {
  const voteOn = async (question: JudgeQuestion, vote: number): Promise<string> => {
    const parts = fillTemplate(findTemplate(prompts, question.role, null, null), question.values);
    for (let attempt = 1; attempt <= tries; attempt++) {
      const caller = `${about}/judge/${question.item}/${vote}/${attempt}`;
      const request = { parts, parameters: { thinking: true, maxTokens }, seed: seedFor(caller) };
      const choice = readVote((await model.ask(request, caller)).text, question.choices);
      if (choice !== null) return choice;
    }
    return question.otherwise;
  };
  return async (question) => {
    const all = await Promise.all(Array.from({ length: votes }, (_, index) => voteOn(question, index + 1)));
    const isNumeric = question.combine === "median";
    return {
      choice: isNumeric ? median(all) : majority(all, question.otherwise),
      agreement: agreementOf(all, isNumeric),
    };
  };
}

/** Where a verdict is looked for: in so many last characters. */
const lastCharacters = 2000;

/**
 * The verdict in the last JSON object of an output that has one; null when none is among the choices.
 * @internal
 */
export function readVote(output: string, choices: readonly string[]): string | null {
  const text = (afterThought(output) ?? "").slice(-lastCharacters);
  const places = (brace: string): number[] => text.split("").flatMap((each, index) => (each === brace ? [index] : []));
  const ends = places("}");
  for (const start of places("{").reverse()) {
    for (const end of ends) {
      const verdict = end < start ? null : verdictIn(text.slice(start, end + 1));
      if (verdict !== null && choices.includes(verdict)) return verdict;
    }
  }
  return null;
}

function verdictIn(json: string): string | null {
  try {
    const { verdict } = JSON.parse(json) as { verdict?: unknown };
    return typeof verdict === "string" || typeof verdict === "number" ? String(verdict).trim().toLowerCase() : null;
  } catch {
    return null;
  }
}

function majority(votes: readonly string[], otherwise: string): string {
  const winner = votes.find((choice) => 2 * votes.filter((each) => each === choice).length > votes.length);
  return winner ?? otherwise;
}

/** The middle vote; of an even number the lower of the two middle ones. */
function median(votes: readonly string[]): string {
  return votes.toSorted((a, b) => Number(a) - Number(b))[Math.floor((votes.length - 1) / 2)] as string;
}

function agreementOf(votes: readonly string[], isNumeric: boolean): number {
  let agreeing = 0;
  let pairs = 0;
  votes.forEach((one, index) => {
    for (const other of votes.slice(index + 1)) {
      pairs += 1;
      if (isNumeric ? Math.abs(Number(one) - Number(other)) <= 1 : one === other) agreeing += 1;
    }
  });
  return pairs === 0 ? 1 : agreeing / pairs;
}
