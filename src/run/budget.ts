import type { Usage } from "../agents/ports.ts";
import type { Prices } from "./prices.ts";

/** What a run may spend on answers of endpoints, over all its executions; null is no limit. */
export interface BudgetLimits {
  /** In the currency of the price table. */
  readonly cost: number | null;
  readonly calls: number | null;
  /** Prompt, answer and thought tokens together, as the endpoint counts them. */
  readonly tokens: number | null;
}

export const noLimits: BudgetLimits = { cost: null, calls: null, tokens: null };

/** The budget is spent: the run ends interrupted. */
export class BudgetSpent extends Error {
  override readonly name = "BudgetSpent";
}

/** Who grants calls of endpoints, in this process or in another one. */
export interface Purse {
  /** A call begins. @throws BudgetSpent */
  begin(): void | Promise<void>;
  /** A call of the model with this identity was answered. */
  pay(model: string, usage: Usage): void;
}

/**
 * Counts what is spent and refuses the next call once a limit is reached. Calls are counted when they begin, so that
 * their limit is exact; tokens and cost are known with the answer, so that calls that are under way then go over.
 */
export class Budget implements Purse {
  readonly #limits: BudgetLimits;
  readonly #prices: Prices;
  #calls = 0;
  #tokens = 0;
  #cost: number | null = 0;

  readonly #goOn: string;

  /** @param goOn the command that goes on when it is spent */
  constructor(limits: BudgetLimits, prices: Prices, goOn = "awesim resume") {
    this.#limits = limits;
    this.#prices = prices;
    this.#goOn = goOn;
  }

  /** What was spent so far; null when the price of a model that answered is not known. */
  get cost(): number | null {
    return this.#cost;
  }

  begin(): void {
    this.#require("calls", this.#calls, "--max-calls");
    this.#require("tokens", this.#tokens, "--max-tokens");
    this.#require("cost", this.#cost ?? 0, "--max-cost");
    this.#calls++;
  }

  pay(model: string, usage: Usage): void {
    this.#tokens += usage.promptTokens + usage.completionTokens + usage.thoughtTokens;
    const cost = this.#prices.costOf(model, usage);
    this.#cost = this.#cost === null || cost === null ? null : this.#cost + cost;
  }

  /** Takes account of an answer that an earlier execution of the run paid for. */
  payEarlier(model: string, usage: Usage): void {
    this.#calls++;
    this.pay(model, usage);
  }

  #require(what: keyof BudgetLimits, spent: number, option: string): void {
    const limit = this.#limits[what];
    if (limit === null || spent < limit) return;
    const amount = what === "cost" ? spent.toFixed(2) : String(spent);
    throw new BudgetSpent(
      `the budget is spent: ${what} ${amount} of ${limit} (${option}); ${this.#goOn} with a larger one goes on`,
    );
  }
}
