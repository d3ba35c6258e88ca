import OpenAI from "openai";
import type { ModelAnswer, ModelPort } from "../agents/ports.ts";
import { promptText } from "../agents/prompt.ts";
import { withRetries } from "./retries.ts";

/** Where an OpenAI-compatible endpoint is. The key is read from the environment and written nowhere. */
export interface Endpoint {
  readonly baseUrl: string | undefined;
  readonly key: string;
  /** Calls in flight at once. */
  readonly concurrency: number;
  /** Real time a call may take, in ms. */
  readonly timeoutMs: number;
  /** Ends all calls: nobody waits for their answers any more. */
  readonly signal: AbortSignal;
}

interface Message {
  readonly content?: string | null;
  readonly refusal?: string | null;
  /** Not in OpenAI's own answers: other servers put the thoughts here. */
  readonly reasoning_content?: string | null;
}

/** The model `name` of an OpenAI-compatible endpoint: one user message a call, as in the paper. */
export function openaiModel(name: string, endpoint: Endpoint): ModelPort {
  const client = new OpenAI({
    apiKey: endpoint.key,
    ...addressOf(endpoint.baseUrl),
    maxRetries: 0, // retrying is done in one layer, ours
    timeout: endpoint.timeoutMs,
  });
  const limit = limiter(endpoint.concurrency);
  const { signal } = endpoint;
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
      const call = async () => toAnswer(await client.chat.completions.create(body, { signal }));
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
  const thoughtTokens = usage?.completion_tokens_details?.reasoning_tokens ?? 0;
  return {
    text: message.content ?? message.refusal ?? "",
    ...(message.reasoning_content ? { thought: message.reasoning_content } : {}),
    finish: choice?.finish_reason ?? "none",
    usage: {
      promptTokens: usage?.prompt_tokens ?? 0,
      completionTokens: Math.max(0, (usage?.completion_tokens ?? 0) - thoughtTokens),
      thoughtTokens,
    },
  };
}

/** Lets at most `most` calls run at once; the others wait in the order they came. */
function limiter(most: number): <T>(call: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (call) => {
    if (running < most) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await call();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
