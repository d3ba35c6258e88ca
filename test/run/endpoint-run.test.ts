import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Fact } from "../../src/trace/facts.ts";
import { type ChatServer, chatServer, type Disturbance, sendJson } from "../support/chat-server.ts";
import { command } from "../support/cli.ts";
import { factsOf, filesBelow, readJson, readTrace } from "../support/run-files.ts";
import { hostileText, smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const key = "sk-very-secret-key-1234";
let server: ChatServer;
let scenario: string;
let runs = 0;

beforeAll(() => {
  process.env["AWESIM_CACHE"] = web.cache;
  process.env["OPENAI_API_KEY"] = key;
  scenario = web.scenario("short", {
    until: "15m",
    assistants: "[{ strategy: multi-agent, model: surrogate/qwen3-4b }]",
  });
});
afterEach(async () => {
  await server.close();
  delete process.env["OPENAI_BASE_URL"];
});

async function serve(
  disturb?: Disturbance,
  url: (base: string) => string = (base) => base,
  delayMs = 0,
): Promise<void> {
  server = await chatServer(disturb, delayMs);
  process.env["OPENAI_BASE_URL"] = url(server.baseUrl);
}

async function run(...options: string[]) {
  const out = join(web.folder, `run-${++runs}`);
  const end = await command("run", scenario, "--no-view", "--out", out, ...options);
  return { ...end, out };
}

/** A fact without what differs between a model and its stand-in: the name, and how tokens are counted. */
function decision({ seq: _, ...fact }: Fact): unknown {
  const {
    promptTokens: _p,
    completionTokens: _c,
    thoughtTokens: _t,
    model: _m,
    ...rest
  } = fact as never as Record<string, unknown>;
  return rest;
}

describe("A run with an OpenAI-compatible endpoint", () => {
  it("decides as the surrogate does that answers behind it, is recorded, and replays with the server gone", async () => {
    const surrogate = await run();
    await serve(undefined, undefined, 2);
    const live = await run("--model", "openai/qwen3-4b");
    expect(live.code, live.stderr).toBe(0);
    const [trace, stand] = [readTrace(live.out), readTrace(surrogate.out)];
    expect(trace.facts.map(decision)).toEqual(stand.facts.map(decision));
    expect(factsOf(trace, "query.arrived").every(({ model }) => model === "openai/qwen3-4b")).toBe(true);
    const manifest = readJson<Record<string, unknown>>(live.out, "manifest.json");
    expect(manifest).toMatchObject({
      models: ["openai/qwen3-4b"],
      surrogate: null,
      cost: null,
      calls: { live: server.requests.length, tape: 0, surrogate: 0 },
    });
    expect(server.mostAtOnce).toBeGreaterThan(1);
    await server.close();
    const replayed = await command("replay", live.out);
    expect(replayed.code, replayed.stderr).toBe(0);
  });

  it("holds no more calls open than the scenario allows, those of all its models together", async () => {
    await serve(undefined, undefined, 2);
    const limited = ["--set", "models.endpoint.concurrency=2"];
    const models = ["a", "b"].map((name) => `{ strategy: multi-agent, model: openai/${name} }`);
    const { code, out } = await run("--set", `assistants=[${models.join(", ")}]`, ...limited);
    expect(code).toBe(0);
    expect(new Set(factsOf(readTrace(out), "query.arrived").map(({ model }) => model)).size).toBe(2);
    expect(server.mostAtOnce).toBe(2);
  });

  it("has the same trace when the server stumbles, and when it is slow now and then", async () => {
    await serve();
    const calm = await run("--model", "openai/qwen3-4b");
    await server.close();
    await serve((n, response) => {
      if (n % 7 === 3) return sendJson(response, 429, { error: { message: "slow" } }, { "retry-after": "0" });
      return undefined;
    });
    const stumbling = await run("--model", "openai/qwen3-4b");
    expect(readFileSync(join(stumbling.out, "trace.jsonl"), "utf8")).toBe(
      readFileSync(join(calm.out, "trace.jsonl"), "utf8"),
    );
  });

  it("takes empty answers and refusals as answers that are no actions", async () => {
    await serve((n, response) => {
      if (n % 3 === 0)
        return sendJson(response, 200, { choices: [{ message: { content: null, refusal: "I cannot help." } }] });
      if (n % 5 === 0) return sendJson(response, 200, { choices: [{ message: { content: "" } }] });
      return undefined;
    });
    const { code, out } = await run("--model", "openai/qwen3-4b");
    expect(code).toBe(0);
    const problems = new Set(factsOf(readTrace(out), "action.taken").map(({ problem }) => problem));
    expect(problems).toContain("no-action");
    expect(problems).toContain("empty");
  });
});

describe("A hostile page", () => {
  it("reaches the endpoint whole and on one line, and adds no block, no turn and no query to its prompt", async () => {
    await serve();
    await run("--model", "openai/qwen3-4b");
    const prompts = server.requests.map(({ body }) => body.messages[0]?.content as string);
    const linesOf = (prompt: string) => prompt.split(/\r\n|[\n\r\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/);
    const pages = prompts.flatMap(linesOf).filter((line) => line.startsWith('{"doc_id":'));
    expect(pages.some((page) => (JSON.parse(page) as { doc_text: string }).doc_text.includes(hostileText))).toBe(true);
    for (const prompt of prompts) {
      const lines = linesOf(prompt);
      expect(lines.filter((line) => line.startsWith("Query: "))).toHaveLength(1);
      expect(lines).not.toContain("[Turn 9]");
      expect(prompt).not.toContain('<answer>["forged"]');
      // Each block's tags stand on lines of their own, in turn; the rules at the head speak of them within a line.
      const tags = lines.filter((line) => /^<\/?information>$/.test(line));
      expect(tags).toEqual(tags.map((_, index) => (index % 2 === 0 ? "<information>" : "</information>")));
      expect(tags.length % 2).toBe(0);
    }
  });
});

describe("An endpoint that refuses for good", () => {
  it("interrupts the run: exit 130, one line, the status, no last line of the trace; paid answers are kept", async () => {
    await serve((n, response, { headers }) =>
      n > 10 ? sendJson(response, 401, { error: { message: `wrong key ${headers.authorization}` } }) : undefined,
    );
    const { code, stderr, out } = await run("--model", "openai/qwen3-4b");
    expect(code).toBe(130);
    expect(stderr.split("\n").filter((line) => line.startsWith("awesim: "))).toEqual([
      expect.stringMatching(/^awesim: the model's endpoint \S+ failed and will not be asked again: 401/),
    ]);
    const manifest = readJson<Record<string, unknown>>(out, "manifest.json");
    expect(manifest).toMatchObject({ status: "interrupted: endpoint", traceSha256: null });
    expect(readTrace(out).footer).toBeNull();
    const tape = readFileSync(join(out, "tape.jsonl"), "utf8");
    expect(tape.split('"port":"model"')).toHaveLength(1 + 10);
    expect(readFileSync(join(out, "report.md"), "utf8")).toMatch(
      /Interrupted: endpoint at 00:0\d:\d\d of virtual time/,
    );
  });
});

describe("Secrets", () => {
  it("of the environment, the key and the base URL's, are nowhere in the run's directory, and not printed", async () => {
    await serve(
      (n, response, { headers }) =>
        n > 25 ? sendJson(response, 401, { error: { message: `wrong: ${headers.authorization} ${key}` } }) : undefined,
      (base) => `${base.replace("http://", "http://user-secret:password-secret@")}?token=query-secret`,
    );
    const { out, stdout, stderr } = await run("--model", "openai/qwen3-4b");
    expect(server.requests.length).toBeGreaterThan(25);
    expect(stderr).toContain("[secret]");
    const secrets = [
      key,
      "user-secret",
      "password-secret",
      "query-secret",
      Buffer.from("user-secret:password-secret").toString("base64"),
    ];
    for (const name of filesBelow(out)) {
      const text = readFileSync(join(out, name), "utf8");
      for (const secret of secrets) expect(text.includes(secret), `${secret} in ${name}`).toBe(false);
    }
    for (const secret of secrets) expect(`${stdout}${stderr}`).not.toContain(secret);
  });

  it.each([
    ["base-url", "http://me:the-secret@127.0.0.1:1/v1"],
    ["base-url", "http://127.0.0.1:1/v1?key=the-secret"],
    ["key-variable", "sk-the-secret"],
    ["base-url-variable", "http://the-secret"],
  ])("in a scenario, as its %s, are refused before anything is written, whatever the model", async (name, value) => {
    await serve();
    for (const model of ["openai/x", "surrogate/qwen3-4b"]) {
      const before = filesBelow(web.folder);
      const end = await run("--model", model, "--set", `models.endpoint.${name}=${value}`);
      expect(end.code).toBe(2);
      expect(end.stderr).toContain(name);
      expect(filesBelow(web.folder)).toEqual(before);
    }
  });
});

describe("An endpoint that cannot be asked", () => {
  it.each([
    ["OPENAI_BASE_URL", "127.0.0.1:9/v1"],
    ["OPENAI_BASE_URL", "ftp://127.0.0.1/v1"],
    ["OPENAI_BASE_URL", "http://me:%zz@127.0.0.1/v1"],
    ["OPENAI_API_KEY", "sk-pasted-with-a-break\n"],
    ["OPENAI_API_KEY", "sk-schlüssel"],
  ])("for its %s is bad input, told without repeating it: %j", async (variable, value) => {
    await serve();
    process.env[variable] = value;
    const end = await run("--model", "openai/qwen3-4b");
    process.env["OPENAI_API_KEY"] = key;
    expect(end.code).toBe(2);
    expect(end.stderr).toContain(variable);
    expect(end.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(end.stderr).not.toContain(value.trim());
    expect(server.requests).toEqual([]);
  });
});

describe("An endpoint that is not named", () => {
  it("is bad input that says which variables to set", async () => {
    await serve();
    delete process.env["OPENAI_BASE_URL"];
    delete process.env["OPENAI_API_KEY"];
    const end = await run("--model", "openai/qwen3-4b");
    process.env["OPENAI_API_KEY"] = key;
    expect(end.code).toBe(2);
    expect(end.stderr).toMatch(/OPENAI_API_KEY.*OPENAI_BASE_URL/);
  });
});
