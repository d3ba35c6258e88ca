import { setMaxListeners } from "node:events";
import OpenAI from "openai";
import type { ModelAnswer, ModelPort } from "../agents/ports.ts";
import { promptText } from "../agents/prompt.ts";
import type { Limit } from "./limiter.ts";
import { withRetries } from "./retries.ts";

/** Where an OpenAI-compatible endpoint is. The key is read from the environment and written nowhere. */
export interface Endpoint {
  readonly baseUrl: string | undefined;
  readonly key: string;
  /** Holds back calls while too many are in flight; shared by all models of the endpoint. */
  readonly limit: Limit;
  /** Real time a call may take, in ms. */
  readonly timeoutMs: number;
  /** Ends all calls: nobody waits for their answers any more. */
  readonly signal: AbortSignal;
}

/** What other servers than OpenAI's own send may have any type. */
interface Message {
  readonly content?: unknown;
  readonly refusal?: unknown;
  /** Where servers put the thoughts. */
  readonly reasoning_content?: unknown;
}

/** The model `name` of an OpenAI-compatible endpoint: one user message a call, as in the paper. */
export function openaiModel(name: string, endpoint: Endpoint): ModelPort {
  const client = new OpenAI({
    apiKey: endpoint.key,
    ...addressOf(endpoint.baseUrl),
    maxRetries: 0, // retrying is done in one layer, ours
    timeout: endpoint.timeoutMs,
  });
  const { limit, signal } = endpoint;
  setMaxListeners(0, signal); // every call in flight listens to it
  return {
    identity: `openai/${name}`,
    ask: ({ parts, parameters, seed }) => {
      const body = {
        model: name,
        messages: [{ role: "user" as const, content: promptText(parts) }],
        max_completion_tokens: parameters.maxTokens,
        seed,
        ...(parameters.thinking ? {} : { reasoning_effort: "minimal" as const }),
      };
      // The client's own time-out ends with the headers: this one covers the body too.
      const call = async () => {
        const inTime = AbortSignal.any([AbortSignal.timeout(endpoint.timeoutMs), signal]);
        return toAnswer(await client.chat.completions.create(body, { signal: inTime }));
      };
      return limit(() => withRetries(call, signal));
    },
  };
}

/** User name, password and query of a base URL, secrets as often as not, are sent as the client wants them. */
function addressOf(baseUrl: string | undefined) {
  if (baseUrl === undefined) return { baseURL: null };
  const url = new URL(baseUrl);
  const { username, password } = url;
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
  const defaultHeaders = username === "" && password === "" ? {} : { Authorization: `Basic ${credentials}` };
  const defaultQuery = Object.fromEntries(url.searchParams);
  Object.assign(url, { username: "", password: "", search: "" });
  return { baseURL: url.href, defaultHeaders, defaultQuery };
}

function toAnswer(completion: OpenAI.Chat.ChatCompletion): ModelAnswer {
  const choice = completion.choices?.[0];
  const message = (choice?.message ?? {}) as Message;
  const { usage } = completion;
  const thought = textOf(message.reasoning_content);
  const thoughtTokens = countOf(usage?.completion_tokens_details?.reasoning_tokens);
  return {
    text: textOf(message.content) || textOf(message.refusal),
    ...(thought === "" ? {} : { thought }),
    finish: textOf(choice?.finish_reason) || "none",
    usage: {
      promptTokens: countOf(usage?.prompt_tokens),
      completionTokens: Math.max(0, countOf(usage?.completion_tokens) - thoughtTokens),
      thoughtTokens,
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function countOf(value: unknown): number {
  return Number.isSafeInteger(value) ? (value as number) : 0;
}
