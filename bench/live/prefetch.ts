/**
 * How well real calls overlap: `npm run bench:live`. A server in this process answers each call after 200 ms; runs are
 * processes of their own, with at most 64 calls in flight. Prints the time over the ideal one (calls / 64 x 200 ms) of
 * 1,000 queries of one call each, and the calls in flight, on average over the run, of a day of 960 multi-agent
 * queries; each with and without asking ahead.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../src/package-root.ts";
import { chatServer } from "../../test/support/chat-server.ts";

const limit = 64;
const delayMs = 200;
const folder = mkdtempSync(join(tmpdir(), "awesim-bench-live-"));

function scenario(name: string, strategy: string, arrivals: string): string {
  const file = join(folder, `${name}.yaml`);
  const lines = [
    `name: ${name}`,
    `corpus: atlas`,
    `until: 24h`,
    `population: { users: 500, arrivals: ${arrivals} }`,
    `assistants: [{ strategy: ${strategy}, model: openai/qwen3-4b }]`,
    `models: { endpoint: { concurrency: ${limit} } }`,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

async function measure(file: string, out: string, ...options: string[]): Promise<string> {
  const server = await chatServer(undefined, delayMs);
  const args = [...process.execArgv, join(packageRoot, "src/cli/main.ts"), "run", file, "--no-view", "--out", out];
  const env = { ...process.env, OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "none" };
  await new Promise((resolve) =>
    spawn(process.execPath, [...args, ...options], { env, stdio: "ignore" }).on("close", resolve),
  );
  const calls = server.requests.length;
  const idealMs = (calls / limit) * delayMs;
  const { traceSha256, calls: counts } = JSON.parse(readFileSync(join(out, "manifest.json"), "utf8")) as {
    traceSha256: string;
    calls: { unused: number };
  };
  const ratio = (server.servedMs / idealMs).toFixed(2);
  const figures = [
    `${calls} calls`,
    `${(server.servedMs / 1000).toFixed(1)} s from the first to the last`,
    `${ratio} of the ideal time`,
    `${server.meanAtOnce.toFixed(1)} in flight on average`,
    `${counts.unused} unused`,
    `trace ${traceSha256.slice(0, 8)}`,
  ];
  await server.close();
  return figures.join(", ");
}

const times = Array.from({ length: 1000 }, (_, n) => `${n}m`);
const one = scenario("one-call", "closed-book", `{ process: trace, times: [${times.join(", ")}] }`);
const day = scenario("day", "multi-agent", "{ process: poisson, rate: 40/h }");
try {
  for (const [name, file] of [
    ["1,000 queries of one call", one],
    ["a day of multi-agent queries", day],
  ] as const) {
    process.stdout.write(`${name}: ${await measure(file, join(folder, `${name} ahead`))}\n`);
    if (process.argv[2] === "--both") {
      const figures = await measure(file, join(folder, `${name} in time`), "--no-prefetch");
      process.stdout.write(`${name}, asking nothing ahead: ${figures}\n`);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
