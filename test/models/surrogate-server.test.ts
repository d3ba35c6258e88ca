import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadProfile } from "../../src/models/surrogate/profile.ts";
import { answerText } from "../../src/models/surrogate/surrogate.ts";
import { surrogateServer } from "../../src/models/surrogate-server.ts";
import { command } from "../support/cli.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
let server: Server;
let baseURL: string;
let client: OpenAI;

beforeAll(async () => {
  server = surrogateServer(["qwen3-4b", "gemini-3-flash"]);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
  process.env["AWESIM_CACHE"] = web.cache;
  process.env["OPENAI_BASE_URL"] = baseURL;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  delete process.env["OPENAI_BASE_URL"];
});

const prompt = 'Your tools: <search> and <answer>.\n\nQuery: phases of the moon, "quoted" 🌙\n';
const request = { model: "gemini-3-flash", messages: [{ role: "user" as const, content: prompt }], seed: 11 };
const expected = (thinking = true, maxTokens = 8192) =>
  answerText(loadProfile("gemini-3-flash"), prompt, { thinking, maxTokens }, 11);

describe("The surrogate over HTTP", () => {
  it("answers the openai package as it answers in process, thoughts and counts included", async () => {
    const completion = await client.chat.completions.create(request);
    const { text, thought, usage, finish } = expected();
    const [choice] = completion.choices;
    expect(choice?.message.content).toBe(text);
    expect((choice?.message as { reasoning_content?: string }).reasoning_content).toBe(thought);
    expect(choice?.finish_reason).toBe(finish);
    expect(completion.usage).toEqual({
      prompt_tokens: usage.promptTokens,
      completion_tokens: usage.completionTokens + usage.thoughtTokens,
      total_tokens: usage.promptTokens + usage.completionTokens + usage.thoughtTokens,
      completion_tokens_details: { reasoning_tokens: usage.thoughtTokens },
    });
  });

  it("streams the same answer in pieces, with the counts if they are wanted", async () => {
    const chunks = [];
    const options = { stream: true as const, stream_options: { include_usage: true } };
    for await (const chunk of await client.chat.completions.create({ ...request, ...options })) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(expected().text);
    expect(chunks.filter(({ choices }) => typeof choices[0]?.finish_reason === "string")).toHaveLength(1);
    expect(chunks.at(-1)?.usage?.prompt_tokens).toBe(expected().usage.promptTokens);
    const without = [];
    for await (const chunk of await client.chat.completions.create({ ...request, stream: true })) without.push(chunk);
    expect(without.every(({ usage }) => usage === undefined)).toBe(true);
  });

  it("heeds the limit of tokens and the switches for thinking", async () => {
    const short = await client.chat.completions.create({
      ...request,
      max_completion_tokens: 3,
      reasoning_effort: "none",
    });
    expect(short.choices[0]?.message.content).toBe(expected(false, 3).text);
    const calm = await client.chat.completions.create({ ...request, reasoning_effort: "minimal" });
    expect(calm.choices[0]?.message.content).toBe(expected(false).text);
  });

  it("lists its models, and says which there are when another one is asked for", async () => {
    const models = [];
    for await (const { id } of client.models.list()) models.push(id);
    expect(models).toEqual(["qwen3-4b", "gemini-3-flash"]);
    expect((await client.models.retrieve("qwen3-4b")).id).toBe("qwen3-4b");
    await expect(client.chat.completions.create({ ...request, model: "gpt-9" })).rejects.toThrow(
      /404 there is no model "gpt-9"; there are qwen3-4b, gemini-3-flash/,
    );
  });

  it("answers curl, and refuses what is no request with 400", async () => {
    const curl = promisify(execFile);
    const post = async (body: string) => {
      const { stdout } = await curl("curl", [
        "-s",
        `${baseURL}/chat/completions`,
        "-H",
        "content-type: application/json",
        "-d",
        body,
      ]);
      return JSON.parse(stdout) as { choices?: { message: { content: string } }[]; error?: { message: string } };
    };
    const parts = [{ type: "text", text: prompt }];
    const answered = await post(JSON.stringify({ ...request, messages: [{ role: "user", content: parts }] }));
    expect(answered.choices?.[0]?.message.content).toBe(expected().text);
    expect((await post("{")).error?.message).toBe("the body is no JSON");
    expect((await post('{"model":"qwen3-4b","messages":[]}')).error?.message).toMatch(/^messages: /);
  });

  it("decides a whole run as it does in process: the traces differ in the model's name alone", async () => {
    const scenario = web.scenario("served", {
      until: "10m",
      assistants: "[{ strategy: multi-agent, model: surrogate/gemini-3-flash }]",
    });
    const [embedded, served] = ["embedded", "served"].map((name) => join(web.folder, name)) as [string, string];
    expect((await command("run", scenario, "--no-view", "--out", embedded)).code).toBe(0);
    const end = await command("run", scenario, "--no-view", "--out", served, "--model", "openai/gemini-3-flash");
    expect(end.code, end.stderr).toBe(0);
    const facts = (run: string) =>
      readFileSync(join(run, "trace.jsonl"), "utf8")
        .replaceAll("openai/gemini", "surrogate/gemini")
        .split("\n")
        .slice(1, -2);
    expect(facts(served)).toEqual(facts(embedded));
  });
});
