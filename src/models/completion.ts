import type OpenAI from "openai";
import { afterThought, thoughtIn } from "../agents/grammar.ts";
import type { ModelAnswer } from "../agents/ports.ts";

/** An answer that is none: something else than a model stands at the address, or the answer broke off. */
class NotACompletion extends Error {
  override readonly name = "NotACompletion";
}

/** What other servers than OpenAI's own send may have any type. */
interface Message {
  readonly content?: unknown;
  readonly refusal?: unknown;
  /** Where servers put the thoughts. */
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
}

/**
 * The answer in a completion. Refusals, empty content and unknown types are answers.
 * @throws NotACompletion when it is no JSON object, such as a page of HTML, or reports an error
 */
export function answerOf(completion: unknown): ModelAnswer {
  if (typeof completion !== "object" || completion === null) {
    throw new NotACompletion(`expected a chat completion, got ${excerpt(String(completion))}`);
  }
  const { choices, usage, error } = completion as Partial<OpenAI.Chat.ChatCompletion> & { readonly error?: unknown };
  if (choices === undefined && error !== undefined) {
    throw new NotACompletion(`expected a chat completion, got the error ${excerpt(JSON.stringify(error))}`);
  }
  const choice = Array.isArray(choices) ? (choices as OpenAI.Chat.ChatCompletion["choices"])[0] : undefined;
  return toAnswer((choice?.message ?? {}) as Message, choice?.finish_reason, usage);
}

/**
 * The answer in a streamed completion.
 * @throws NotACompletion when the stream ends before the answer does
 */
export async function streamedAnswer(chunks: AsyncIterable<OpenAI.Chat.ChatCompletionChunk>): Promise<ModelAnswer> {
  const said = { content: "", refusal: "", reasoning_content: "", reasoning: "" };
  let finish: unknown = null;
  let usage: unknown = null;
  for await (const chunk of chunks) {
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    const delta = (choice?.delta ?? {}) as Message;
    for (const key of Object.keys(said) as (keyof typeof said)[]) said[key] += textOf(delta[key]);
    finish = choice?.finish_reason ?? finish;
    usage = chunk.usage ?? usage;
  }
  if (finish === null) throw new NotACompletion("the stream ended before the answer did");
  return toAnswer(said, finish, usage);
}

function toAnswer(message: Message, finish: unknown, counts: unknown): ModelAnswer {
  const usage = (counts ?? undefined) as Partial<OpenAI.CompletionUsage> | undefined;
  const written = textOf(message.content) || textOf(message.refusal);
  const given = textOf(message.reasoning_content) || textOf(message.reasoning);
  // A thought that is not closed stays in the text: to the agents it is a malformed answer.
  const spoken = given === "" ? afterThought(written) : null;
  const thought = spoken === null ? given : thoughtIn(written);
  const text = spoken === null || thought === "" ? written : spoken;
  const tokens = countOf(usage?.completion_tokens);
  const thoughtTokens = Math.min(
    countOf(usage?.completion_tokens_details?.reasoning_tokens) || thoughtShare(tokens, thought, text),
    tokens,
  );
  return {
    text,
    ...(thought === "" ? {} : { thought }),
    finish: textOf(finish) || "none",
    usage: {
      promptTokens: countOf(usage?.prompt_tokens),
      completionTokens: tokens - thoughtTokens,
      thoughtTokens,
    },
  };
}

/** An estimate, by characters, where a server counts thoughts and answer together. */
function thoughtShare(tokens: number, thought: string, text: string): number {
  const characters = thought.length + text.length;
  return characters === 0 ? 0 : Math.round((tokens * thought.length) / characters);
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function countOf(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0;
}
