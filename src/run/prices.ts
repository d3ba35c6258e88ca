import { existsSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import type { Usage } from "../agents/ports.ts";
import { InputError } from "../errors.ts";

const price = z.strictObject({ input: z.number().nonnegative(), output: z.number().nonnegative() });
const schema = z.strictObject({
  currency: z.string().default("USD"),
  models: z.record(z.string().regex(/^openai\/\S+$/), price),
});

const tokensPriced = 1_000_000;

/** A user's table of prices. A model that is not in it has no known price, which is not a price of zero. */
export class Prices {
  readonly currency: string;
  readonly #models: z.output<typeof schema>["models"];

  constructor(table: z.output<typeof schema> | null) {
    this.currency = table?.currency ?? "USD";
    this.#models = table?.models ?? {};
  }

  knows(model: string): boolean {
    return Object.hasOwn(this.#models, model);
  }

  /** What a call cost, thoughts at the price of output; null when the model's price is not known. */
  costOf(model: string, { promptTokens, completionTokens, thoughtTokens }: Usage): number | null {
    const found = this.knows(model) ? this.#models[model] : undefined;
    if (found === undefined) return null;
    return (promptTokens * found.input + (completionTokens + thoughtTokens) * found.output) / tokensPriced;
  }
}

/** The file that is read where no other is named, if it is there. */
const usualFile = "prices.yaml";

/**
 * Reads a table of prices.
 * @param file null for prices.yaml in the working directory, if there is one
 */
export function readPrices(file: string | null): Prices {
  if (file === null && !existsSync(usualFile)) return new Prices(null);
  const path = file ?? usualFile;
  let table: unknown;
  try {
    table = parse(readFileSync(path, "utf8"), { prettyErrors: false });
  } catch (error) {
    throw new InputError(`cannot be read as a table of prices: ${(error as Error).message}`, { file: path });
  }
  const result = schema.safeParse(table);
  if (result.success) return new Prices(result.data);
  const [issue] = result.error.issues;
  throw new InputError(
    `expected models with their prices per million tokens, such as openai/some-model: { input: 0.5, output: 3 }: ${issue?.message}`,
    { file: path, field: issue?.path.join(".") ?? "" },
  );
}
