import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ChatServer, chatServer, type Disturbance, sendJson } from "../support/chat-server.ts";
import { command } from "../support/cli.ts";
import { factsOf, readJson, readTrace } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
let server: ChatServer;
let runs = 0;

beforeAll(() => {
  process.env["AWESIM_CACHE"] = web.cache;
  process.env["OPENAI_API_KEY"] = "none";
});
afterEach(async () => {
  await server.close();
  delete process.env["OPENAI_BASE_URL"];
});

async function run(lines: Record<string, string>, options: string[], delayMs: () => number, disturb?: Disturbance) {
  server = await chatServer(disturb, delayMs);
  process.env["OPENAI_BASE_URL"] = server.baseUrl;
  const out = join(web.folder, `ahead-${++runs}`);
  const scenario = web.scenario(`ahead-${runs}`, {
    name: "ahead",
    until: "3h",
    population: "{ users: 5, arrivals: { process: poisson, rate: 8/h } }",
    assistants: "[{ strategy: multi-agent, model: openai/qwen3-4b }]",
    ...lines,
  });
  const end = await command("run", scenario, "--no-view", "--out", out, ...options);
  const { calls } = readJson<{ calls: Record<string, number> }>(out, "manifest.json");
  return { ...end, out, calls, trace: readFileSync(join(out, "trace.jsonl"), "utf8"), asked: server.requests.length };
}

describe("Asking ahead of the clock", () => {
  it("changes how many calls are in flight, and neither the trace nor how many calls there are", async () => {
    const outage = {
      interventions: "[{ at: 30m, outage: garden.example, for: 1h }, { at: 2h, remove: rails.example }]",
    };
    const inTime = await run(outage, ["--no-prefetch"], () => 5);
    expect(inTime.code, inTime.stderr).toBe(0);
    const inTimeAtOnce = server.meanAtOnce;
    await server.close();
    const ahead = await run(outage, [], () => 5);
    expect(ahead.trace).toBe(inTime.trace);
    expect(ahead.asked).toBe(inTime.asked);
    expect(ahead.calls).toEqual({ ...inTime.calls, unused: 0 });
    expect(server.meanAtOnce).toBeGreaterThan(2 * inTimeAtOnce);
    await server.close();
    expect((await command("replay", ahead.out)).code).toBe(0);
  });

  it("counts what it asked for in vain, where queries hinder each other, and the trace is the same", async () => {
    const narrow = {
      sites: "{ default: { capacity: 1, queue-limit: 0 } }",
      population: "{ users: 5, arrivals: { process: poisson, rate: 300/h } }",
      until: "8m",
    };
    const inTime = await run(narrow, ["--no-prefetch"], () => 1);
    expect(factsOf(readTrace(inTime.out), "site.answered").some(({ outcome }) => outcome === "down")).toBe(true);
    await server.close();
    const ahead = await run(narrow, [], () => 1);
    expect(ahead.trace).toBe(inTime.trace);
    expect(ahead.calls["unused"]).toBeGreaterThan(0);
    expect((ahead.calls["live"] as number) - (ahead.calls["unused"] as number)).toBeLessThanOrEqual(
      inTime.calls["live"] as number,
    );
    expect(ahead.calls["live"]).toBe(ahead.asked);
  });
});

describe("A budget", () => {
  it("of calls is kept exactly; the run ends interrupted, and a larger one completes it with the same trace", async () => {
    const whole = await run({}, [], () => 0);
    await server.close();
    const stopped = await run({}, ["--max-calls", "50"], () => 3);
    expect(stopped.code).toBe(130);
    expect(stopped.asked).toBe(50);
    expect(stopped.stderr).toMatch(/^awesim: the budget is spent: calls 50 of 50 \(--max-calls\)/m);
    const manifest = readJson<Record<string, unknown>>(stopped.out, "manifest.json");
    expect(manifest).toMatchObject({ status: "interrupted: budget", budget: { calls: 50 }, cost: null });
    expect(readFileSync(join(stopped.out, "tape.jsonl"), "utf8").split('"port":"model"')).toHaveLength(1 + 50);
    expect(readFileSync(join(stopped.out, "report.md"), "utf8")).toMatch(/Interrupted: budget/);
    expect((await command("resume", stopped.out, "--no-view")).code).toBe(130); // the same budget still holds
    expect(server.requests).toHaveLength(50);
    const resumed = await command("resume", stopped.out, "--no-view", "--max-calls", "5000");
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(server.requests).toHaveLength(whole.asked);
    expect(readFileSync(join(stopped.out, "trace.jsonl"), "utf8")).toBe(whole.trace);
  });

  it("of money needs a price, counts it, and stops near its limit; an unknown price is unknown, not zero", async () => {
    const prices = join(web.folder, "prices.yaml");
    writeFileSync(prices, "models:\n  openai/qwen3-4b: { input: 1000000, output: 0 }\n");
    const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
    const answer: Disturbance = (_, response) =>
      sendJson(response, 200, {
        choices: [{ finish_reason: "stop", message: { content: "<answer>[]</answer>" } }],
        usage,
      });
    const unpriced = await command(
      "run",
      web.scenario("x", { assistants: "[{ strategy: multi-agent, model: openai/qwen3-4b }]" }),
      "--max-cost",
      "1",
    );
    expect(unpriced.stderr).toMatch(/--max-cost: the price of openai\/qwen3-4b is not known/);
    const limited = await run({}, ["--prices", prices, "--max-cost", "30", "--no-prefetch"], () => 0, answer);
    expect(limited.code).toBe(130);
    const { cost } = readJson<{ cost: number }>(limited.out, "manifest.json");
    expect(cost).toBe(3 * limited.asked);
    expect(cost).toBeGreaterThanOrEqual(30);
    expect(cost).toBeLessThan(30 + 3 * 10); // what was under way
  });
});
