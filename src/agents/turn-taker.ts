import type { EventHandle } from "../kernel/kernel.ts";
import type { Environment } from "./environment.ts";
import { type Action, type ActionKind, afterThought, type Problem, parseAction, thoughtIn } from "./grammar.ts";
import { History } from "./history.ts";
import type { Hit, ModelAnswer, ModelPort } from "./ports.ts";
import { type ModelParameters, type PromptPart, promptTokens, type SegmentGroup } from "./prompt.ts";
import type { ReminderName } from "./templates.ts";

/** Searches in a row, and turns, after which an agent is reminded to come to an end (the paper's values). */
const manySearches = 5;
const manyTurns = 10;

/** Who takes the turns, and with what. */
export interface TurnTakerOptions {
  readonly environment: Environment;
  /** Null where the strategy uses none: such an agent never asks. */
  readonly model: ModelPort | null;
  readonly parameters: ModelParameters;
  readonly query: string;
  readonly user: string;
  /** `user` for the user agent, `<site>/<request>` for a content agent. */
  readonly agent: string;
  readonly head: readonly PromptPart[];
  readonly allowed: readonly ActionKind[];
  readonly maxTurns: number;
  /** Whether an agent that has used its turns up is asked once more, for its answer and nothing else. */
  readonly finalTurn: boolean;
  /** How often a model is asked again, with the same prompt and in the same turn, when its output is no action. */
  readonly formatRetries: number;
}

/** What a turn came to: an action of a kind that the agent may take, or none. */
export type TurnEvent = { readonly type: "action.invalid" | `action.${ActionKind}` };

/**
 * What user agents and content agents have in common: they ask their model turn by turn, read one action from what
 * it says, and show it in the next prompt what came of it. The machines of both say when what happens.
 */
export class TurnTaker {
  turn = 0;
  action: Action | null = null;
  problem: Problem | null = null;
  /** The pages this agent has seen, by id, in the order of their first sight. */
  readonly retrieved = new Map<string, Hit>();
  readonly #options: TurnTakerOptions;
  readonly #history = new History();
  #output = "";
  #searchesInARow = 0;
  #pending: EventHandle | null = null;

  constructor(options: TurnTakerOptions) {
    this.#options = options;
    this.#note([]);
  }

  get isOutOfTurns(): boolean {
    const { maxTurns, finalTurn } = this.#options;
    return this.turn >= maxTurns + (finalTurn ? 1 : 0);
  }

  /** Asks the model for the next turn and reads what it says; `taken` runs in virtual time, with what came of it. */
  takeTurn(taken: (event: TurnEvent["type"]) => void): void {
    this.turn++;
    this.#ask([...this.#options.head, ...this.#history.parts], 0, (answer) => {
      this.#read(answer);
      taken(this.action === null ? "action.invalid" : `action.${this.action.kind}`);
    });
  }

  #ask(parts: readonly PromptPart[], retry: number, answered: (answer: ModelAnswer) => void): void {
    const { environment, model, parameters, query, user, agent, formatRetries } = this.#options;
    if (model === null) throw new Error(`${agent} of ${query} has no model to ask`);
    const { turn } = this;
    const caller = `${user}/${query}/${agent}/${turn}${retry === 0 ? "" : `.${retry}`}`;
    const again = retry === 0 ? {} : { retry };
    const request = { parts, parameters, seed: environment.streams.seedFor("model", caller) };
    environment.facts.state({ type: "model.asked", query, agent, turn, ...again, promptTokens: promptTokens(parts) });
    this.await(environment.modelLatencyMs(caller), model.ask(request, caller), (answer: ModelAnswer) => {
      environment.facts.state({ type: "model.answered", query, agent, turn, ...again, ...tokensOf(answer) });
      if (retry < formatRetries && !this.#isAction(answer)) this.#ask(parts, retry + 1, answered);
      else answered(answer);
    });
  }

  #isAction(answer: ModelAnswer): boolean {
    const parsed = parseAction(answer.text, this.#allowed);
    return "action" in parsed && this.check(parsed.action);
  }

  /** The actions of this turn: after the last one, an answer only. */
  get #allowed(): readonly ActionKind[] {
    return this.turn > this.#options.maxTurns ? ["answer"] : this.#options.allowed;
  }

  /** Whether the payload of an action of an allowed kind is one. */
  protected check(_: Action): boolean {
    return true;
  }

  /** Waits for the one call that is under way; a session that ends early cancels it. */
  protected await<T>(durationMs: number, answer: T | Promise<T>, done: (answer: T) => void): void {
    this.#pending = this.#options.environment.kernel.call(durationMs, answer, done);
  }

  /** Ends the session early: what it waits for is of no use any more. */
  cancel(): void {
    if (this.#pending !== null) this.#options.environment.kernel.cancel(this.#pending);
  }

  /**
   * Reads the model's output: afterwards either `action` or `problem` is set. An action of a kind that is allowed
   * can still be refused for its payload, by `check`.
   */
  #read(answer: ModelAnswer): void {
    const { environment, query, agent } = this.#options;
    const parsed = parseAction(answer.text, this.#allowed);
    this.action = "action" in parsed && this.check(parsed.action) ? parsed.action : null;
    this.problem = "problem" in parsed ? parsed.problem : this.action === null ? "bad-payload" : null;
    this.#output = outputOf(answer, environment.settings.thoughts);
    const kind = "action" in parsed ? parsed.action.kind : "none";
    const base = { type: "action.taken", query, agent, turn: this.turn, kind } as const;
    environment.facts.state(
      this.problem === null ? { ...base, valid: true } : { ...base, valid: false, problem: this.problem },
    );
  }

  /** Ends a turn that found something, or an action without an observation. */
  observe(information: SegmentGroup | null): void {
    this.#searchesInARow = this.action?.kind === "search" ? this.#searchesInARow + 1 : 0;
    this.#history.add(this.turn, this.#output, information);
    this.#note([]);
  }

  /** Ends a turn without a valid action. */
  remind(): void {
    this.#history.add(this.turn, this.#output, null);
    const text = this.#options.environment.prompts.reminders.invalid.replace("{{problem}}", this.problem ?? "");
    this.#note([text]);
  }

  /** Ends a turn whose action is a summary. */
  summarise(): void {
    this.#searchesInARow = 0;
    this.#history.replace(this.turn, this.action?.payload ?? "");
    this.#note([this.#options.environment.prompts.reminders.summarised]);
  }

  remember(hits: readonly Hit[]): void {
    for (const hit of hits) if (!this.retrieved.has(hit.id)) this.retrieved.set(hit.id, hit);
  }

  #note(first: readonly string[]): void {
    const { prompts, settings } = this.#options.environment;
    const names: ReminderName[] = [];
    const { maxTurns, finalTurn, head } = this.#options;
    if (this.turn >= maxTurns && finalTurn) names.push("final-answer");
    else if (this.turn === maxTurns - 1) names.push("last-turn");
    else if (this.turn > manyTurns) names.push("many-turns");
    if (this.#searchesInARow > manySearches) names.push("many-searches");
    const counted = this.#history.tokens + (settings.summaryReminderCounts === "prompt" ? promptTokens(head) : 0);
    if (settings.summaryReminder !== null && counted > settings.summaryReminder) names.push("long-history");
    this.#history.notes = [...first, ...names.map((name) => prompts.reminders[name])];
  }
}

/** What later turns show of an output: without the thought before it, or with it. */
function outputOf({ text, thought }: ModelAnswer, thoughts: "fed-back" | "dropped"): string {
  const spoken = (afterThought(text) ?? "").trimStart();
  if (thoughts === "dropped") return spoken;
  const thinking = thought ?? thoughtIn(text);
  return thinking === "" ? spoken : `<think>\n${thinking}\n</think>\n${spoken}`;
}

function tokensOf({ usage }: ModelAnswer) {
  const { promptTokens, completionTokens, thoughtTokens } = usage;
  return { promptTokens, completionTokens, thoughtTokens };
}
