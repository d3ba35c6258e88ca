import type { EventHandle } from "../kernel/kernel.ts";
import type { Environment } from "./environment.ts";
import { type Action, type ActionKind, afterThought, type Problem, parseAction } from "./grammar.ts";
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
}

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
    return this.turn >= this.#options.maxTurns;
  }

  /** Asks the model for the next turn; `answered` runs when its answer is there, in virtual time. */
  ask(answered: (answer: ModelAnswer) => void): void {
    const { environment, model, parameters, query, user, agent, head } = this.#options;
    if (model === null) throw new Error(`${agent} of ${query} has no model to ask`);
    const turn = ++this.turn;
    const caller = `${user}/${query}/${agent}/${turn}`;
    const parts = [...head, ...this.#history.parts];
    const request = { parts, parameters, seed: environment.streams.seedFor("model", caller) };
    environment.facts.state({ type: "model.asked", query, agent, turn, promptTokens: promptTokens(parts) });
    this.await(environment.modelLatencyMs(caller), model.ask(request, caller), (answer: ModelAnswer) => {
      environment.facts.state({ type: "model.answered", query, agent, turn, ...tokensOf(answer) });
      answered(answer);
    });
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
  read(answer: ModelAnswer, check: (action: Action) => boolean): void {
    const { environment, query, agent, allowed } = this.#options;
    const parsed = parseAction(answer.text, allowed);
    this.action = "action" in parsed && check(parsed.action) ? parsed.action : null;
    this.problem = "problem" in parsed ? parsed.problem : this.action === null ? "bad-payload" : null;
    this.#output = (afterThought(answer.text) ?? "").trimStart(); // thoughts are not shown again in later turns
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
    if (this.turn === this.#options.maxTurns - 1) names.push("last-turn");
    else if (this.turn > manyTurns) names.push("many-turns");
    if (this.#searchesInARow > manySearches) names.push("many-searches");
    if (settings.summaryReminder !== null && this.#history.tokens > settings.summaryReminder)
      names.push("long-history");
    this.#history.notes = [...first, ...names.map((name) => prompts.reminders[name])];
  }
}

function tokensOf({ usage }: ModelAnswer) {
  const { promptTokens, completionTokens, thoughtTokens } = usage;
  return { promptTokens, completionTokens, thoughtTokens };
}
