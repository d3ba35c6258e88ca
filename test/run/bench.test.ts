import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
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
  const wrongTask = await bench(out, "--tasks", "question-answering");
  expect(wrongTask.code).toBe(2);
  writeFileSync(join(web.folder, "file"), "");
  expect(existsSync(out)).toBe(false);
  const file = await bench(join(web.folder, "file"));
  expect(file).toMatchObject({ code: 2, stderr: expect.stringContaining("something else of that name") as string });
  const worlds = await bench(out, "--worlds", "2");
  expect(worlds).toMatchObject({ code: 2, stderr: expect.stringContaining("was not generated") as string });
});
