import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, normalize } from "node:path";
import { Command } from "commander";
import { stringify, parse } from "yaml";
import { corpusHashes } from "../corpora/files.ts";
import { packageVersion } from "../package-root.ts";
import { type SweptRun, sweepCsv, sweepSummary, unvariedPoints } from "../report/sweep/sweep-tables.ts";
import { workOff } from "../run/bench/pool.ts";
import { surrogateNotice } from "../run/manifest.ts";
import { writeScenarioFiles } from "../run/run-directory.ts";
import { logRun, openSweep, type SweepRun } from "../run/sweep/log.ts";
import { readSweep, type SweepPlan, scenarioFile, setOptions } from "../run/sweep/plan.ts";
import { resolveCorpus } from "../scenario/corpus.ts";
import { type LoadedScenario, loadScenario } from "../scenario/load.ts";
import { findTask, runnableTasks } from "../tasks/registry.ts";
import { table } from "../terminal/table.ts";
import { cacheDirectory, print, wholeNumber } from "./options.ts";
import { progressLine } from "./progress-line.ts";
import type { SweepJob } from "./sweep-worker.ts";

interface SweepOptions {
  readonly workers?: number;
  readonly out?: string;
  readonly json?: true;
}

export function sweepCommand(report: (code: number) => void): Command {
  return new Command("sweep")
    .description("runs a scenario once for each combination of settings and replication; a stopped sweep goes on")
    .argument("<sweep>", "a sweep's YAML file: a scenario, and a grid of settings or a list of runs")
    .option("--workers <n>", "processes at work (default: one a processor)", wholeNumber("--workers"))
    .option("--out <dir>", "where it is written, or the same sweep to go on with (default: runs/<name>-<n>)")
    .option("--json", "print the directory and its runs as JSON instead of the summary")
    .addHelpText("after", "\nExample:\n  awesim sweep scenarios/sweeps/tool-e-k.yaml --out runs/tool-e-k")
    .action(async (file: string, options: SweepOptions) => report(await sweep(file, options)));
}

async function sweep(file: string, options: SweepOptions): Promise<number> {
  const plan = readSweep(file);
  // Every configuration is checked before anything is written.
  const loaded = plan.points.map((point) => loadScenario(plan.scenario, { set: setOptions(point) }));
  const identity = await identityOf(plan, loaded);
  const directory = options.out === undefined ? freeDirectory(plan.name) : normalize(options.out);
  const done = openSweep(directory, plan, identity);
  freeze(directory, plan, loaded);
  const { runs, interrupted } = await runAll(directory, plan, done, options.workers ?? availableParallelism());
  if (interrupted) {
    process.stderr.write(`awesim: interrupted; the same command with --out ${directory} goes on\n`);
    return 130;
  }
  tell(directory, plan, runs, loaded, options);
  return runs.some(({ status }) => status === "failed") ? 1 : 0;
}

/** All that decides the results: what is run, the code of plugins, and what the corpora hold. */
async function identityOf(plan: SweepPlan, loaded: readonly LoadedScenario[]): Promise<string> {
  const corpora = new Set(loaded.map(({ scenario }) => resolveCorpus(scenario.corpus, plan.scenario)));
  const hashes: string[] = [];
  for (const corpus of [...corpora].sort()) hashes.push((await corpusHashes(corpus)).corpusSha256);
  const runs = loaded.map(({ resolved, scenario }) => [resolved, scenario.plugins]);
  return JSON.stringify([packageVersion, plan.replications, runs, hashes]);
}

function freeDirectory(name: string): string {
  for (let n = 1; ; n++) if (!existsSync(join("runs", `${name}-${n}`))) return join("runs", `${name}-${n}`);
}

/** Writes each point's scenario as it is run, with its files. */
function freeze(directory: string, plan: SweepPlan, loaded: readonly LoadedScenario[]): void {
  for (const [index, point] of plan.points.entries()) {
    const file = scenarioFile(directory, point);
    const one = loaded[index] as LoadedScenario;
    mkdirSync(dirname(file), { recursive: true });
    writeScenarioFiles(dirname(file), one);
    const corpus = resolveCorpus(one.scenario.corpus, plan.scenario);
    writeFileSync(file, stringify({ ...(parse(one.resolved) as object), corpus }));
  }
}

async function runAll(directory: string, plan: SweepPlan, done: readonly SweepRun[], workers: number) {
  const runs = new Map(done.map((run) => [`${run.point} ${run.replication}`, run]));
  const jobs = plan.points.flatMap((point) =>
    Array.from(
      { length: plan.replications },
      (_, replication): SweepJob => ({
        point: point.id,
        replication,
        scenario: scenarioFile(directory, point),
        directory: join(directory, "runs", `${point.id}-r${replication}`),
        cacheDirectory: cacheDirectory(),
      }),
    ).filter(({ replication }) => !runs.has(`${point.id} ${replication}`)),
  );
  const total = jobs.length;
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  const line = progressLine(process.stderr);
  let ended = 0;
  const take = (run: SweepRun): void => {
    runs.set(`${run.point} ${run.replication}`, run);
    logRun(directory, run);
    line.progress(++ended, total, "runs");
  };
  // Under tsx the worker is the source; else the compiled module beside this one.
  const worker = new URL(import.meta.url.endsWith(".ts") ? "./sweep-worker.ts" : "./sweep-worker.js", import.meta.url);
  await workOff<SweepJob, SweepRun>({
    worker,
    workers,
    jobs,
    signal: stop.signal,
    onProgress: () => {},
    onResult: (_, run) => take(run),
    onCrash: ({ point, replication, scenario }, error) => {
      const { seed } = loadScenario(scenario).scenario;
      take({ point, replication, seed, status: "failed", error, traceSha256: null, figures: [] });
    },
  });
  line.end();
  process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  const inOrder = plan.points.flatMap(({ id }) =>
    Array.from({ length: plan.replications }, (_, replication) => runs.get(`${id} ${replication}`) ?? []).flat(),
  );
  return { runs: inOrder, interrupted: stop.signal.aborted };
}

function tell(
  directory: string,
  plan: SweepPlan,
  runs: readonly SweepRun[],
  loaded: readonly LoadedScenario[],
  { json }: SweepOptions,
): void {
  const points = new Map(plan.points.map((point) => [point.id, point]));
  const swept = runs.map((run): SweptRun => {
    const point = points.get(run.point) as SweepPlan["points"][number];
    const again = `awesim run ${scenarioFile(directory, point)} --replication ${run.replication}`;
    return { ...run, settings: point.settings, command: again };
  });
  writeFileSync(join(directory, "results.csv"), sweepCsv(swept, plan.varied));
  const headline = (task: string): readonly string[] =>
    runnableTasks().includes(task) ? findTask(task).headline : ["citations.effectiveSites"];
  const rows = sweepSummary(swept, plan.varied, headline);
  const titles = ["point", ...plan.varied, "task", "strategy", "model", "measure", "mean", "95 % interval", "n"];
  const failed = swept.filter(({ status }) => status === "failed");
  const usesSurrogate = loaded.some(({ scenario }) =>
    scenario.assistants.some(({ model }) => model.startsWith("surrogate/")),
  );
  const notices = [
    ...failed.map(({ point, replication, error }) => `${point}, replication ${replication}, failed: ${error}`),
    ...unvariedPoints(swept).map(
      (point) => `All replications of ${point} came out alike: they say nothing about chance.`,
    ),
    ...(usesSurrogate ? [surrogateNotice] : []),
  ];
  const summary = table(
    titles.map((title) => ({ title })),
    rows,
  );
  const told = `${summary}\n\nMeans over replications (n) with Student's t intervals.\n\n${notices.join("\n")}\n\n${directory}\n`;
  writeFileSync(join(directory, "sweep.md"), told);
  print(json, { directory, runs: swept }, told);
}
