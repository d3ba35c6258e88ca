import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { readPrices } from "../../src/run/prices.ts";
import { blocksOf, page, section } from "./pages.ts";

const folder = mkdtempSync(join(tmpdir(), "awesim-prices-"));
afterAll(() => rmSync(folder, { recursive: true }));

function pricesOf(text: string) {
  const file = join(folder, "prices.yaml");
  writeFileSync(file, text);
  return readPrices(file);
}

test("the table of prices in the reference is one: per million tokens, thoughts as output, others unknown", () => {
  const reference = page("docs/reference/commands.md");
  const [block] = blocksOf({ ...reference, text: section(reference, "### Prices") });
  const prices = pricesOf(block?.text as string);
  const usage = { promptTokens: 1_000_000, completionTokens: 400_000, thoughtTokens: 600_000 };
  expect(prices.currency).toBe("USD");
  expect(prices.costOf("openai/some-model", usage)).toBe(3.5);
  expect(prices.costOf("openai/other", usage)).toBeNull();
});

test.each([
  "models: 3",
  "models: { openai/x: { input: -1, output: 2 } }",
  "models: { x: { input: 1, output: 2 } }",
  ": :",
])("%s is no table of prices, in one line that says what is expected", (text) => {
  expect(() => pricesOf(text)).toThrow(InputError);
  expect(() => pricesOf(text)).toThrow(/^[^\n]*prices\.yaml[^\n]*$/);
});
