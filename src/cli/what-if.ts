import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Command, Option } from "commander";
import { InputError } from "../errors.ts";
import { packageRoot } from "../package-root.ts";
import { readSites } from "../corpora/read.ts";
import { Streams } from "../kernel/random.ts";
import { counterfactual } from "../report/comparison/counterfactual.ts";
import type { Change, Pair, RunName, Side } from "../report/comparison/sides.ts";
import { workOff } from "../run/bench/pool.ts";
import { gatherInputs } from "../run/gather.ts";
import { readManifest, surrogateNotice } from "../run/manifest.ts";
import { requireFree } from "../run/run-directory.ts";
import { changeOf } from "../run/what-if/change.ts";
import { openOut } from "../run/what-if/out.ts";
import { readSide } from "../run/what-if/recorded-side.ts";
import { makeVariants, type Variants, type Wish } from "../run/what-if/variant.ts";
import { resolveCorpus } from "../scenario/corpus.ts";
import { loadScenario } from "../scenario/load.ts";
import { sideOf } from "./compare.ts";
import { messageOf } from "./message.ts";
import { cacheDirectory, collect, positiveNumber, wholeNumber } from "./options.ts";
import { progressLine } from "./progress-line.ts";
import { tellComparison } from "./tell-comparison.ts";
import type { SideJob, SideResult } from "./what-if-worker.ts";

interface WhatIfOptions extends Wish {
  readonly from?: string;
  readonly assume?: string;
  readonly audit?: number;
  readonly replications?: number;
  readonly out?: string;
  readonly json?: true;
}

/** Replications where answers cost nothing; one where they do. */
const freeReplications = 5;

export function whatIfCommand(report: (code: number) => void): Command {
  return new Command("what-if")
    .description("runs a baseline and a variant on common random numbers and says what differs")
    .argument("[scenario]", "a scenario's YAML file (default: a small one of the shipped corpus)")
    .option("--from <run>", "instead of a scenario: a completed run is the baseline, its tape answers where it can")
    .option("--remove <site>", "a site that is not there (repeatable, as the next four)", collect, [])
    .option("--block <site>", "a site that blocks all agents", collect, [])
    .option("--outage <site>", "a site that is listed and never answers", collect, [])
    .option("--add <file>", "a new site: a YAML file { site, documents }", collect, [])
    .option("--set <path=value>", "any setting of the variant", collect, [])
    .addOption(
      new Option(
        "--assume <assumption>",
        "with --from: queries that never met the changed site keep their answers",
      ).choices(["menu-independence"]),
    )
    .option("--audit <n>", "so many of these are asked again all the same", wholeNumber("--audit"))
    .option("--replications <n>", "pairs of runs, each with draws of its own", positiveNumber("--replications"))
    .option("--out <dir>", "where it is written (default: runs/what-if-<n>)")
    .option("--json", "print the comparison as JSON")
    .addHelpText(
      "after",
      "\nExample:\n  awesim what-if scenarios/one-day.yaml --remove encyclopedia.example --replications 20",
    )
    .action(async (scenario: string | undefined, options: WhatIfOptions) => report(await whatIf(scenario, options)));
}

async function whatIf(scenario: string | undefined, options: WhatIfOptions): Promise<number> {
  requireFree(options.out ?? null);
  const source = sourceOf(scenario, options);
  const loaded = loadScenario(source.file);
  const corpus = source.corpus ?? resolveCorpus(loaded.scenario.corpus, loaded.file);
  const { remove, block, outage, add, set } = options;
  const draft = mkdtempSync(join(tmpdir(), "awesim-what-if-"));
  try {
    const sites = [...(await readSites(corpus)), ...loaded.added.map(({ site }) => site)].map(({ id }) => id);
    const variants = makeVariants(loaded, corpus, sites, { remove, block, outage, add, set }, draft);
    const all = await gatherBoth(variants, source.prompts);
    const change = changeOf(variants.baseline, variants.variant);
    const assumed = assumedOf(source, change, options);
    const directory = openOut(options.out ?? null, "what-if");
    cpSync(draft, join(directory, "scenarios"), { recursive: true });
    const { results, error } = await runSides(jobsOf(directory, variants, source, assumed, options));
    if (error !== null) {
      process.stderr.write(`awesim: ${error}\n`);
      // Runs that were paid for are kept; the others are made again as fast.
      if (isFree(variants)) rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
      return error === interrupted ? 130 : 1;
    }
    const usesSurrogate = variants.baseline.scenario.assistants.some(({ model }) => model.startsWith("surrogate/"));
    const calls = results.filter(({ job }) => job.side === "variant").map(({ result }) => result.calls);
    const pairs = pairsOf(results, source.run);
    tellComparison(
      directory,
      { baseline: source.run ?? join(directory, "baseline"), variant: join(directory, "variant") },
      {
        change,
        pairs,
        sites: all,
        tapeCoverage: source.run === null ? null : coverage(calls),
        counterfactual: assumed === null ? null : counterfactual(pairs[0] as Pair, assumed.unmet, assumed.audited, all),
        notices: [...variants.notices, ...(usesSurrogate ? [surrogateNotice] : [])],
      },
      options.json === true,
    );
    return 0;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** What is varied: a scenario, or a run that was recorded. */
interface Source {
  readonly file: string;
  /** A run that is the baseline. */
  readonly run: string | null;
  readonly prompts: string | null;
  /** Where the run's corpus is. */
  readonly corpus: string | null;
  /** Of the run. */
  readonly replication: number;
}

function sourceOf(scenario: string | undefined, { from, replications }: WhatIfOptions): Source {
  if (from === undefined) {
    const file = scenario ?? join(packageRoot, "scenarios", "what-if.yaml");
    return { file, run: null, prompts: null, corpus: null, replication: 0 };
  }
  if (scenario !== undefined) throw new InputError("give a scenario or --from, not both", { field: "--from" });
  if (replications !== undefined && replications !== 1) {
    throw new InputError("a recorded run is one replication", { field: "--replications" });
  }
  const { corpus, replication } = readManifest(from);
  return {
    file: join(from, "inputs", "scenario.yaml"),
    run: from,
    prompts: join(from, "inputs", "prompts"),
    corpus: existsSync(corpus.path) ? corpus.path : null,
    replication,
  };
}

/** Queries of the recorded run that never met the changed site, and those of them that are asked again. */
interface Assumed {
  readonly unmet: readonly string[];
  readonly audited: readonly string[];
}

function assumedOf(source: Source, change: Change, { assume, audit = 0 }: WhatIfOptions): Assumed | null {
  if (assume === undefined) {
    if (audit === 0) return null;
    throw new InputError("has no meaning without --assume menu-independence", { field: "--audit" });
  }
  if (source.run === null) throw new InputError("needs a recorded run; give --from", { field: "--assume" });
  if (change.isElsewhere || change.sites.length === 0) {
    throw new InputError("holds for changes of sites alone: --remove, --block, --outage, --add", { field: "--assume" });
  }
  const { manifest, queries } = readSide(source.run);
  const about = new Set(change.sites);
  const unmet = queries.filter(({ met }) => !met.some((site) => about.has(site))).map(({ query }) => query);
  const streams = new Streams(manifest.seed, manifest.replication);
  const lots = unmet.map((query) => ({ query, lot: streams.seedFor("audit", query) }));
  lots.sort((a, b) => a.lot - b.lot || (a.query < b.query ? -1 : 1));
  return { unmet, audited: lots.slice(0, audit).map(({ query }) => query) };
}

/** Checks both scenarios against the corpus and builds their indexes; returns the ids of the sites of both. */
async function gatherBoth({ baseline, variant }: Variants, promptsDirectory: string | null): Promise<string[]> {
  const preparing = progressLine(process.stderr);
  const ids = new Set<string>();
  try {
    for (const loaded of [baseline, variant]) {
      const { inputs, retrieval } = await gatherInputs({
        loaded,
        promptsDirectory,
        cacheDirectory: cacheDirectory(),
        replication: 0,
        progress: preparing.progress,
      });
      retrieval.close();
      for (const { id } of inputs.sites) ids.add(id);
    }
  } finally {
    preparing.end();
  }
  return [...ids];
}

/** Whether no answer of either side is paid for. */
function isFree({ baseline, variant }: Variants): boolean {
  return [baseline, variant].every(
    ({ scenario }) =>
      scenario.judge === undefined && scenario.assistants.every(({ model }) => model.startsWith("surrogate/")),
  );
}

/** The first pair is kept as run directories; so are all where answers were paid for. */
function jobsOf(
  directory: string,
  variants: Variants,
  source: Source,
  assumed: Assumed | null,
  options: WhatIfOptions,
): SideJob[] {
  const free = isFree(variants);
  const audited = new Set(assumed?.audited);
  const kept = assumed === null ? null : assumed.unmet.filter((query) => !audited.has(query));
  const replications = source.run === null ? (options.replications ?? (free ? freeReplications : 1)) : 1;
  const jobs: SideJob[] = [];
  for (let n = 0; n < replications; n++) {
    for (const side of ["baseline", "variant"] as const) {
      if (side === "baseline" && source.run !== null) continue;
      const name = n === 0 ? side : `${side}-r${n}`;
      jobs.push({
        side,
        replication: source.replication + n,
        scenario: resolve(directory, "scenarios", `${side}.yaml`),
        cacheDirectory: resolve(cacheDirectory()),
        prompts: source.prompts === null ? null : resolve(source.prompts),
        directory: n === 0 || !free ? resolve(directory, name) : null,
        recorded: source.run === null ? null : resolve(source.run),
        kept,
      });
    }
  }
  return jobs;
}

const interrupted = "stopped before its end";
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

interface Done {
  readonly job: SideJob;
  readonly result: SideResult;
}

/** Runs all sides in processes of their own. The first that fails ends the others. */
async function runSides(jobs: readonly SideJob[]): Promise<{ results: Done[]; error: string | null }> {
  const results: Done[] = [];
  let error: string | null = null;
  const stop = new AbortController();
  const fail = (why: string): void => {
    error ??= why;
    stop.abort();
  };
  const onSignal = (): void => fail(interrupted);
  for (const signal of signals) process.on(signal, onSignal);
  const showing = progressLine(process.stderr);
  showing.progress(0, jobs.length, "runs");
  await workOff<SideJob, SideResult>({
    worker: new URL(import.meta.url.endsWith(".ts") ? "./what-if-worker.ts" : "./what-if-worker.js", import.meta.url),
    workers: availableParallelism(),
    jobs,
    onProgress: () => {},
    onResult: (job, result) => {
      results.push({ job, result });
      showing.progress(results.length, jobs.length, "runs");
      if (result.error !== null) fail(`the ${job.side} of replication ${job.replication} failed: ${result.error}`);
    },
    onCrash: (job, why) =>
      fail(`the ${job.side} of replication ${job.replication} failed: ${messageOf(new Error(why))}`),
    signal: stop.signal,
  });
  showing.end();
  for (const signal of signals) process.off(signal, onSignal);
  return { results, error };
}

function pairsOf(results: readonly Done[], run: string | null): Pair[] {
  const sides = (side: SideJob["side"]) =>
    results
      .filter(({ job }) => job.side === side)
      .sort((a, b) => a.job.replication - b.job.replication)
      .map(({ result }): Side => ({ run: result.run as RunName, queries: result.queries }));
  const baselines = run === null ? sides("baseline") : [sideOf(readSide(run))];
  return sides("variant").map((variant, n) => ({ baseline: baselines[n] as Side, variant }));
}

function coverage(calls: readonly SideResult["calls"][]): number | null {
  let [taped, all] = [0, 0];
  for (const { live, tape, surrogate } of calls) {
    taped += tape;
    all += live + tape + surrogate;
  }
  return all === 0 ? null : taped / all;
}
