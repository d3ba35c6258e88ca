import type { Strategy } from "../agents/strategy.ts";
import { InputError } from "../errors.ts";
import { classicIr } from "./classic-ir.ts";
import { classical } from "./classical.ts";
import { closedBook } from "./closed-book.ts";
import { multiAgent } from "./multi-agent.ts";
import { oracleSites } from "./oracle-sites.ts";
import { popularSites } from "./popular-sites.ts";
import { randomSites } from "./random-sites.ts";
import { redde } from "./redde.ts";
import { toolE } from "./tool-e.ts";
import { toolP } from "./tool-p.ts";

const builtIn: readonly Strategy[] = [
  classicIr,
  classical,
  toolE,
  toolP,
  multiAgent,
  oracleSites,
  randomSites,
  popularSites,
  redde,
  closedBook,
];

/** The names of awesim's own strategies: the paper's five, then the baselines. */
export function strategyNames(): string[] {
  return builtIn.map(({ name }) => name);
}

/**
 * The strategy of a name, or an InputError that lists the names there are.
 * @param own strategies of the user's, beside awesim's
 */
export function findStrategy(name: string, own: readonly Strategy[] = []): Strategy {
  const all = [...builtIn, ...own];
  const strategy = all.find((each) => each.name === name);
  if (strategy !== undefined) return strategy;
  const names = all.map((each) => each.name).join(", ");
  throw new InputError(`expected a strategy (${names}), got ${JSON.stringify(name)}`);
}
