import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { command } from "../support/cli.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const plugin = join(web.folder, "mine.ts");

let child: ReturnType<typeof spawn> | undefined;
afterEach(() => {
  child?.kill("SIGKILL");
});

test("a strategy that is saved is run again on 20 queries; an error is said and the next save awaited", async () => {
  await command("new", "strategy", "mine", "--out", web.folder);
  const source = readFileSync(plugin, "utf8");
  const scenario = web.scenario("mine", {
    plugins: "[./mine.ts]",
    population: "{ arrivals: { process: every-topic, rate: 600/h } }",
    assistants: "[{ strategy: mine, model: surrogate/qwen3-4b }]",
    until: undefined,
  });
  const main = join(packageRoot, "src/cli/main.ts");
  const args = ["--import", import.meta.resolve("tsx"), main, "run", scenario, "--watch"];
  const process_ = spawn(process.execPath, args, { cwd: web.folder, env: { ...process.env, AWESIM_CACHE: web.cache } });
  child = process_;
  let printed = "";
  process_.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString("utf8")));
  process_.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString("utf8")));
  const until = async (pattern: RegExp): Promise<void> => {
    for (let i = 0; i < 600 && !pattern.test(printed); i++) await sleep(50);
    expect(printed).toMatch(pattern);
  };
  const runs = (): number => printed.split("20 queries in ").length - 1;

  await until(/20 queries in [\d.]+ s/);
  expect(printed).toMatch(/mine: mean ndcg@3 [\d.]+, n 20/);

  writeFileSync(plugin, source.replace("readSearch(payload", "readSearch(payload,,"));
  await until(/cannot be loaded/);
  expect(runs()).toBe(1);

  writeFileSync(plugin, source.replace('if (payload === "") return null;', "if (payload.length > 0) return null;"));
  await until(/20 queries in [\s\S]*20 queries in/);
  expect(printed).toMatch(/mean ndcg@3 0\.000, before [\d.]+, n 20/);
  expect(printed).toContain("changed");

  process_.kill("SIGINT");
  expect(await new Promise((resolve) => process_.on("close", resolve))).toBe(0);
});

test("a scenario without plugins has nothing to watch", async () => {
  const { code, stderr } = await command("run", web.scenario("none"), "--watch");
  expect(code).toBe(2);
  expect(stderr).toMatch(/expected a strategy of your own to watch; the scenario has no plugins/);
});
