import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { setOptions, readSweep } from "../../src/run/sweep/plan.ts";
import { command } from "../support/cli.ts";
import { readCsv, traceHash } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const inWeb = (name: string) => join(web.folder, name);

function sweepFile(name: string, body: string): string {
  const file = inWeb(`${name}.yaml`);
  writeFileSync(file, body);
  return file;
}

let grid: string;
let scenario: string;
beforeAll(() => {
  process.env["AWESIM_CACHE"] = web.cache;
  scenario = web.scenario("swept");
  grid = sweepFile(
    "grid",
    `name: grid
scenario: ${scenario}
replications: 2
grid:
  agents.turns: [2, 15]
  retrieval.documents-per-site: { from: 1, to: 2 }
runs:
  - { name: plain, set: { seed: 5 } }
`,
  );
});

async function sweep(file: string, out: string) {
  const end = await command("sweep", file, "--workers", "2", "--out", inWeb(out));
  return { ...end, results: () => readFileSync(join(inWeb(out), "results.csv"), "utf8").replaceAll(inWeb(out), "") };
}

describe("A sweep's file", () => {
  it("makes every combination, the last path varying fastest, after the runs that have names", () => {
    const { points, varied } = readSweep(grid);
    expect(points.map(({ id }) => id)).toEqual(["plain", "p001", "p002", "p003", "p004"]);
    expect(points.slice(1).map((point) => setOptions(point))).toEqual(
      [
        [2, 1],
        [2, 2],
        [15, 1],
        [15, 2],
      ].map(([turns, documents]) => [`agents.turns=${turns}`, `retrieval.documents-per-site=${documents}`]),
    );
    expect(varied).toEqual(["seed", "agents.turns", "retrieval.documents-per-site"]);
  });

  it.each(["protocol", "tool-e-k"])("that comes with awesim is read, and its scenarios load: %s", (name) => {
    const plan = readSweep(join(packageRoot, "scenarios", "sweeps", `${name}.yaml`));
    for (const point of plan.points) loadScenario(plan.scenario, { set: setOptions(point) });
    expect(plan.points.length).toBeGreaterThan(5);
  });

  it.each([
    ["name: x\n", "scenario"],
    ["name: x\nscenario: a.yaml\n", "a grid, or a list of runs"],
    ["name: X\nscenario: a.yaml\ngrid: { a: [1] }\n", "a name of lower-case letters"],
    ["name: x\nscenario: a.yaml\ngrid: { a: { from: 2, to: 1 } }\n", "to is below from"],
    ["name: x\nscenario: a.yaml\ngrid: { a: { from: 1, to: 1e9, step: 0.5 } }\n", "runs"],
    ["name: [\n", "is not YAML"],
  ])("that is wrong is refused in one line: %j", async (body, words) => {
    const end = await sweep(sweepFile("wrong", body), "wrong-out");
    expect(end.code).toBe(2);
    expect(end.stderr.trim().split("\n")).toHaveLength(1);
    expect(end.stderr).toContain(words);
  });

  it("with a setting that is none is refused before anything runs", async () => {
    const body = `name: x\nscenario: ${scenario}\ngrid: { agents.turn: [1] }\n`;
    const end = await sweep(sweepFile("typo", body), "typo-out");
    expect(end.code).toBe(2);
    expect(end.stderr).toContain("agents.turn");
    expect(() => readFileSync(join(inWeb("typo-out"), "sweep.json"))).toThrow();
  });
});

describe("A sweep", () => {
  it("that was killed goes on to the same results, and its commands run single runs once more", async () => {
    const whole = await sweep(grid, "whole");
    expect(whole.code, whole.stderr).toBe(0);
    const rows = readCsv(inWeb("whole"), "results.csv");
    const runs = new Map(rows.map((row) => [`${row["point"]} ${row["replication"]}`, row]));
    expect(runs.size).toBe(10);
    expect(new Set([...runs.values()].map(({ traceSha256 }) => traceSha256)).size).toBe(10);
    expect(whole.stdout).toContain("Student's t");

    await sweep(grid, "killed");
    const log = join(inWeb("killed"), "runs.jsonl");
    const lines = readFileSync(log, "utf8").split("\n");
    writeFileSync(log, `${lines.slice(0, 4).join("\n")}\n${(lines[5] as string).slice(0, 40)}`);
    rmSync(join(inWeb("killed"), "results.csv"));
    const resumed = await sweep(grid, "killed");
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.results()).toBe(whole.results());

    const row = runs.get("p003 1") as Record<string, string>;
    const words = (row["command"] as string).split(" ").slice(1);
    const again = await command(...words, "--no-view", "--out", inWeb("again"));
    expect(again.code, again.stderr).toBe(0);
    expect(traceHash(inWeb("again"))).toBe(row["traceSha256"]);
  });

  it("that was killed before it had begun begins anew", async () => {
    mkdirSync(inWeb("unborn"));
    writeFileSync(join(inWeb("unborn"), "sweep.json.draft"), '{"format": "awe');
    const body = `name: one\nscenario: ${scenario}\ngrid: { seed: [9] }\n`;
    const end = await sweep(sweepFile("one", body), "unborn");
    expect(end.code, end.stderr).toBe(0);
  });

  it("keeps a directory of another sweep as it is", async () => {
    const body = `name: other\nscenario: ${scenario}\nreplications: 1\ngrid: { seed: [9] }\n`;
    const end = await sweep(sweepFile("other", body), "whole");
    expect(end.code).toBe(2);
    expect(end.stderr).toContain("another sweep");
  });
});
