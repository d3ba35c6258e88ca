import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { loadProfile } from "../../src/models/surrogate/profile.ts";
import { answerText } from "../../src/models/surrogate/surrogate.ts";

export interface ChatRequest {
  readonly headers: IncomingMessage["headers"];
  /** The path with its query. */
  readonly path: string;
  readonly body: {
    readonly model: string;
    readonly seed: number;
    readonly max_completion_tokens: number;
    readonly reasoning_effort?: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  };
}

/** What to do with the n-th request, from 1, instead of answering it; undefined answers it. */
export type Disturbance = (n: number, response: ServerResponse, request: ChatRequest) => true | undefined;

export interface ChatServer {
  /** Ends in /v1. */
  readonly baseUrl: string;
  readonly requests: readonly ChatRequest[];
  /** The most requests that were open at once. */
  readonly mostAtOnce: number;
  /** How many requests were open, on average over the time from the first to the last of them. */
  readonly meanAtOnce: number;
  /** Real time from the first request to the last answer, in ms. */
  readonly servedMs: number;
  close(): Promise<void>;
}

/** A server on loopback that speaks the chat completions protocol and answers with the surrogate qwen3-4b. */
export async function chatServer(
  disturb: Disturbance = () => undefined,
  delayMs: number | (() => number) = 0,
): Promise<ChatServer> {
  const profile = loadProfile("qwen3-4b");
  const requests: ChatRequest[] = [];
  let open = 0;
  let mostAtOnce = 0;
  let [openedMs, closedMs, openMs] = [Number.NaN, 0, 0];
  const server = createServer((incoming, response) => {
    mostAtOnce = Math.max(mostAtOnce, ++open);
    const beganMs = performance.now();
    if (Number.isNaN(openedMs)) openedMs = beganMs;
    response.on("close", () => {
      open--;
      closedMs = performance.now();
      openMs += closedMs - beganMs;
    });
    let text = "";
    incoming.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
    incoming.on("end", () => {
      const request = { headers: incoming.headers, path: incoming.url as string, body: JSON.parse(text) };
      requests.push(request);
      const answer = () => {
        if (disturb(requests.length, response, request) === true) return;
        sendJson(response, 200, completionOf(request, profile));
      };
      const waitMs = typeof delayMs === "number" ? delayMs : delayMs();
      if (waitMs === 0) answer();
      else setTimeout(answer, waitMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    get mostAtOnce() {
      return mostAtOnce;
    },
    get meanAtOnce() {
      return openMs / (closedMs - openedMs);
    },
    get servedMs() {
      return closedMs - openedMs;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
  return true as const;
}

/** A completion with a message of one's own. */
export function completion(message: Readonly<Record<string, unknown>>, finish = "stop"): unknown {
  return {
    id: "c",
    object: "chat.completion",
    choices: [{ index: 0, finish_reason: finish, message: { role: "assistant", ...message } }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}

function completionOf({ body }: ChatRequest, profile: Parameters<typeof answerText>[0]): unknown {
  const parameters = { thinking: body.reasoning_effort === undefined, maxTokens: body.max_completion_tokens };
  const answer = answerText(profile, body.messages[0]?.content as string, parameters, body.seed);
  const { promptTokens, completionTokens, thoughtTokens } = answer.usage;
  return {
    id: "c",
    object: "chat.completion",
    choices: [
      {
        index: 0,
        finish_reason: answer.finish,
        message: { role: "assistant", content: answer.text, reasoning_content: answer.thought },
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens + thoughtTokens,
      total_tokens: promptTokens + completionTokens + thoughtTokens,
      completion_tokens_details: { reasoning_tokens: thoughtTokens },
    },
  };
}
