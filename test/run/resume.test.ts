import { cpSync, existsSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { lockRun } from "../../src/run/run-lock.ts";
import { type ChatServer, chatServer, type Disturbance, sendJson } from "../support/chat-server.ts";
import { command } from "../support/cli.ts";
import { filesBelow, readJson, readTrace } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
let whole: string;
let scenario: string;
let copies = 0;

beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  process.env["OPENAI_API_KEY"] = "none";
  scenario = web.scenario("hour", {
    until: "12m",
    assistants: `
  - { share: 0.7, strategy: multi-agent, model: surrogate/qwen3-4b }
  - { share: 0.3, strategy: classic-ir }`,
  });
  whole = join(web.folder, "whole");
  const end = await command("run", scenario, "--no-view", "--out", whole);
  expect(end.code, end.stderr).toBe(0);
});

/** A copy of the whole run as a kill would have left it: files cut anywhere, and a manifest that says it runs. */
function killed(cuts: Readonly<Record<string, number>>, change: (manifest: string) => string = (text) => text): string {
  const copy = join(web.folder, `killed-${++copies}`);
  cpSync(whole, copy, { recursive: true });
  for (const [name, size] of Object.entries(cuts)) truncateSync(join(copy, name), size);
  const file = join(copy, "manifest.json");
  const running = readFileSync(file, "utf8")
    .replace('"status": "completed"', '"status": "running"')
    .replace(/"traceSha256": "\w+"/, '"traceSha256": null');
  writeFileSync(file, change(running));
  return copy;
}

function sizeOf(name: string): number {
  return statSync(join(whole, name)).size;
}

function expectSame(run: string, reference: string): void {
  for (const name of [
    "trace.jsonl",
    "queries.csv",
    "traffic.csv",
    "concentration.csv",
    "metrics.json",
    "run.trec",
    "report.md",
    "report.html",
  ]) {
    expect(readFileSync(join(run, name), "utf8"), name).toBe(readFileSync(join(reference, name), "utf8"));
  }
}

/** Lines of a tape that no other one repeats. */
function addresses(run: string): string[] {
  const lines = readFileSync(join(run, "tape.jsonl"), "utf8").trimEnd().split("\n").slice(1);
  return lines.map((line) => {
    const { key, caller } = JSON.parse(line) as { key: string; caller?: string };
    return `${key} ${caller}`;
  });
}

describe("A run that was killed", () => {
  it("at any moment, in the middle of any line, is resumed to the same bytes", async () => {
    const [tape, texts, trace] = ["tape.jsonl", "texts.jsonl", "trace.jsonl"].map(sizeOf) as [number, number, number];
    const moments = [0.0003, 0.37, 0.83, 0.9999];
    for (const [n, part] of moments.entries()) {
      const cut = (size: number) => Math.floor(size * part) + n;
      const run = killed({ "tape.jsonl": cut(tape), "texts.jsonl": cut(texts), "trace.jsonl": cut(trace * 0.9) });
      const end = await command("resume", run, "--no-view");
      expect(end.code, end.stderr).toBe(0);
      expectSame(run, whole);
      expect(readJson<Record<string, unknown>>(run, "manifest.json")).toMatchObject({ status: "completed" });
      expect(new Set(addresses(run))).toEqual(new Set(addresses(whole)));
      expect(addresses(run)).toHaveLength(addresses(whole).length);
      expect(filesBelow(run)).toEqual(filesBelow(whole));
      expect((await command("replay", run)).code).toBe(0);
    }
  });

  it("before its tape was begun, and one whose last line lacks its newline only, are resumed too", async () => {
    const empty = killed({ "tape.jsonl": 0, "texts.jsonl": 0, "trace.jsonl": 0 });
    expect((await command("resume", empty, "--no-view")).code).toBe(0);
    expectSame(empty, whole);
    const unended = killed({ "tape.jsonl": sizeOf("tape.jsonl") - 1 });
    const end = await command("resume", unended, "--no-view");
    expect(end.code, end.stderr).toBe(0);
    expectSame(unended, whole);
    expect(readJson<{ calls: object }>(unended, "manifest.json").calls).toMatchObject({ surrogate: 0 });
  });

  it("takes what is on the tape from there and counts it", async () => {
    const run = killed({ "tape.jsonl": Math.floor(sizeOf("tape.jsonl") / 2) });
    await command("resume", run, "--no-view");
    const calls = (of: string) => readJson<{ calls: Record<string, number> }>(of, "manifest.json").calls;
    const [{ tape, surrogate }, all] = [calls(run) as never, calls(whole)["surrogate"]] as [
      { tape: number; surrogate: number },
      number,
    ];
    expect(tape).toBeGreaterThan(0);
    expect(surrogate).toBeGreaterThan(0);
    expect(tape + surrogate).toBe(all);
  });
});

describe("A resumption", () => {
  it("of a completed run says so, exits with 0 and changes nothing", async () => {
    const bytes = () => filesBelow(whole).map((name) => readFileSync(join(whole, name), "utf8"));
    const before = bytes();
    const end = await command("resume", whole);
    expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining("completed") });
    expect(bytes()).toEqual(before);
  });

  it("of a run that another process is writing is refused; a second one after it is not", async () => {
    const run = killed({});
    const lock = lockRun(run);
    const end = await command("resume", run, "--no-view");
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining("another process is writing this run") });
    lock.release(false);
    expect((await command("resume", run, "--no-view")).code).toBe(0);
  });

  it("of a run whose trace has begun in another way fails at the line that differs", async () => {
    const run = killed({ "trace.jsonl": sizeOf("trace.jsonl") - 2000 });
    const file = join(run, "trace.jsonl");
    const lines = readFileSync(file, "utf8").split("\n");
    lines[20] = (lines[20] as string).replace(/"t":\d/, '"t":9');
    writeFileSync(file, lines.join("\n"));
    const end = await command("resume", run, "--no-view");
    expect(end.code).toBe(1);
    expect(end.stderr).toContain(`${file}:21: what happens now is not what was written there before`);
    expect(readFileSync(file, "utf8")).toBe(lines.join("\n"));
  });

  it.each<[string, (manifest: string) => string, RegExp]>([
    ["awesim", (text) => text.replace(/"awesim": "[^"]*"/, '"awesim": "9.9.9"'), /begun with awesim 9\.9\.9/],
    ["model", (text) => text.replace("surrogate/qwen3-4b", "surrogate/qwen3-4c"), /begun with the model surrogate/],
  ])("with another %s is refused", async (_, change, message) => {
    const end = await command("resume", killed({}, change), "--no-view");
    expect(end.code).toBe(2);
    expect(end.stderr).toMatch(message);
    expect(end.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("without the corpus is refused, and goes on once it is back", async () => {
    const run = killed({ "tape.jsonl": 1000 });
    renameSync(web.corpus, `${web.corpus}-away`);
    const end = await command("resume", run, "--no-view");
    renameSync(`${web.corpus}-away`, web.corpus);
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no corpus") });
    expect((await command("resume", run, "--no-view")).code).toBe(0);
    expectSame(run, whole);
  });

  it("of a directory that is no run is bad input", async () => {
    expect(await command("resume", web.folder)).toMatchObject({ code: 2 });
    expect(existsSync(join(web.folder, "lock"))).toBe(false);
  });
});

describe("A run whose endpoint goes away", () => {
  let server: ChatServer;
  afterEach(async () => {
    await server.close();
    delete process.env["OPENAI_BASE_URL"];
  });

  async function serve(disturb?: Disturbance): Promise<void> {
    server = await chatServer(disturb);
    process.env["OPENAI_BASE_URL"] = server.baseUrl;
  }

  it("is resumed when it is back: no answer that is on the tape is asked for again, and the trace is the same", async () => {
    const model = ["--model", "openai/qwen3-4b", "--set", "assistants=[{ strategy: multi-agent, model: openai/x }]"];
    const [calm, broken] = ["calm", "broken"].map((name) => join(web.folder, name)) as [string, string];
    await serve();
    expect((await command("run", scenario, "--no-view", ...model, "--out", calm)).code).toBe(0);
    await server.close();
    await serve((n, response) => (n > 40 ? sendJson(response, 403, { error: { message: "gone" } }) : undefined));
    expect((await command("run", scenario, "--no-view", ...model, "--out", broken)).code).toBe(130);
    expect(readTrace(broken).footer).toBeNull();
    await server.close();
    const taped = new Set(seedsOnTape(broken));
    expect(taped.size).toBe(40);
    await serve();
    const end = await command("resume", broken, "--no-view");
    expect(end.code, end.stderr).toBe(0);
    expect(server.requests.length).toBeGreaterThan(0);
    expect(server.requests.filter(({ body }) => taped.has(body.seed))).toEqual([]);
    expectSame(broken, calm);
  });
});

function seedsOnTape(run: string): number[] {
  const lines = readFileSync(join(run, "tape.jsonl"), "utf8").trimEnd().split("\n").slice(1);
  return lines
    .map((line) => JSON.parse(line) as { port: string; parts: { seed: number } })
    .filter(({ port }) => port === "model")
    .map(({ parts }) => parts.seed);
}
