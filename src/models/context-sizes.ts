/** Tokens that models take in and put out together, by the beginning of their name without its owner; first match. */
const sizes: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/^gemini-/, 1_048_576],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-5/, 400_000],
  [/^gpt-4o/, 128_000],
  [/^deepseek-v3/, 128_000],
  [/^qwen3-(next-80b|30b|235b|4b)\S*-2507/, 262_144],
  [/^qwen3-next/, 262_144],
  [/^qwen3-/, 32_768],
  [/^qwen2\.5-/, 131_072],
  [/^qwen1\.5-/, 32_768],
];

/** What most open models of today take. */
const usual = 131_072;

/** How many tokens a prompt and its answer may have together, by the name of the model. */
export function contextSize(model: string): number {
  const name = (model.split("/").at(-1) as string).toLowerCase();
  return sizes.find(([pattern]) => pattern.test(name))?.[1] ?? usual;
}
