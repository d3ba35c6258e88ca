import { setMaxListeners } from "node:events";
import OpenAI from "openai";
import type { ModelPort } from "../agents/ports.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { answerOf, streamedAnswer } from "./completion.ts";
import { contextSize } from "./context-sizes.ts";
import { fittingText } from "./fit-prompt.ts";
import { withRetries } from "./retries.ts";
import { basicCredentials, secretsOf, withoutSecrets } from "./secrets.ts";

/** Where an OpenAI-compatible endpoint is. The key is read from the environment and written nowhere, in no error either. */
export interface Endpoint {
  readonly baseUrl: string | undefined;
  /** Undefined for a server that wants none. */
  readonly key: string | undefined;
  /** Real time a call may take, in ms. */
  readonly timeoutMs: number;
  /**
   * How a call with thinking asks for it, and how one without does: `unset` (not at all), `chat-template` (the switch
   * of vLLM and SGLang) or `reasoning-effort=<level>`.
   */
  readonly thinkingOn: string;
  readonly thinkingOff: string;
  /** Whether answers are asked for piece by piece: some servers and proxies close a connection that is silent. */
  readonly stream: boolean;
  /** Tokens that a prompt and its answer may have together; undefined goes by the model's name. */
  readonly context: number | undefined;
  readonly ends: CallEnds;
}

/** How calls come to an end before their answer. */
export interface CallEnds {
  /** Nobody waits for the answers any more: ends all calls. */
  readonly calls: AbortSignal;
  /** The run has ended: a call that failed is not tried again. */
  readonly tries: AbortSignal;
}

/** The model `name` of an OpenAI-compatible endpoint: one user message a call, as in the paper. */
export function openaiModel(name: string, endpoint: Endpoint): ModelPort {
  const client = new OpenAI({
    apiKey: endpoint.key ?? "none", // the package insists on one
    ...addressOf(endpoint.baseUrl),
    fetch: boundedFetch,
    maxRetries: 0, // retrying is done in one layer, ours
    timeout: endpoint.timeoutMs,
  });
  const { calls, tries } = endpoint.ends;
  const context = endpoint.context ?? contextSize(name);
  const readable = withoutSecrets(secretsOf(endpoint));
  setMaxListeners(0, calls, tries); // every call in flight listens to them
  return {
    identity: `openai/${name}`,
    ask: ({ parts, parameters, seed }) => {
      const { thinking, maxTokens } = parameters;
      const body = {
        model: name,
        messages: [{ role: "user" as const, content: fittingText(parts, context, maxTokens) }],
        max_completion_tokens: maxTokens,
        seed,
        ...switched(thinking, thinking ? endpoint.thinkingOn : endpoint.thinkingOff),
      };
      // The client's own time-out ends with the headers: this one covers the body too.
      const call = async () => {
        const options = { signal: AbortSignal.any([AbortSignal.timeout(endpoint.timeoutMs), calls]) };
        const { completions } = client.chat;
        if (!endpoint.stream) return answerOf(await completions.create(body, options));
        const streaming = { ...body, stream: true as const, stream_options: { include_usage: true } };
        return streamedAnswer(await completions.create(streaming, options));
      };
      return withRetries(call, client.baseURL, tries, readable);
    },
  };
}

function switched(thinking: boolean, by: string): Record<string, unknown> {
  if (by === "unset") return {};
  if (by === "chat-template") return { chat_template_kwargs: { enable_thinking: thinking } };
  return { reasoning_effort: by.slice("reasoning-effort=".length) };
}

/** User name, password and query of a base URL, secrets as often as not, are sent as the client wants them. */
function addressOf(baseUrl: string | undefined) {
  if (baseUrl === undefined) return { baseURL: null };
  const url = new URL(baseUrl);
  const { username, password } = url;
  const credentials = basicCredentials(url);
  const defaultHeaders = username === "" && password === "" ? {} : { Authorization: `Basic ${credentials}` };
  const defaultQuery = Object.fromEntries(url.searchParams);
  Object.assign(url, { username: "", password: "", search: "" });
  return { baseURL: url.href, defaultHeaders, defaultQuery };
}
