import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { command } from "../support/cli.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const good = join(web.folder, "good");
const bad = join(web.folder, "bad");
const made = join(web.folder, "made");
let scenario: string;

beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  scenario = web.scenario("good", { until: "3m", assistants: "[{ strategy: multi-agent }]" });
  const end = await command("run", scenario, "--no-view", "--out", good);
  expect(end.code, end.stderr).toBe(0);
});

const damages: Readonly<Record<string, (file: string) => void>> = {
  empty: (file) => writeFileSync(file, ""),
  "cut short": (file) => truncateSync(file, statSync(file).size >> 1),
  "changed within": (file) => {
    const lines = readFileSync(file, "utf8").split("\n");
    const middle = lines.length >> 1;
    lines[middle] = (lines[middle] as string).replace(/[0-9]/g, "x").slice(0, -2);
    writeFileSync(file, lines.join("\n"));
  },
};

const commands: readonly string[][] = [
  ["replay", bad],
  ["inspect", bad],
  ["inspect", bad, "q000001"],
  ["report", bad],
  ["compare", good, bad, "--out", made],
  ["fit", bad, "--out", `${made}.yaml`],
  ["resume", bad, "--no-view"],
  ["watch", bad, "--no-view"],
  ["power", bad],
  ["judge-agreement", bad],
];

describe.each([
  "manifest.json",
  "trace.jsonl",
  "tape.jsonl",
  "texts.jsonl",
  "queries.csv",
  "metrics.json",
  "inputs/scenario.yaml",
  "inputs/sites.jsonl",
  "inputs/tasks/web-search.jsonl",
])("A run whose %s is damaged", (file) => {
  it.each(Object.entries(damages))("(%s) is told in one line by every command that needs it", async (_, damage) => {
    for (const args of commands) {
      rmSync(bad, { recursive: true, force: true });
      cpSync(good, bad, { recursive: true });
      damage(join(bad, file));
      const { code, stderr } = await command(...args);
      const told = stderr.split("\n").filter((line) => /^awesim: |^ +at /.test(line));
      expect([0, 1, 2], args.join(" ")).toContain(code);
      expect(told.length, `${args.join(" ")}: ${stderr}`).toBe(code === 0 ? 0 : 1);
      for (const path of [made, `${made}.yaml`]) rmSync(path, { recursive: true, force: true });
    }
  });
});
