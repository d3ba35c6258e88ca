import { afterEach, describe, expect, it } from "vitest";
import type { ModelAnswer } from "../../src/agents/ports.ts";
import { segment } from "../../src/agents/prompt.ts";
import { EndpointError } from "../../src/models/endpoint-error.ts";
import { limiter } from "../../src/models/limiter.ts";
import { openaiModel } from "../../src/models/openai.ts";
import { type ChatServer, chatServer, completion, type Disturbance, sendJson } from "../support/chat-server.ts";

let server: ChatServer;
afterEach(() => server.close());

const request = { parts: [segment("Query: moon\n")], parameters: { thinking: true, maxTokens: 8192 }, seed: 7 };

async function modelOf(
  disturb?: Disturbance,
  settings: { concurrency?: number; delayMs?: number; timeoutMs?: number; url?: (base: string) => string } = {},
) {
  server = await chatServer(disturb, settings.delayMs ?? 0);
  const model = openaiModel("some-model", {
    baseUrl: settings.url?.(server.baseUrl) ?? server.baseUrl,
    key: "the-key",
    limit: limiter(settings.concurrency ?? 8),
    timeoutMs: settings.timeoutMs ?? 10_000,
    signal: new AbortController().signal,
  });
  return { ask: (which = request) => model.ask(which, "c") as Promise<ModelAnswer>, model };
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

  it("after the pause the server asks for", async () => {
    const { ask } = await modelOf(
      first(1, (_, response) => sendJson(response, 429, { error: { message: "slow" } }, { "retry-after": "1" })),
    );
    const started = performance.now();
    await ask();
    expect(performance.now() - started).toBeGreaterThanOrEqual(950);
  });
});

describe("What will not pass", () => {
  it.each([400, 401, 403, 404, 422])("%i is not asked again", async (status) => {
    const { ask } = await modelOf((_, response) => sendJson(response, status, { error: { message: "no" } }));
    await expect(ask()).rejects.toThrow(/will not be asked again: .*no/);
    expect(server.requests).toHaveLength(1);
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
  it("calls that are under way, waiting or pausing end at once", async () => {
    server = await chatServer((_, response) => sendJson(response, 429, { error: {} }, { "retry-after": "50" }));
    const ended = new AbortController();
    const model = openaiModel("m", {
      baseUrl: server.baseUrl,
      key: "k",
      limit: limiter(2),
      timeoutMs: 60_000,
      signal: ended.signal,
    });
    const calls = Array.from({ length: 4 }, () => model.ask(request, "c") as Promise<ModelAnswer>);
    const ends = Promise.allSettled(calls);
    while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    ended.abort();
    expect((await ends).map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
  });
});
