import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { parseTapeLine } from "../../src/trace/tape-line.ts";
import { commandProcess } from "../support/cli.ts";
import { readJson, readTrace } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();

/** A run that would go on for years, in a process of its own and a folder of its own; it has begun. */
async function endlessRun(signal: NodeJS.Signals) {
  const scenario = web.scenario("endless", { until: "100000h" });
  const main = join(packageRoot, "src/cli/main.ts");
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), main, "run", scenario, "--no-view"], {
    cwd: web.folder,
    env: { ...process.env, AWESIM_CACHE: web.cache },
    stdio: "ignore",
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on("close", (code, by) => resolve(code ?? by)),
  );
  const runs = join(web.folder, "runs");
  const number = existsSync(join(runs, "endless-1")) ? 2 : 1;
  const directory = join(runs, `endless-${number}`);
  const trace = join(directory, "trace.jsonl");
  while (!existsSync(trace) || readFileSync(trace).length === 0) await sleep(20);
  const running = readJson<Record<string, unknown>>(directory, "manifest.json")["status"];
  child.kill(signal);
  return { directory, running, end: await ended };
}

describe("A run's process", () => {
  it("that is interrupted ends cleanly with 130; its directory is the first free one under runs/", async () => {
    const { directory, running, end } = await endlessRun("SIGINT");
    expect(running).toBe("running");
    expect(end).toBe(130);
    expect(readJson<Record<string, unknown>>(directory, "manifest.json")).toMatchObject({
      status: "interrupted: stopped",
      traceSha256: null,
    });
    const trace = readTrace(directory);
    expect(trace.footer).toBeNull();
    expect(trace.facts.map(({ seq }) => seq)).toEqual(trace.facts.map((_, index) => index));
    expect(existsSync(join(directory, "metrics.json"))).toBe(true);
  });

  it("finds its own files from any directory, and the words of a path mean nothing", async () => {
    const folder = join(web.folder, "results of 401", "ünï results");
    mkdirSync(folder, { recursive: true });
    cpSync(web.corpus, join(folder, "pages"), { recursive: true });
    const scenario = web.scenario("results", { corpus: "./pages", until: "5m" });
    cpSync(scenario, join(folder, "results.yaml"));
    const awesim = (...args: string[]) => commandProcess(args, { AWESIM_CACHE: web.cache }, folder);
    const run = await awesim("run", "results.yaml", "--no-view", "--out", "results/results");
    expect(run.code, run.stderr).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(["pages", "results", "results.yaml"]);
    const replay = await awesim("replay", "results/results");
    expect(replay.code, replay.stderr).toBe(0);
    const report = await awesim("report", "results/results");
    expect(report.code, report.stderr).toBe(0);
  }, 30_000);

  it("that is killed leaves files whose whole lines can be read, and a manifest that says it ran", async () => {
    const { directory, end } = await endlessRun("SIGKILL");
    expect(end).toBe("SIGKILL");
    expect(directory.endsWith("endless-2")).toBe(true);
    expect(readJson<Record<string, unknown>>(directory, "manifest.json")["status"]).toBe("running");
    const lines = readFileSync(join(directory, "tape.jsonl"), "utf8").split("\n").slice(1, -1);
    expect(lines.every((line) => parseTapeLine(line) !== null)).toBe(true);
  });
});
