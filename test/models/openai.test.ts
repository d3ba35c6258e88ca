import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import type { ModelAnswer } from "../../src/agents/ports.ts";
import { pageSegment } from "../../src/agents/information.ts";
import { segment } from "../../src/agents/prompt.ts";
import { EndpointError } from "../../src/models/endpoint-error.ts";
import { CallGate } from "../../src/models/call-gate.ts";
import { type Endpoint, openaiModel } from "../../src/models/openai.ts";
import {
  type ChatRequest,
  type ChatServer,
  chatServer,
  completion,
  type Disturbance,
  sendJson,
} from "../support/chat-server.ts";

let server: ChatServer;
afterEach(() => server.close());

const plain = { thinkingOn: "unset", thinkingOff: "reasoning-effort=minimal", stream: false, context: undefined };

const request = { parts: [segment("Query: moon\n")], parameters: { thinking: true, maxTokens: 8192 }, seed: 7 };

async function modelOf(
  disturb?: Disturbance,
  settings: {
    concurrency?: number;
    delayMs?: number;
    timeoutMs?: number;
    url?: (base: string) => string;
  } & Partial<Endpoint> = {},
) {
  server = await chatServer(disturb, settings.delayMs ?? 0);
  const { signal } = new AbortController();
  const model = openaiModel("some-model", {
    ...plain,
    ...settings,
    baseUrl: settings.url?.(server.baseUrl) ?? server.baseUrl,
    key: "the-key",
    timeoutMs: settings.timeoutMs ?? 10_000,
    ends: { calls: signal, tries: signal },
  });
  const gate = new CallGate(settings.concurrency ?? 8);
  const ask = (which = request) => gate.run(() => model.ask(which, "c") as Promise<ModelAnswer>, false);
  return { ask, model };
}

/** Disturbs the first requests only. */
const first =
  (count: number, disturb: Disturbance): Disturbance =>
  (...args) =>
    args[0] <= count ? disturb(...args) : undefined;

describe("A request to an endpoint", () => {
  it("is one user message with the prompt's text, the seed, and the limit; no key but in the header", async () => {
    const { ask, model } = await modelOf(() => undefined);
    await ask();
    await ask({ ...request, parameters: { thinking: false, maxTokens: 8192 } });
    expect(model.identity).toBe("openai/some-model");
    expect(server.requests.map(({ path, body }) => ({ path, body }))).toEqual(
      [{}, { reasoning_effort: "minimal" }].map((effort) => ({
        path: "/v1/chat/completions",
        body: {
          model: "some-model",
          messages: [{ role: "user", content: "Query: moon\n" }],
          max_completion_tokens: 8192,
          seed: 7,
          ...effort,
        },
      })),
    );
    expect(server.requests[0]?.headers.authorization).toBe("Bearer the-key");
  });

  it.each([
    ["chat-template", true, { chat_template_kwargs: { enable_thinking: true } }],
    ["chat-template", false, { chat_template_kwargs: { enable_thinking: false } }],
    ["reasoning-effort=none", false, { reasoning_effort: "none" }],
    ["unset", false, {}],
  ])("switches thinking by %s (%s)", async (by, thinking, sent) => {
    const { ask } = await modelOf(undefined, { thinkingOn: by, thinkingOff: by });
    await ask({ ...request, parameters: { thinking, maxTokens: 100 } });
    const { model, messages, max_completion_tokens, seed, ...rest } = server.requests[0]?.body as ChatRequest["body"];
    expect(rest).toEqual(sent);
  });

  it("has its pages cut where prompt and answer would not fit", async () => {
    const { ask } = await modelOf(undefined, { context: 9000 });
    await ask({ ...request, parts: [segment("Query: moon"), pageSegment("d1", "long ".repeat(4000))] });
    const content = server.requests[0]?.body.messages[0]?.content as string;
    expect(content.length / 4).toBeLessThan(9000 - 8192);
    expect(content).toContain("...[truncated]...");
  });

  it("takes user name, password and query from the base URL to where servers look for them", async () => {
    const { ask } = await modelOf(() => undefined, {
      url: (base) => `${base.replace("http://", "http://me:p%40ss@")}?api-version=3`,
    });
    await ask();
    expect(server.requests[0]?.path).toBe("/v1/chat/completions?api-version=3");
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from("me:p@ss").toString("base64")}`);
  });

  it("waits while as many as are allowed are under way", async () => {
    const { ask } = await modelOf(undefined, { concurrency: 3, delayMs: 15 });
    await Promise.all(Array.from({ length: 12 }, () => ask()));
    expect(server.requests).toHaveLength(12);
    expect(server.mostAtOnce).toBe(3);
  });
});

describe("An endpoint's answer", () => {
  it("brings its words, its thoughts and its counts; thoughts are not counted twice", async () => {
    const { ask } = await modelOf((_, response) =>
      sendJson(response, 200, {
        choices: [{ finish_reason: "length", message: { content: "<search>x</search>", reasoning_content: "hm" } }],
        usage: { prompt_tokens: 30, completion_tokens: 20, completion_tokens_details: { reasoning_tokens: 12 } },
      }),
    );
    expect(await ask()).toEqual({
      text: "<search>x</search>",
      thought: "hm",
      finish: "length",
      usage: { promptTokens: 30, completionTokens: 8, thoughtTokens: 12 },
    });
  });

  const spoken = "<answer>[]</answer>";
  const usage = { prompt_tokens: 1, completion_tokens: 10 };
  it.each([
    ["reasoning_content", { reasoning_content: "hm, hm", content: spoken }, "hm, hm", spoken],
    ["reasoning", { reasoning: "hm, hm", content: spoken }, "hm, hm", spoken],
    ["<think>", { content: `<think>hm, hm</think>${spoken}` }, "hm, hm", spoken],
    ["an end of thought alone", { content: `hm, hm</think>${spoken}` }, "hm, hm", spoken],
    ["a thought without an end, left in the text", { content: "<think>hm" }, undefined, "<think>hm"],
  ])("has its thoughts taken from %s", async (_, message, thought, text) => {
    const { ask } = await modelOf((_n, response) => sendJson(response, 200, { choices: [{ message }], usage }));
    const answer = await ask();
    expect(answer).toMatchObject({ text, ...(thought === undefined ? {} : { thought }) });
    // 6 of 25 characters are thought
    const thoughtTokens = thought === undefined ? 0 : 2;
    expect(answer.usage).toEqual({ promptTokens: 1, completionTokens: 10 - thoughtTokens, thoughtTokens });
  });

  it.each([
    ["empty content", completion({ content: "" }), ""],
    ["no content", completion({ content: null }), ""],
    ["a refusal", completion({ content: null, refusal: "I will not." }), "I will not."],
    ["no choice", { choices: [], usage: null }, ""],
    ["nothing", {}, ""],
    ["of other types", { choices: [{ message: { content: [{ type: "text" }], refusal: 3 }, finish_reason: 4 }] }, ""],
  ])("that is %s is an answer, and asked once", async (_, value, text) => {
    const { ask } = await modelOf((_n, response) => sendJson(response, 200, value));
    expect(await ask()).toMatchObject({ text });
    expect(server.requests).toHaveLength(1);
  });
});

describe("An endpoint's counts", () => {
  it("that are none are 0", async () => {
    const usage = {
      prompt_tokens: "12",
      completion_tokens: null,
      completion_tokens_details: { reasoning_tokens: 1.5 },
    };
    const { ask } = await modelOf((_, response) => sendJson(response, 200, { choices: [], usage }));
    expect((await ask()).usage).toEqual({ promptTokens: 0, completionTokens: 0, thoughtTokens: 0 });
  });
});

describe("What may pass is asked again", () => {
  it.each<[string, Disturbance]>([
    [
      "429 with Retry-After",
      (_, response) => sendJson(response, 429, { error: { message: "slow" } }, { "retry-after": "0" }),
    ],
    ["500", (_, response) => sendJson(response, 500, { error: { message: "oops" } }, { "retry-after": "0" })],
    [
      "503 without JSON",
      (_, response) => {
        response.writeHead(503, { "retry-after": "0" });
        response.end("<html>");
        return true;
      },
    ],
    [
      "a connection that breaks",
      (_, response) => {
        response.destroy();
        return true;
      },
    ],
    [
      "an answer that breaks off",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
        response.write('{"choices": [');
        response.destroy();
        return true;
      },
    ],
    [
      "a page of HTML under status 200",
      (_, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.end("<html>Welcome</html>");
        return true;
      },
    ],
    ["an error under status 200", (_, response) => sendJson(response, 200, { error: { message: "busy" } })],
    ["null", (_, response) => sendJson(response, 200, null)],
    [
      "an answer without end",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const more = () => {
          while (!response.destroyed && response.write(" ".repeat(1 << 20)));
        };
        response.on("drain", more);
        more();
        return true;
      },
    ],
    [
      "broken JSON",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end('{"choices": [');
        return true;
      },
    ],
  ])("%s", async (_, disturb) => {
    const { ask } = await modelOf(first(1, disturb));
    expect(await ask()).toMatchObject({ finish: "stop" });
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.body).toEqual(server.requests[0]?.body);
  });

  it("at most 5 times, then the endpoint is given up with its own words", async () => {
    const { ask } = await modelOf((_, response) =>
      sendJson(response, 429, { error: { message: "too busy today" } }, { "retry-after": "0" }),
    );
    await expect(ask()).rejects.toThrow(EndpointError);
    expect(server.requests).toHaveLength(5);
    await expect(ask()).rejects.toThrow(/5 times: .*too busy today/);
  });

  it("after a pause until a date, by the server's own clock", async () => {
    const headers = { date: "Mon, 01 Jan 2024 10:00:00 GMT", "retry-after": "Mon, 01 Jan 2024 10:00:01 GMT" };
    const { ask } = await modelOf(first(1, (_, response) => sendJson(response, 503, { error: {} }, headers)));
    const started = performance.now();
    await ask();
    expect(performance.now() - started).toBeGreaterThanOrEqual(950);
  });

  it("after the pause the server asks for", async () => {
    const { ask } = await modelOf(
      first(1, (_, response) => sendJson(response, 429, { error: { message: "slow" } }, { "retry-after": "1" })),
    );
    const started = performance.now();
    await ask();
    expect(performance.now() - started).toBeGreaterThanOrEqual(950);
  });
});

describe("A streamed answer", () => {
  const stream =
    (...chunks: readonly unknown[]): Disturbance =>
    (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      response.end("data: [DONE]\n\n");
      return true;
    };
  const piece = (delta: Readonly<Record<string, unknown>>, finish: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const whole = stream(
    piece({ role: "assistant", reasoning_content: "let me " }),
    piece({ reasoning_content: "see" }),
    piece({ content: "<answer>" }),
    piece({ content: "[]</answer>" }, "stop"),
    {
      choices: [],
      usage: { prompt_tokens: 3, completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 4 } },
    },
  );

  it("is put together, with its thoughts and counts", async () => {
    const { ask } = await modelOf(whole, { stream: true });
    expect(await ask()).toEqual({
      text: "<answer>[]</answer>",
      thought: "let me see",
      finish: "stop",
      usage: { promptTokens: 3, completionTokens: 5, thoughtTokens: 4 },
    });
    expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it("may be empty, a refusal, or of other types", async () => {
    for (const [delta, text] of [
      [{}, ""],
      [{ refusal: "I will not." }, "I will not."],
      [{ content: [1] }, ""],
    ] as const) {
      const { ask } = await modelOf(stream(piece(delta, "stop")), { stream: true });
      expect(await ask()).toMatchObject({ text });
      await server.close();
    }
  });

  it.each<[string, Disturbance]>([
    ["that ends early", stream(piece({ content: "<ans" }))],
    ["that reports an error", stream(piece({ content: "<ans" }), { error: { message: "overloaded" } })],
    ["of broken pieces", (_, response) => response.end("data: {{{\n\n") && true],
    [
      "that breaks off",
      (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`data: ${JSON.stringify(piece({ content: "<ans" }))}\n\n`, () => response.destroy());
        return true;
      },
    ],
  ])("%s is asked for again", async (_, disturb) => {
    const { ask } = await modelOf((n, ...args) => (n === 1 ? disturb : whole)(n, ...args), { stream: true });
    expect(await ask()).toMatchObject({ text: "<answer>[]</answer>" });
    expect(server.requests).toHaveLength(2);
  });
});

describe("What will not pass", () => {
  it.each([400, 401, 403, 404, 422])("%i is not asked again", async (status) => {
    const { ask } = await modelOf((_, response) => sendJson(response, status, { error: { message: "no" } }));
    await expect(ask()).rejects.toThrow(/will not be asked again: .*no/);
    expect(server.requests).toHaveLength(1);
  });
});

describe("The status alone decides what may pass", () => {
  const words = "Error 401 or 403: invalid context, no access to https://x.example/?q=generate+rate+limit";

  it.each([500, 503, 429])("%i is asked again, whatever its words", async (status) => {
    const failing: Disturbance = (_, response) =>
      sendJson(response, status, { error: { message: words, code: "invalid_api_key" } }, { "retry-after": "0" });
    const { ask } = await modelOf(first(2, failing));
    expect(await ask()).toMatchObject({ finish: "stop" });
    expect(server.requests).toHaveLength(3);
  });

  it("400 is not, whatever its words", async () => {
    const { ask } = await modelOf((_, response) =>
      sendJson(response, 400, { error: { message: `generate: rate limit, try again. ${words}` } }),
    );
    await expect(ask()).rejects.toThrow(/will not be asked again/);
    expect(server.requests).toHaveLength(1);
  });
});

describe("The error of an endpoint", () => {
  it("names its address without the secrets in it", async () => {
    const url = (base: string) => `${base.replace("http://", "http://me:secret@")}?token=secret`;
    const { ask } = await modelOf((_, response) => sendJson(response, 401, { error: { message: "no" } }), { url });
    const failure = await ask().catch((error: Error) => error.message);
    expect(failure).toContain(server.baseUrl);
    expect(failure).not.toContain("secret");
  });

  it.each([false, true])("repeats no key, whatever the server says (streamed: %s)", async (stream) => {
    const credentials = Buffer.from("me:pass word").toString("base64");
    const said = ["Bearer the-key", `Basic ${credentials}`, "pass word", "pass%20word", "tok-en"].join(", ");
    for (const status of [401, 500]) {
      const url = (base: string) => `${base.replace("http://", "http://me:pass%20word@")}?t=tok-en`;
      const { ask } = await modelOf(
        (_, response) => sendJson(response, status, { error: { message: said } }, { "retry-after": "0" }),
        { stream, url },
      );
      const failure = await ask().catch((error: Error) => error);
      expect(String(failure)).toContain("Bearer [secret]");
      expect(inspect(failure, { depth: 9 })).not.toMatch(/the-key|pass.*word|tok-en|bWU6/);
      await server.close();
    }
  });
});

describe("A time-out", () => {
  it("ends a call whose body never ends, which is tried again", async () => {
    const stall: Disturbance = (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write(" ");
      return true;
    };
    const { ask } = await modelOf(first(1, stall), { timeoutMs: 300 });
    expect((await ask()).text).not.toBe("");
    expect(server.requests).toHaveLength(2);
  });
});

describe("When nobody waits any more", () => {
  it("calls that are under way or pausing end at once", async () => {
    server = await chatServer((_, response) => sendJson(response, 429, { error: {} }, { "retry-after": "50" }));
    const ended = new AbortController();
    const model = openaiModel("m", {
      ...plain,
      baseUrl: server.baseUrl,
      key: "k",
      timeoutMs: 60_000,
      ends: { calls: ended.signal, tries: ended.signal },
    });
    const calls = Array.from({ length: 4 }, () => model.ask(request, "c") as Promise<ModelAnswer>);
    const ends = Promise.allSettled(calls);
    while (server.requests.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
    ended.abort();
    expect((await ends).map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
  });
});
