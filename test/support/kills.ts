import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { parseTapeLine } from "../../src/trace/tape-line.ts";
import { type ChatServer, chatServer } from "./chat-server.ts";
import { commandProcess } from "./cli.ts";
import { readJson } from "./run-files.ts";
import type { smallWeb } from "./small-web.ts";

/** The seeds of the model's answers on a run's tape; a seed is its caller's alone. A torn last line is no answer. */
function seedsOnTape(run: string): Set<number> {
  const file = join(run, "tape.jsonl");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const answers = lines.map((line) => parseTapeLine(line)).filter((line) => line?.port === "model");
  return new Set(answers.map((line) => line?.parts["seed"] as number));
}

/**
 * Runs a scenario against a server that counts, kills it with SIGKILL at `kills` moments drawn at random, each time
 * in a process of its own, resumes it to its end, and checks that its trace is that of a run that was left alone, and
 * that no answer on the tape was asked for again.
 */
export async function killAndResume(web: ReturnType<typeof smallWeb>, kills: number): Promise<void> {
  const assistants = "[{ strategy: multi-agent, model: openai/qwen3-4b }]";
  const scenario = web.scenario("killed", { until: "15m", assistants });
  const server = await chatServer(undefined, 5);
  const env = { AWESIM_CACHE: web.cache, OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "none" };
  const calm = join(web.folder, "calm");
  try {
    const end = await commandProcess(["run", scenario, "--no-view", "--out", calm], env);
    expect(end.code, end.stderr).toBe(0);
    const trace = readFileSync(join(calm, "trace.jsonl"));
    let begun = 0;
    let left = kills;
    while (left > 0) {
      const run = join(web.folder, `killed-${++begun}`);
      left -= await killed(["run", scenario, "--no-view", "--out", run], run, server, env);
      while (left > 0 && isInterrupted(run)) left -= await killed(["resume", run, "--no-view"], run, server, env);
      const taped = seedsOnTape(run);
      const asked = server.requests.length;
      const resumed = await commandProcess(["resume", run, "--no-view"], env);
      expect(resumed.code, resumed.stderr).toBe(0);
      expectNoneAgain(server, asked, taped);
      expect(readFileSync(join(run, "trace.jsonl")).equals(trace)).toBe(true);
      rmSync(run, { recursive: true });
    }
  } finally {
    await server.close();
  }
}

function isInterrupted(run: string): boolean {
  return existsSync(run) && readJson<{ status: string }>(run, "manifest.json").status !== "completed";
}

function expectNoneAgain(server: ChatServer, from: number, taped: ReadonlySet<number>): void {
  expect(server.requests.slice(from).filter(({ body }) => taped.has(body.seed))).toEqual([]);
}

/** Starts a command and kills it; returns how many kills came before its end: 1 or 0. */
async function killed(
  args: readonly string[],
  run: string,
  server: ChatServer,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const taped = seedsOnTape(run);
  const asked = server.requests.length;
  const main = join(packageRoot, "src/cli/main.ts");
  const child = spawn(process.execPath, ["--import", "tsx", main, ...args], {
    cwd: packageRoot,
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.on("close", (_, signal) => resolve(signal)));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  // From the first request on: before it there is nothing to lose.
  while (server.requests.length === asked && !isOver) await sleep(2);
  await sleep(Math.random() * 700);
  child.kill("SIGKILL");
  const signal = await ended;
  expectNoneAgain(server, asked, taped);
  return signal === "SIGKILL" ? 1 : 0;
}
