import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type ChatRequest, chatServer, sendJson } from "../support/chat-server.ts";
import { command } from "../support/cli.ts";
import { readJson } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
process.env["AWESIM_CACHE"] = web.cache;
process.env["OPENAI_API_KEY"] = "none";

/** What passes: each is tried again. */
const stumbles: readonly ((response: ServerResponse) => void)[] = [
  (response) => sendJson(response, 429, { error: { message: "slow down" } }, { "retry-after": "0" }),
  (response) => sendJson(response, 500, { error: { message: "oops" } }, { "retry-after": "0" }),
  (response) => sendJson(response, 503, { error: { message: "busy" } }, { "retry-after": "0" }),
  (response) => response.socket?.destroy(),
  (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
    response.write('{"choices": [{"mess');
    setTimeout(() => response.socket?.destroy(), 2);
  },
  (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end("<html>proxy</html>");
  },
];

/** A server in a bad way, each time with other timing; which answers are empty depends on the request alone. */
function badServer() {
  const tries = new Map<number, number>();
  const disturb = (_: number, response: ServerResponse, { body }: ChatRequest): true | undefined => {
    const before = tries.get(body.seed) ?? 0;
    tries.set(body.seed, before + 1);
    const stumble = stumbles[Math.floor(Math.random() * stumbles.length)];
    if (before < 2 && Math.random() < 0.06) {
      stumble?.(response);
      return true;
    }
    if (body.seed % 11 === 0) return sendJson(response, 200, { choices: [{ message: { content: "" } }] });
    return undefined;
  };
  return chatServer(disturb, () => 80 + Math.random() ** 4 * 300);
}

it("a run against a server that stumbles has the same trace over 10 timings, with up to 64 calls in flight", async () => {
  const scenario = web.scenario("stress", {
    until: "40m",
    population: "{ users: 20, arrivals: { process: poisson, rate: 60/h } }",
    assistants: "[{ strategy: multi-agent, model: openai/qwen3-4b }]",
  });
  const traces = new Set<string>();
  let most = 0;
  for (let n = 1; n <= 10; n++) {
    const server = await badServer();
    process.env["OPENAI_BASE_URL"] = server.baseUrl;
    const out = join(web.folder, `stress-${n}`);
    const ahead = n === 1 ? ["--no-prefetch"] : [];
    const end = await command("run", scenario, "--no-view", "--out", out, ...ahead);
    expect(end.code, end.stderr).toBe(0);
    const { calls } = readJson<{ calls: Record<string, number> }>(out, "manifest.json");
    expect(calls["unused"]).toBe(0);
    expect(server.requests.length).toBeGreaterThan(calls["live"] as number); // some were tried again
    traces.add(readFileSync(join(out, "trace.jsonl"), "utf8"));
    most = Math.max(most, server.mostAtOnce);
    await server.close();
    if (n === 10) expect((await command("replay", out)).code).toBe(0);
  }
  expect(traces.size).toBe(1);
  expect(most).toBeGreaterThan(48);
  expect(most).toBeLessThanOrEqual(64);
});
