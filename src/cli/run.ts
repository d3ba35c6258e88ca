import { resolve } from "node:path";
import { Command, Option } from "commander";
import { gatherInputs } from "../run/gather.ts";
import { openModels } from "../run/live-ports.ts";
import { newManifest } from "../run/manifest.ts";
import { createRunDirectory, requireFree } from "../run/run-directory.ts";
import { lockRun } from "../run/run-lock.ts";
import { loadScenario } from "../scenario/load.ts";
import { type TraceLevel, traceLevels } from "../trace/trace-writer.ts";
import { noLimits } from "../run/budget.ts";
import { readPrices } from "../run/prices.ts";
import { addBudgetOptions, type BudgetOptions, limitsOf } from "./budget-options.ts";
import { type OnMiss, onMisses } from "../run/on-miss.ts";
import { openOlder } from "../run/older-run.ts";
import { askBefore } from "./ask-before.ts";
import { carryOut } from "./carry-out.ts";
import { cacheDirectory, collect, wholeNumber } from "./options.ts";
import { readPace } from "./pacer.ts";
import { progressLine } from "./progress-line.ts";
import { rerunOnSave } from "./rerun-on-save.ts";

interface RunOptions extends BudgetOptions {
  readonly seed?: string;
  readonly until?: string;
  readonly set: string[];
  readonly model?: string;
  readonly strategy?: string;
  readonly replication: number;
  readonly trace: TraceLevel;
  readonly prompts?: string;
  readonly out?: string;
  readonly replayFrom?: string;
  readonly onMiss: OnMiss;
  readonly yes?: true;
  readonly compress?: true;
  readonly prefetch: boolean;
  readonly pace?: string;
  readonly watch?: true;
  readonly view: boolean;
  readonly json?: true;
}

export function runCommand(report: (code: number) => void): Command {
  const command = new Command("run")
    .description("runs a scenario: a live view on a terminal, plain progress lines elsewhere")
    .argument("<scenario>", "a scenario's YAML file")
    .option("--seed <n>", "instead of the scenario's seed")
    .option("--until <time>", "instead of the scenario's end, such as 6h")
    .option("--set <path=value>", "any other setting, such as population.users=200 (repeatable)", collect, [])
    .option("--model <model>", "for all assistants, such as surrogate/qwen3-4b or openai/<model>")
    .option("--strategy <name>", "for all assistants")
    .option(
      "--replication <n>",
      "the same scenario with other draws, as sweeps number them",
      wholeNumber("--replication"),
      0,
    )
    .addOption(new Option("--trace <level>", "what the trace file holds").choices(traceLevels).default("full"))
    .option("--prompts <dir>", "prompts of your own instead of awesim's")
    .option("--out <dir>", "the run's directory (default: runs/<name>-<n>)")
    .option("--replay-from <run>", "take the answers that another run recorded, and ask for the rest only")
    .addOption(new Option("--on-miss <what>", "what to do for the rest").choices(onMisses).default("live"))
    .option("--yes", "begin without a question, whatever the run may cost")
    .option("--compress", "compress the tape of the completed run")
    .option("--no-prefetch", "ask no endpoint ahead of the virtual clock")
    .option("--pace <speed>", "tie virtual to real time, such as 600x; + and - change it in the view")
    .option("--watch", "run the first 20 queries, and again whenever a strategy of your own is saved; keeps no run")
    .option("--no-view", "plain progress lines on a terminal too")
    .option("--json", "print the run's figures as JSON");
  return addBudgetOptions(command)
    .addHelpText("after", "\nExample:\n  awesim run scenarios/one-day.yaml --until 12h --seed 11")
    .action(async (scenario: string, options: RunOptions) => report(await run(scenario, options)));
}

async function run(file: string, options: RunOptions): Promise<number> {
  const { seed, until, model, strategy } = options;
  const load = () =>
    loadScenario(file, {
      set: options.set,
      overrides: {
        ...(seed === undefined ? {} : { seed }),
        ...(until === undefined ? {} : { until }),
        ...(model === undefined ? {} : { model }),
        ...(strategy === undefined ? {} : { strategy }),
      },
    });
  if (options.watch) {
    await rerunOnSave({ file, load, promptsDirectory: options.prompts ?? null });
    return 0;
  }
  const loaded = load();
  requireFree(options.out ?? null);
  const pace = readPace(options.pace);
  const ends = { calls: new AbortController(), tries: new AbortController() };
  const replayFrom =
    options.replayFrom === undefined ? null : { path: resolve(options.replayFrom), onMiss: options.onMiss };
  const older = openOlder(replayFrom);
  const isOffline = older !== null && older.onMiss !== "live";
  const models = await openModels(loaded, ends.calls.signal, ends.tries.signal, isOffline);
  const prices = readPrices(options.prices ?? null);
  const budget = limitsOf(options, noLimits, models, prices);
  const preparing = progressLine(process.stderr);
  const { inputs, retrieval } = await gatherInputs({
    loaded,
    promptsDirectory: options.prompts ?? null,
    cacheDirectory: cacheDirectory(),
    replication: options.replication,
    progress: preparing.progress,
  }).finally(preparing.end);
  if (!(await askBefore({ inputs, retrieval, models, older, prices, yes: options.yes === true }))) {
    retrieval.close();
    return 130;
  }
  const identities = models.map((each) => each?.identity ?? null);
  const manifest = newManifest(inputs, identities, options.trace, budget, replayFrom);
  const directory = createRunDirectory(options.out ?? null, inputs, manifest);
  const lock = lockRun(directory);
  const { compress, prefetch, view, json } = options;
  return carryOut({
    inputs,
    retrieval,
    models,
    manifest,
    directory,
    lock,
    mode: "begin",
    ends,
    older,
    prices,
    prefetch,
    view,
    pace,
    compress: compress === true,
    json: json === true,
  });
}
