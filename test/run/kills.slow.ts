import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { command } from "../support/cli.ts";
import { killAndResume } from "../support/kills.ts";
import { readJson } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
process.env["AWESIM_CACHE"] = web.cache;

it("a run killed at 5 random moments loses no paid answer and ends with the same bytes", async () => {
  await killAndResume(web, 5);
});

it("a run that fills the disk fails with one line, and is resumed to the same bytes when there is room", async () => {
  const scenario = web.scenario("full", { until: "40m" });
  const [whole, full] = [join(web.folder, "roomy"), join(web.folder, "full")] as [string, string];
  expect((await command("run", scenario, "--no-view", "--out", whole)).code).toBe(0);
  // No file may grow beyond 200 KiB: the kernel refuses the rest of a write, as it does on a full disk.
  const main = join(packageRoot, "src/cli/main.ts");
  const line = `trap '' XFSZ; ulimit -f 200; exec "$0" --import tsx "$@"`;
  const limited = spawnSync("bash", ["-c", line, process.execPath, main, "run", scenario, "--no-view", "--out", full], {
    cwd: packageRoot,
    encoding: "utf8",
    env: { ...process.env, AWESIM_CACHE: web.cache },
  });
  expect(limited.status, limited.stderr).toBe(1);
  expect(limited.stderr.match(/^awesim: .*$/gm)).toEqual([expect.stringMatching(/EFBIG/)]);
  expect(readJson<{ status: string }>(full, "manifest.json").status).toBe("failed");
  const end = await command("resume", full, "--no-view");
  expect(end.code, end.stderr).toBe(0);
  for (const name of ["trace.jsonl", "queries.csv", "metrics.json"]) {
    expect(readFileSync(join(full, name)).equals(readFileSync(join(whole, name))), name).toBe(true);
  }
});
