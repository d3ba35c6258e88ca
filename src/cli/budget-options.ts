import type { Command } from "commander";
import { InputError } from "../errors.ts";
import type { ModelPort } from "../agents/ports.ts";
import type { BudgetLimits } from "../run/budget.ts";
import { isSurrogate } from "../run/live-ports.ts";
import type { Prices } from "../run/prices.ts";

export interface BudgetOptions {
  readonly maxCost?: number;
  readonly maxCalls?: number;
  readonly maxTokens?: number;
  readonly prices?: string;
}

/** The options of commands that may pay for answers. */
export function addBudgetOptions(command: Command): Command {
  return command
    .option("--max-cost <amount>", "stop when the answers have cost this much", positive("--max-cost"))
    .option("--max-calls <n>", "stop after so many calls of endpoints", positive("--max-calls"))
    .option("--max-tokens <n>", "stop when calls of endpoints have taken so many tokens", positive("--max-tokens"))
    .option("--prices <file>", "prices of models, for costs (default: prices.yaml where there is one)");
}

/** @throws InputError when a cost is limited that cannot be known */
export function limitsOf(
  { maxCost, maxCalls, maxTokens }: BudgetOptions,
  before: BudgetLimits,
  models: readonly (Pick<ModelPort, "identity"> | null)[],
  prices: Prices,
): BudgetLimits {
  const limits = {
    cost: maxCost ?? before.cost,
    calls: maxCalls ?? before.calls,
    tokens: maxTokens ?? before.tokens,
  };
  const unpriced = models.find((model) => model !== null && !isSurrogate(model) && !prices.knows(model.identity));
  if (limits.cost !== null && unpriced !== undefined && unpriced !== null) {
    throw new InputError(
      `the price of ${unpriced.identity} is not known: add it to prices.yaml, or name a file with --prices`,
      {
        field: "--max-cost",
      },
    );
  }
  return limits;
}

function positive(option: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isFinite(value) && value > 0 && (option === "--max-cost" || Number.isInteger(value))) return value;
    const expected = option === "--max-cost" ? "an amount above 0" : "a whole number above 0";
    throw new InputError(`expected ${expected}, got ${JSON.stringify(text)}`, { field: option });
  };
}
