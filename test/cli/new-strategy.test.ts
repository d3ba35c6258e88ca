import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { command } from "../support/cli.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const folder = join(web.folder, "new");
let printed: string;

beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  const end = await command("new", "strategy", "my-own", "--out", folder);
  expect(end.code, end.stderr).toBe(0);
  printed = end.stdout;
  // On the small web instead of atlas, to be quick.
  const file = join(folder, "my-own.yaml");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("corpus: atlas", `corpus: ${web.corpus}\nretrieval: { embedder: hashing }`));
});

describe("awesim new strategy", () => {
  it("writes a strategy that runs with the command it prints", async () => {
    const [, scenario] = /npx awesim run (\S+)/.exec(printed) as unknown as [string, string];
    const end = await command("run", scenario, "--no-view", "--json", "--out", join(web.folder, "run"));
    expect(end.code, end.stderr).toBe(0);
    const { metrics } = JSON.parse(end.stdout.trim().split("\n").at(-1) as string) as { metrics: never };
    expect(metrics).toMatchObject({ queries: { arrived: 20, failed: 0 }, groups: [{ strategy: "my-own" }] });
    const replay = await command("replay", join(web.folder, "run"));
    expect(replay.code, replay.stderr).toBe(0);
  });

  it("writes a test that passes with the command it prints", () => {
    const [, file] = /npx vitest run (\S+)/.exec(printed) as unknown as [string, string];
    // As in a project that has awesim and vitest installed.
    symlinkSync(join(packageRoot, "node_modules"), join(folder, "node_modules"));
    const alias = { awesim: join(packageRoot, "src/index.ts") };
    writeFileSync(join(folder, "vitest.config.js"), `export default { resolve: { alias: ${JSON.stringify(alias)} } };`);
    const vitest = join(packageRoot, "node_modules/vitest/vitest.mjs");
    const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, "run", "--root", folder, file], {
      encoding: "utf8",
      env: { ...process.env, AWESIM_CACHE: web.cache },
    });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/1 passed/);
  });

  it("overwrites nothing, and takes no name that is taken or none", async () => {
    const cases = [
      ["my-own", /is there already/],
      ["tool-e", /a strategy of awesim/],
      ["My Own", /expected a name of lower-case letters/],
      ["../own", /expected a name of lower-case letters/],
    ] as const;
    for (const [name, message] of cases) {
      const end = await command("new", "strategy", name, "--out", folder);
      expect(end).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
    }
  });
});
