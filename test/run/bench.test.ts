import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { chatServer, completion, sendJson } from "../support/chat-server.ts";
import { command } from "../support/cli.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();

/** A bench of the small web: 3 cells of 6 topics. */
async function bench(out: string, ...more: string[]) {
  process.env["AWESIM_CACHE"] = web.cache;
  const options = ["--tasks", "web-search", "--strategies", "classic-ir,multi-agent", "--queries", "6"];
  const where = ["--corpus", web.corpus, "--embedder", "hashing", "--workers", "1", "--out", out];
  const end = await command("bench", ...options, ...where, "--json", ...more);
  return { ...end, directory: out };
}

interface Bench {
  readonly patterns: {
    readonly name: string;
    readonly n: number;
    readonly holds: number | null;
    readonly note: string;
  }[];
  readonly waterfall: {
    readonly model: string;
    readonly stage: string;
    readonly recall: { mean: number; n: number };
  }[];
  readonly cells: { readonly strategy: string; readonly model: string | null; readonly n: number }[];
  readonly comparisons: { readonly a: string; readonly b: string; readonly n: number }[];
  readonly published: readonly unknown[];
}

const read = (directory: string): Bench => JSON.parse(readFileSync(join(directory, "bench.json"), "utf8")) as Bench;

test("every cell asks each topic once, and a strategy without a model is one cell", async () => {
  const { code, directory, stdout } = await bench(join(web.folder, "whole"));
  expect(code).toBe(0);
  const { cells, comparisons, waterfall, published } = read(directory);
  expect(cells.map(({ strategy, model, n }) => [strategy, model, n])).toEqual([
    ["classic-ir", null, 6],
    ["multi-agent", "surrogate/qwen3-4b", 6],
    ["multi-agent", "surrogate/gemini-3-flash", 6],
  ]);
  expect(comparisons.map(({ a, b, n }) => [a, b, n])).toEqual([
    ["classic-ir", "multi-agent", 6],
    ["classic-ir", "multi-agent", 6],
  ]);
  const stages = waterfall.filter(({ model }) => model === "surrogate/qwen3-4b").slice(1);
  const shares = stages.map(({ recall }) => recall.mean);
  expect(shares).toEqual(shares.toSorted((a, b) => b - a)); // what is lost at one stage is not there at the next
  expect(published.length).toBeGreaterThan(100);
  expect(JSON.parse(stdout)).toMatchObject({ directory, failed: 0, bench: { format: "awesim-bench", version: 1 } });
});

test("a bench goes on where it stopped, to the same figures", async () => {
  const { directory } = await bench(join(web.folder, "resumed"));
  const whole = readFileSync(join(directory, "bench.json"), "utf8");
  const cell = join(directory, "cells", "web-search.multi-agent.surrogate-qwen3-4b.dense.w1.r0");
  // As a kill leaves it: tables without a record.
  rmSync(join(cell, "cell.json"));
  writeFileSync(join(cell, "queries.csv"), "query,topic\nq1");
  rmSync(join(directory, "bench.json"));
  const again = await bench(directory);
  expect(again.stderr).toContain("2 of 3 cells are there already");
  expect(readFileSync(join(directory, "bench.json"), "utf8")).toBe(whole);
});

test("a failed cell ends nothing but itself", async () => {
  const prompts = join(web.folder, "prompts");
  cpSync(join(packageRoot, "prompts"), prompts, { recursive: true });
  rmSync(join(prompts, "user-agent.web-search.sites.md"));
  const { code, stderr, directory } = await bench(join(web.folder, "failing"), "--prompts", prompts);
  expect(code).toBe(1);
  expect(stderr).toMatch(/cell web-search\.multi-agent\.[^ ]+ failed: /);
  expect(read(directory).cells.map(({ strategy }) => strategy)).toEqual(["classic-ir"]);
});

test("a bench with kept runs has runs that replay", async () => {
  const { directory } = await bench(join(web.folder, "kept"), "--keep-runs", "--models", "surrogate/qwen3-4b");
  const cell = join(directory, "cells", "web-search.multi-agent.surrogate-qwen3-4b.dense.w1.r0");
  expect(existsSync(join(cell, "trace.jsonl"))).toBe(true);
  expect((await command("replay", cell)).code).toBe(0);
});

test("what is not there is told in one line, and nothing is overwritten", async () => {
  const out = join(web.folder, "never");
  const unknown = await bench(out, "--strategies", "classic-it");
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain("classic-ir");
  expect(existsSync(out)).toBe(false);
  for (const [option, value] of [
    ["--worlds", "99999999999"],
    ["--replications", "1e9"],
    ["--queries", "-1"],
    ["--models", "gpt-4o"],
    ["--judge", "surrogate/qwen3-4b"],
    ["--max-calls", "0"],
    ["--workers", "ünï"],
  ] as const) {
    const wrong = await bench(out, option, value);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toMatch(new RegExp(`^awesim: ${option}: expected [^\\n]*${value}[^\\n]*\\n$`));
    expect(existsSync(out)).toBe(false);
  }
  const wrongTask = await bench(out, "--tasks", "question-answering");
  expect(wrongTask.code).toBe(2);
  writeFileSync(join(web.folder, "file"), "");
  expect(existsSync(out)).toBe(false);
  const file = await bench(join(web.folder, "file"));
  expect(file).toMatchObject({ code: 2, stderr: expect.stringContaining("something else of that name") as string });
  const worlds = await bench(out, "--worlds", "2");
  expect(worlds).toMatchObject({ code: 2, stderr: expect.stringContaining("was not generated") as string });
});

describe("Answers that are paid for", () => {
  const all = smallWeb({ allTasks: true });
  let asked = 0;
  const server = chatServer((_, response, { body }) => {
    asked++;
    const prompt = body.messages[0]?.content ?? "";
    if (!/You (grade|rate|check)/.test(prompt)) return undefined; // an agent's: the surrogate answers
    const verdict = prompt.includes("You grade") ? "correct" : prompt.includes("You rate") ? 7 : "supported";
    return sendJson(response, 200, completion({ content: JSON.stringify({ verdict }) }));
  });
  const judged = async (out: string, ...more: string[]) => {
    process.env["AWESIM_CACHE"] = all.cache;
    process.env["OPENAI_BASE_URL"] = (await server).baseUrl;
    const options = ["--strategies", "classic-ir,classical", "--models", "surrogate/qwen3-4b", "--queries", "3"];
    const where = ["--corpus", all.corpus, "--embedder", "hashing", "--workers", "2", "--out", join(all.folder, out)];
    return { ...(await command("bench", ...options, ...where, ...more)), directory: join(all.folder, out) };
  };
  const tasks = ["--tasks", "web-search,question-answering,deep-research"];
  afterAll(async () => {
    delete process.env["OPENAI_BASE_URL"];
    await (await server).close();
  });

  test("by a judge give the judged measures, where somebody writes", async () => {
    const { code, stderr, directory } = await judged("judged", ...tasks, "--judge", "openai/critic");
    expect(code, stderr).toBe(0);
    const { cells } = JSON.parse(readFileSync(join(directory, "bench.json"), "utf8")) as {
      cells: {
        task: string;
        strategy: string;
        judge: object | null;
        measures: Record<string, { mean: number } | null>;
      }[];
    };
    const of = (task: string, strategy: string) =>
      cells.find((cell) => cell.task === task && cell.strategy === strategy) as (typeof cells)[number];
    expect(of("question-answering", "classical").measures["accuracy"]?.mean).toBe(1);
    expect(of("deep-research", "classical").measures["kpr"]?.mean).toBe(1);
    expect(of("deep-research", "classical").judge).toMatchObject({ kind: "llm", model: "openai/critic", votes: 3 });
    expect(of("deep-research", "classic-ir").measures["kpr"]?.mean ?? null).toBeNull();
    expect(of("web-search", "classical").judge).toBeNull();
    const cell = join(directory, "cells", "deep-research.classical.surrogate-qwen3-4b.dense.w1.r0");
    const before = asked;
    expect((await command("replay", cell)).code).toBe(0);
    expect(asked).toBe(before);
  }, 60_000);

  test("end with the budget of the whole bench, and are not asked for twice", async () => {
    asked = 0;
    const whole = await judged("whole", ...tasks, "--judge", "openai/critic");
    const needed = asked;
    asked = 0;
    const first = await judged("limited", ...tasks, "--judge", "openai/critic", "--max-calls", "20");
    expect(first.code).toBe(130);
    expect(asked).toBe(20);
    expect(first.stderr.split("\n").filter((line) => line.startsWith("awesim"))).toEqual([
      expect.stringMatching(/the budget is spent: calls 20 of 20 \(--max-calls\); the same command with a larger one/),
    ]);
    const again = await judged("limited", ...tasks, "--judge", "openai/critic");
    expect(again.code, again.stderr).toBe(0);
    const figures = ({ directory }: { directory: string }) => readFileSync(join(directory, "bench.json"), "utf8");
    expect(figures(again)).toBe(figures(whole));
    expect(asked).toBe(needed);
  }, 60_000);
});
