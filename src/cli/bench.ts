import { existsSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, normalize, resolve } from "node:path";
import { Command, Option } from "commander";
import { tasksOf } from "../corpora/files.ts";
import { InputError } from "../errors.ts";
import { hashUniform, Streams } from "../kernel/random.ts";
import { packageRoot } from "../package-root.ts";
import { benchJson, benchResults, writeBench } from "../report/bench/bench-report.ts";
import { type BenchCell, readBenchCell } from "../report/bench/cell.ts";
import { type PreparedCell, prepareBench } from "../run/bench/bench.ts";
import { type CellRecord, openBenchDirectory, readCell } from "../run/bench/cell-files.ts";
import { type BenchPlan, cellName, isPaidCell, planCells } from "../run/bench/plan.ts";
import { workOff } from "../run/bench/pool.ts";
import { Budget, BudgetSpent, noLimits } from "../run/budget.ts";
import { readPrices } from "../run/prices.ts";
import { surrogateNotice } from "../run/manifest.ts";
import { type IndexKind, indexKinds } from "../retrieval/document-index.ts";
import { resolveCorpus } from "../scenario/corpus.ts";
import { strategyNames } from "../strategies/registry.ts";
import { runnableTasks } from "../tasks/registry.ts";
import type { BudgetAnswer, BudgetQuestion, CellJob } from "./bench-worker.ts";
import { addBudgetOptions, type BudgetOptions, limitsOf } from "./budget-options.ts";
import { messageOf } from "./message.ts";
import { cacheDirectory } from "./options.ts";
import { progressLine } from "./progress-line.ts";

interface BenchOptions extends BudgetOptions {
  readonly strategies?: string;
  readonly tasks?: string;
  readonly models: string;
  readonly backends: string;
  readonly thinking: "on" | "off" | "both";
  readonly queries: string;
  readonly worlds?: string;
  readonly replications: string;
  readonly corpus: string;
  readonly embedder: string;
  readonly judge?: string;
  readonly prompts?: string;
  readonly workers?: string;
  readonly keepRuns?: true;
  readonly calibration?: true;
  readonly out?: string;
  readonly json?: true;
}

const defaultModels = "surrogate/qwen3-4b,surrogate/gemini-3-flash";

export function benchCommand(report: (code: number) => void): Command {
  const command = new Command("bench")
    .description("runs every combination of strategies, tasks, models and indexes on the same topics and compares them")
    .option("--strategies <list>", "names, separated by commas (default: all)")
    .option("--tasks <list>", "names, separated by commas (default: all that the corpus has topics for)")
    .option("--models <list>", "models, from the weakest to the strongest", defaultModels)
    .option("--backends <list>", "indexes", "dense")
    .addOption(new Option("--thinking <which>", "models that think first").choices(["on", "off", "both"]).default("on"))
    .option("--queries <n>", "topics of each task, each once a cell", "300")
    .option("--worlds <n>", "worlds: the corpus, and others generated with its parameters (default: 1)")
    .option("--replications <n>", "runs of each cell with other draws", "1")
    .option("--corpus <name>", "a name or a path", "atlas")
    .option("--embedder <name>", "sentence, hashing or transformers/<model or directory>", "sentence")
    .option("--judge <model>", "openai/<model>: judges answers and reports; without it judged measures are null")
    .option("--prompts <dir>", "prompts of your own instead of awesim's")
    .option("--workers <n>", "processes at work (default: one a processor)")
    .option(
      "--keep-runs",
      "make each cell a run directory with inputs, trace and tape; always so where answers are paid for",
    )
    .option(
      "--calibration",
      "profiles against the figures they were fitted to; multi-agent alone and 5 worlds, unless given",
    )
    .option("--out <dir>", "where it is written, or a bench to go on with (default: runs/bench-<n>)")
    .option("--json", "print the directory and what bench.json holds as JSON instead of the page");
  return addBudgetOptions(command)
    .addHelpText(
      "after",
      "\nExample:\n  awesim bench --strategies classic-ir,multi-agent --tasks web-search --queries 100 --out runs/small-bench",
    )
    .action(async (options: BenchOptions) => report(await bench(options)));
}

async function bench(options: BenchOptions): Promise<number> {
  const corpus = resolveCorpus(options.corpus, null);
  const plan = planOf(options, corpus);
  const workers = count(options.workers, "--workers") ?? availableParallelism();
  const directory = options.out === undefined ? freeDirectory() : normalize(options.out);
  planCells(plan); // names that are none are told before anything is written
  const prices = readPrices(options.prices ?? null);
  const asked = [...plan.models, ...(plan.judge === null ? [] : [plan.judge])].map((identity) => ({ identity }));
  const budget = new Budget(limitsOf(options, noLimits, asked, prices), prices, "the same command");
  const isNew = openBenchDirectory(directory, { ...options, plan });
  const preparing = progressLine(process.stderr);
  const prepared = await prepareBench({
    plan,
    directory,
    corpus,
    embedder: options.embedder,
    promptsDirectory: options.prompts ?? join(packageRoot, "prompts"),
    cacheDirectory: cacheDirectory(),
    workers,
    progress: preparing.progress,
  })
    .catch((error: unknown) => {
      if (isNew) rmSync(directory, { recursive: true });
      throw error;
    })
    .finally(preparing.end);
  const stopped = await runCells(prepared, workers, plan.judge, budget, options);
  if (stopped !== null) {
    process.stderr.write(`awesim: ${stopped} (--out ${directory})\n`);
    return 130;
  }
  return tell(directory, prepared, plan, options);
}

function planOf(options: BenchOptions, corpus: string): BenchPlan {
  const { backends, thinking, queries, worlds, replications, calibration = false, judge = null } = options;
  const models = list(options.models, "--models") as string[];
  for (const model of models) requireModel(model, /^(openai|surrogate)\/\S+$/, "surrogate/qwen3-4b", "--models");
  if (judge !== null) requireModel(judge, /^openai\/\S+$/, "openai/<model>", "--judge");
  const inCorpus: readonly string[] = tasksOf(corpus);
  return {
    strategies: list(options.strategies, "--strategies") ?? (calibration ? ["multi-agent"] : strategyNames()),
    tasks: list(options.tasks, "--tasks") ?? runnableTasks().filter((task) => inCorpus.includes(task)),
    models,
    backends: (list(backends, "--backends") as string[]).map(indexKind),
    thinking: { on: [true], off: [false], both: [true, false] }[thinking],
    queries: count(queries, "--queries") as number,
    worlds: Array.from(
      { length: count(worlds, "--worlds", mostRuns) ?? (calibration ? 5 : 1) },
      (_, index) => index + 1,
    ),
    replications: count(replications, "--replications", mostRuns) as number,
    judge,
  };
}

function requireModel(name: string, pattern: RegExp, example: string, option: string): void {
  if (pattern.test(name)) return;
  throw new InputError(`expected a model such as ${example}, got ${JSON.stringify(name)}`, { field: option });
}

function indexKind(name: string): IndexKind {
  const kind = indexKinds.find((each) => each === name);
  if (kind !== undefined) return kind;
  throw new InputError(`expected ${indexKinds.join(", ")}, got ${JSON.stringify(name)}`, { field: "--backends" });
}

function list(text: string | undefined, option: string): string[] | null {
  if (text === undefined) return null;
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) throw new InputError("expected names, separated by commas", { field: option });
  return [...new Set(names)];
}

/** Worlds, and replications, at most: more are a slip of the hand. */
const mostRuns = 1000;

function count(text: string | undefined, option: string, most = Number.MAX_SAFE_INTEGER): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? "of at least 1" : `from 1 to ${most}`;
  throw new InputError(`expected a whole number ${range}, got ${JSON.stringify(text)}`, { field: option });
}

function freeDirectory(): string {
  for (let n = 1; ; n++) {
    const directory = join("runs", `bench-${n}`);
    if (!existsSync(directory)) return directory;
  }
}

/** Runs the cells that are not there yet; says what stopped it before its end, if something did. */
async function runCells(
  prepared: readonly PreparedCell[],
  workers: number,
  judge: string | null,
  budget: Budget,
  options: BenchOptions,
): Promise<string | null> {
  const open = prepared.filter(({ isDone }) => !isDone);
  const there = prepared.length - open.length;
  if (there > 0) process.stderr.write(`${there} of ${prepared.length} cells are there already\n`);
  const total = open.reduce((sum, { topics }) => sum + topics, 0);
  const doneOf = new Map<CellJob, number>();
  const showing = progressLine(process.stderr);
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  for (const signal of signals) process.on(signal, onSignal);
  const show = (job: CellJob, done: number): void => {
    doneOf.set(job, done);
    let sum = 0;
    for (const each of doneOf.values()) sum += each;
    showing.progress(sum, total, "queries");
  };
  let spent: string | null = null;
  const onQuestion = (question: BudgetQuestion): BudgetAnswer | null => {
    if (question.kind === "begin") {
      spent ??= refusal(budget);
      return { kind: "grant", id: question.id, spent };
    }
    budget.pay(question.model, question.usage);
    return null;
  };
  const topicsOf = new Map(open.map(({ directory, topics }) => [directory, topics]));
  await workOff<CellJob, CellRecord>({
    worker: new URL(import.meta.url.endsWith(".ts") ? "./bench-worker.ts" : "./bench-worker.js", import.meta.url),
    workers,
    jobs: open.map((cell) => jobOf(cell, judge, options)),
    onProgress: show,
    onResult: (job, { status, error }) => {
      show(job, topicsOf.get(job.directory) as number);
      // Once the budget is spent, cells end for that reason.
      if (status === "failed" && spent === null) fail(job, error ?? "it did not complete");
    },
    onCrash: (job, why) => {
      show(job, topicsOf.get(job.directory) as number);
      fail(job, why);
    },
    onQuestion: (question) => onQuestion(question as BudgetQuestion),
    goesOn: () => spent === null,
    signal: stop.signal,
  });
  showing.end();
  for (const signal of signals) process.off(signal, onSignal);
  return stop.signal.aborted ? "interrupted; the same command goes on" : spent;
}

/** Begins a call, or says why it may not begin. */
function refusal(budget: Budget): string | null {
  try {
    budget.begin();
    return null;
  } catch (error) {
    if (error instanceof BudgetSpent) return error.message;
    throw error;
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function jobOf(prepared: PreparedCell, judge: string | null, { prompts, keepRuns }: BenchOptions): CellJob {
  const { cell, identity, scenario, directory } = prepared;
  const isPaid = isPaidCell(cell, judge);
  return {
    cell,
    identity,
    scenario,
    directory,
    cacheDirectory: resolve(cacheDirectory()),
    prompts: prompts ?? null,
    // Answers that were paid for are kept.
    keepRun: keepRuns === true || isPaid,
    isPaid,
  };
}

function fail({ cell }: CellJob, why: string): void {
  process.stderr.write(`awesim: cell ${cellName(cell)} failed: ${messageOf(new Error(why))}\n`);
}

/** Writes and prints what came of all cells; exit code 1 when one failed. */
function tell(directory: string, prepared: readonly PreparedCell[], plan: BenchPlan, options: BenchOptions): number {
  const cells: BenchCell[] = [];
  for (const each of prepared) {
    const record = readCell(each.directory);
    if (record?.status === "completed") cells.push(readBenchCell(each.directory, each.cell));
  }
  const failed = prepared.length - cells.length;
  const results = benchResults(cells, {
    models: plan.models,
    drawFor,
    notices: noticesOf(cells, failed),
    calibration: options.calibration === true,
  });
  const page = writeBench(directory, results);
  const text = options.json
    ? JSON.stringify({ directory, failed, bench: benchJson(results) })
    : `${page}\nEverything is in ${directory}`;
  process.stdout.write(`${text}\n`);
  return failed === 0 ? 0 : 1;
}

function noticesOf(cells: readonly BenchCell[], failed: number): string[] {
  const usesSurrogate = cells.some(({ model }) => model?.startsWith("surrogate/") === true);
  return [
    ...(usesSurrogate ? [surrogateNotice] : []),
    ...(failed === 0 ? [] : [`${failed} cells failed and are missing here; the same command tries them again.`]),
  ];
}

/** A counter under a keyed hash: the same numbers for the same test, whatever else is in the bench. */
function drawFor(entity: string): () => number {
  const seed = new Streams(1, 0).seedFor("randomisation", entity);
  let count = 0;
  return () => hashUniform(seed, count++);
}
