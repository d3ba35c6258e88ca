import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { z } from "zod";
import type { ModelAnswer } from "../agents/ports.ts";
import { type LoadedProfile, loadProfile } from "./surrogate/profile.ts";
import { answerText } from "./surrogate/surrogate.ts";

/** A request that is larger is refused: no prompt of awesim comes near. */
const mostBytes = 64 * 1024 * 1024;
const usualMaxTokens = 8192;
/** Pieces of this many characters are streamed. */
const pieceCharacters = 40;

const part = z.looseObject({ type: z.string(), text: z.string().optional() });
const requestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ content: z.union([z.string(), z.array(part), z.null()]).optional() })).min(1),
  seed: z.int().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  max_tokens: z.int().positive().nullish(),
  reasoning_effort: z.string().nullish(),
  chat_template_kwargs: z.looseObject({ enable_thinking: z.boolean().optional() }).optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});
type ChatRequest = z.output<typeof requestSchema>;

/** What a client hears when its request cannot be answered, in OpenAI's words. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/**
 * The surrogate as an OpenAI-compatible server: chat completions, streamed or whole, and the list of models. A model's
 * name is that of a profile. It answers with what `answerText` answers to the messages' text, and as quickly.
 * @param profiles the names that the list of models has
 */
export function surrogateServer(profiles: readonly string[]): Server {
  const loaded = new Map<string, LoadedProfile>(profiles.map((name) => [name, loadProfile(name)]));
  return createServer((request, response) => {
    answer(request, response, loaded).catch((error: unknown) => {
      const { status, code } = error instanceof Refusal ? error : { status: 500, code: "server_error" };
      const message = error instanceof Error ? error.message : String(error);
      if (response.headersSent) return response.destroy();
      sendJson(response, status, { error: { message, type: "invalid_request_error", param: null, code } });
    });
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  profiles: ReadonlyMap<string, LoadedProfile>,
): Promise<void> {
  const path = new URL(request.url ?? "/", "http://localhost").pathname.replace(/^\/v1(?=\/)/, "");
  if (request.method === "GET" && path === "/models") {
    return sendJson(response, 200, { object: "list", data: [...profiles.keys()].map(modelObject) });
  }
  if (request.method === "GET" && path.startsWith("/models/")) {
    const name = decodeURIComponent(path.slice("/models/".length));
    profileOf(name, profiles);
    return sendJson(response, 200, modelObject(name));
  }
  if (request.method !== "POST" || path !== "/chat/completions") {
    throw new Refusal(
      404,
      `there is no ${request.method} ${path}; there are /chat/completions and /models`,
      "not_found",
    );
  }
  const chat = parseChat(await bodyOf(request));
  const answered = completionOf(chat, profileOf(chat.model, profiles));
  if (chat.stream === true) stream(response, chat, answered);
  else sendJson(response, 200, wholeCompletion(chat, answered));
}

function modelObject(id: string) {
  return { id, object: "model", created: 0, owned_by: "awesim" };
}

function profileOf(model: string, profiles: ReadonlyMap<string, LoadedProfile>): LoadedProfile {
  const name = model.replace(/^surrogate\//, "");
  const found = profiles.get(name);
  if (found !== undefined) return found;
  throw new Refusal(
    404,
    `there is no model ${JSON.stringify(model)}; there are ${[...profiles.keys()].join(", ")}`,
    "model_not_found",
  );
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Refusal(413, `a request may have ${mostBytes} bytes`, "too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseChat(text: string): ChatRequest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(400, "the body is no JSON", "invalid_json");
  }
  const result = requestSchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Refusal(400, `${issue?.path.join(".")}: ${issue?.message}`, "invalid_value");
}

function completionOf(chat: ChatRequest, profile: LoadedProfile): ModelAnswer {
  const text = chat.messages.map(({ content }) => textOf(content)).join("\n");
  const isOff = ["minimal", "none"].includes(chat.reasoning_effort ?? "");
  const thinking = !isOff && chat.chat_template_kwargs?.enable_thinking !== false;
  const maxTokens = chat.max_completion_tokens ?? chat.max_tokens ?? usualMaxTokens;
  return answerText(profile, text, { thinking, maxTokens }, chat.seed ?? 0);
}

function textOf(content: ChatRequest["messages"][number]["content"]): string {
  return typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("");
}

function wholeCompletion({ model }: ChatRequest, { text, thought, finish, usage }: ModelAnswer) {
  const message = {
    role: "assistant",
    content: text,
    ...(thought === undefined ? {} : { reasoning_content: thought }),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: finish };
  return { ...head(model, "chat.completion"), choices: [choice], usage: usageOf(usage) };
}

function head(model: string, object: string) {
  return { id: "chatcmpl-awesim", object, created: 0, model, system_fingerprint: "awesim-surrogate" };
}

/** Thoughts are counted among the completion tokens, as OpenAI does. */
function usageOf({ promptTokens, completionTokens, thoughtTokens }: ModelAnswer["usage"]) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens + thoughtTokens,
    total_tokens: promptTokens + completionTokens + thoughtTokens,
    completion_tokens_details: { reasoning_tokens: thoughtTokens },
  };
}

/** Server-sent events: a piece each, then why it ended, then the counts if they are wanted. */
function stream(response: ServerResponse, chat: ChatRequest, { text, thought, finish, usage }: ModelAnswer): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const base = head(chat.model, "chat.completion.chunk");
  const send = (value: unknown): void => void response.write(`data: ${JSON.stringify(value)}\n\n`);
  const piece = (delta: unknown, reason: string | null = null): void =>
    send({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }] });
  piece({ role: "assistant", content: "" });
  if (thought !== undefined) piece({ reasoning_content: thought });
  const characters = [...text]; // no piece ends within a character
  for (let at = 0; at < characters.length; at += pieceCharacters) {
    piece({ content: characters.slice(at, at + pieceCharacters).join("") });
  }
  piece({}, finish);
  if (chat.stream_options?.include_usage === true) send({ ...base, choices: [], usage: usageOf(usage) });
  response.end("data: [DONE]\n\n");
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
