import type { Strategy } from "../agents/strategy.ts";
import { InputError } from "../errors.ts";
import { classicIr } from "./classic-ir.ts";
import { multiAgent } from "./multi-agent.ts";

const strategies = new Map<string, Strategy>([multiAgent, classicIr].map((each) => [each.name, each]));

/** The strategy of a name, or an InputError that lists the names there are. */
export function findStrategy(name: string): Strategy {
  const strategy = strategies.get(name);
  if (strategy !== undefined) return strategy;
  throw new InputError(`expected a strategy (${[...strategies.keys()].join(", ")}), got ${JSON.stringify(name)}`);
}

/** The names of all strategies, in the order of their list. */
export function strategyNames(): string[] {
  return [...strategies.keys()];
}
