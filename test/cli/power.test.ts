import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { command } from "../support/cli.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const run = join(web.folder, "paired");

beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  const scenario = web.scenario("paired", {
    until: undefined,
    population: "{ users: 5, arrivals: { process: every-topic, rate: 60/h } }",
    assistants: "[{ strategy: multi-agent, model: surrogate/qwen3-4b }, { strategy: classic-ir }]",
  });
  await command("run", scenario, "--no-view", "--out", run);
});

interface Printed {
  readonly rows: {
    readonly compared: string;
    readonly sd: number;
    readonly estimatedFrom: number;
    readonly detectable: number;
    readonly topicsForDifference: number;
  }[];
}

const printed = async (...args: string[]): Promise<Printed["rows"]> =>
  (JSON.parse((await command("power", ...args, "--json")).stdout) as Printed).rows;

test("the spread of a run's own paired differences decides what its topics detect", async () => {
  const [row, ...others] = await printed(run, "--difference", "0.1");
  expect(others).toEqual([]);
  expect(row).toMatchObject({ estimatedFrom: 35, compared: expect.stringContaining("classic-ir") as string });
  const [given] = await printed("--sd", String(row?.sd), "--topics", "35", "--difference", "0.1");
  expect(given?.detectable).toBe(row?.detectable);
  expect(given?.topicsForDifference).toBe(row?.topicsForDifference);
  const [more] = await printed(run, "--topics", "140");
  expect(more?.detectable).toBeLessThan((row?.detectable as number) / 1.9); // four times the topics, half the difference
});

test.each([
  { args: [], says: "expected a run or bench" },
  { args: ["--sd", "much"], says: "--sd" },
  { args: [run, "--measure", "beauty"], says: "no" },
  { args: [join(web.folder, "nowhere")], says: "queries.csv" },
])("bad input: $args", async ({ args, says }) => {
  const { code, stdout, stderr } = await command("power", ...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(says);
});
