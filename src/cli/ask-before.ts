import { createInterface } from "node:readline/promises";
import type { ModelPort, Usage } from "../agents/ports.ts";
import type { Retrieval } from "../retrieval/retrieval.ts";
import { type Forecast, forecast } from "../run/forecast.ts";
import type { RunInputs } from "../run/inputs.ts";
import { isSurrogate, type Older } from "../run/live-ports.ts";
import type { Prices } from "../run/prices.ts";

export interface AskBeforeOptions {
  readonly inputs: RunInputs;
  readonly retrieval: Retrieval;
  readonly models: readonly (ModelPort | null)[];
  readonly older: Older | null;
  readonly prices: Prices;
  /** True where the user has said yes beforehand. */
  readonly yes: boolean;
}

/**
 * Says what a run will probably ask of endpoints and, on a terminal, asks whether to begin.
 * @returns false when the user does not want it
 */
export async function askBefore(options: AskBeforeOptions): Promise<boolean> {
  const { inputs, retrieval, models, older, prices, yes } = options;
  if (older === null && models.every((model) => model === null || isSurrogate(model))) return true;
  if (older === null && yes) return true;
  const expected = await forecast(inputs, retrieval, models, older?.tape ?? null);
  process.stderr.write(`${describe(expected, older, prices)}\n`);
  const pays = (older === null || older.onMiss === "live") && expected.usage.size > 0;
  if (!pays || yes || !process.stdin.isTTY || !process.stderr.isTTY) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question("Begin? [y/N] ");
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function describe({ queries, walked, calls, misses, usage }: Forecast, older: Older | null, prices: Prices): string {
  const basis = `from ${walked} of ${queries} queries, walked with a surrogate in the model's place`;
  const lines = [`Expected: about ${calls} calls (${basis})`];
  if (older !== null) lines.push(`of these about ${misses} are not on the older tape`);
  for (const [model, tokens] of usage) lines.push(`${model}: ${describeUsage(model, tokens, prices)}`);
  return lines.join("; ");
}

function describeUsage(model: string, usage: Usage, prices: Prices): string {
  const output = usage.completionTokens + usage.thoughtTokens;
  const cost = prices.costOf(model, usage);
  const money = cost === null ? "cost unknown (no price in prices.yaml)" : `${cost.toFixed(2)} ${prices.currency}`;
  return `about ${thousands(usage.promptTokens)} tokens in, ${thousands(output)} out, ${money}`;
}

function thousands(tokens: number): string {
  return `${Math.ceil(tokens / 1000)} k`;
}
