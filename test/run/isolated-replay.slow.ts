import { spawnSync } from "node:child_process";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { chatServer } from "../support/chat-server.ts";
import { command } from "../support/cli.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const canCutOff = spawnSync("unshare", ["-rn", "true"]).status === 0;
if (!canCutOff) process.stderr.write("skipped: this system lets nobody cut off the network with unshare -rn\n");

it.skipIf(!canCutOff)(
  "a live run is replayed with no network, corpus, index or key, elsewhere on the globe",
  async () => {
    process.env["AWESIM_CACHE"] = web.cache;
    const server = await chatServer();
    Object.assign(process.env, { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "none" });
    const scenario = web.scenario("live", {
      until: "20m",
      assistants: "[{ strategy: multi-agent, model: openai/qwen3-4b }, { strategy: classic-ir }]",
    });
    const run = join(web.folder, "live");
    const end = await command("run", scenario, "--no-view", "--out", run);
    expect(end.code, end.stderr).toBe(0);
    await server.close();
    renameSync(web.corpus, `${web.corpus}-gone`);
    rmSync(web.cache, { recursive: true });
    const tsx = import.meta.resolve("tsx");
    const main = join(packageRoot, "src/cli/main.ts");
    const replayed = spawnSync("unshare", ["-rn", process.execPath, "--import", tsx, main, "replay", run], {
      cwd: web.folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: web.folder, TZ: "Pacific/Chatham", LC_ALL: "tr_TR.UTF-8" },
    });
    expect(replayed.stderr).toBe("");
    expect(replayed.status).toBe(0);
    expect(replayed.stdout).toContain("byte-identical");
  },
);
