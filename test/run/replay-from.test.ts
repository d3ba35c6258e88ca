import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { type ChatServer, chatServer } from "../support/chat-server.ts";
import { command } from "../support/cli.ts";
import { readJson } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
let server: ChatServer;
let older: string;
let runs = 0;

beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  process.env["OPENAI_API_KEY"] = "none";
  server = await chatServer();
  process.env["OPENAI_BASE_URL"] = server.baseUrl;
  older = (await run([])).out;
});
afterAll(async () => {
  await server.close();
});

async function run(options: readonly string[], lines: Readonly<Record<string, string>> = {}) {
  const scenario = web.scenario("again", {
    until: "40m",
    population: "{ users: 5, arrivals: { process: poisson, rate: 20/h } }",
    assistants: "[{ strategy: multi-agent, model: openai/qwen3-4b }]",
    ...lines,
  });
  const out = join(web.folder, `again-${++runs}`);
  const before = server.requests.length;
  const end = await command("run", scenario, "--no-view", "--out", out, ...options);
  const { calls, ...manifest } = readJson<{ calls: Record<string, number>; surrogate: string | null }>(
    out,
    "manifest.json",
  );
  return { ...end, out, calls, manifest, asked: server.requests.length - before };
}

function traceOf(out: string): string {
  return readFileSync(join(out, "trace.jsonl"), "utf8");
}

describe("A run from an older run's tape", () => {
  it("that changes nothing asks nobody, says so beforehand and afterwards, and replays by itself", async () => {
    const { OPENAI_API_KEY: key, OPENAI_BASE_URL: url } = process.env;
    delete process.env["OPENAI_API_KEY"];
    delete process.env["OPENAI_BASE_URL"];
    const again = await run(["--replay-from", older, "--on-miss", "error"]);
    Object.assign(process.env, { OPENAI_API_KEY: key, OPENAI_BASE_URL: url });
    expect(again.code, again.stderr).toBe(0);
    expect(again.asked).toBe(0);
    expect(again.stderr).toMatch(/Expected: about (\d+) calls .*; of these about 0 are not on the older tape/);
    expect(again.stderr).toMatch(/^(\d+) answers came from the older tape, 0 did not$/m);
    expect(traceOf(again.out)).toBe(traceOf(older));
    expect((await command("replay", again.out)).code).toBe(0);
  });

  it("that changes some queries asks for what is new only, with the trace of a run that asked for all", async () => {
    const outage = {
      interventions: "[{ at: 25m, outage: [garden.example, kitchen.example, rails.example, stars.example], for: 10m }]",
    };
    const afresh = await run([], outage);
    const again = await run(["--replay-from", older], outage);
    expect(again.code, again.stderr).toBe(0);
    expect(traceOf(again.out)).toBe(traceOf(afresh.out));
    expect(again.calls["tape"]).toBeGreaterThan(0);
    expect(again.calls["live"]).toBe(again.asked);
    expect(again.asked).toBeGreaterThan(0);
    expect(again.asked).toBeLessThan(afresh.asked / 2);
    expect((await command("replay", again.out)).code).toBe(0);
  });

  it("that edits a prompt is told beforehand that nearly all will be asked again; with error it fails and says why", async () => {
    const prompts = join(web.folder, "prompts");
    cpSync(join(packageRoot, "prompts"), prompts, { recursive: true });
    const file = join(prompts, "user-agent.web-search.sites.md");
    writeFileSync(file, readFileSync(file, "utf8").replace("best first", "the best one first"));
    const edited = await run(["--replay-from", older, "--on-miss", "error", "--prompts", prompts]);
    const [, calls, misses] = /about (\d+) calls .* about (\d+) are not/.exec(edited.stderr) as unknown as string[];
    expect(Number(misses)).toBeGreaterThan(0.3 * Number(calls));
    expect(edited.code).toBe(1);
    expect(edited.stderr).toMatch(/the tape has no answer for .*prompt/);
  });

  it("can let a surrogate answer the rest, and says in manifest, report and tape that one did", async () => {
    const outage = {
      interventions: "[{ at: 25m, outage: [garden.example, kitchen.example, rails.example, stars.example], for: 10m }]",
    };
    const again = await run(["--replay-from", older, "--on-miss", "surrogate"], outage);
    expect(again.code, again.stderr).toBe(0);
    expect(again.asked).toBe(0);
    expect(again.calls["surrogate"]).toBeGreaterThan(0);
    expect(again.manifest.surrogate).toContain("not evidence");
    expect(readFileSync(join(again.out, "report.md"), "utf8")).toContain("not evidence");
    const by = readFileSync(join(again.out, "tape.jsonl"), "utf8").match(/"by":"surrogate\/gemini-3-flash/g);
    expect(by).toHaveLength(again.calls["surrogate"] as number);
    expect((await command("replay", again.out)).code).toBe(0);
  });

  it("that is no run is bad input", async () => {
    const end = await command("run", web.scenario("x"), "--replay-from", web.folder, "--no-view");
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining("manifest.json") });
  });
});
