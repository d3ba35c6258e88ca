import { join } from "node:path";
import { Command } from "commander";
import { openModels } from "../run/live-ports.ts";
import { readManifest, writeManifest } from "../run/manifest.ts";
import { readRunInputs } from "../run/replay-run.ts";
import { checkResumable, reopenRetrieval } from "../run/resume-run.ts";
import { lockRun } from "../run/run-lock.ts";
import { loadScenario } from "../scenario/load.ts";
import { openOlder } from "../run/older-run.ts";
import { readPrices } from "../run/prices.ts";
import { addBudgetOptions, type BudgetOptions, limitsOf } from "./budget-options.ts";
import { carryOut } from "./carry-out.ts";
import { cacheDirectory } from "./options.ts";
import { progressLine } from "./progress-line.ts";

interface ResumeOptions extends BudgetOptions {
  readonly compress?: true;
  readonly prefetch: boolean;
  readonly view: boolean;
  readonly json?: true;
}

export function resumeCommand(report: (code: number) => void): Command {
  const command = new Command("resume")
    .description("goes on with a run that was killed, stopped or failed; asks for no answer that is on its tape")
    .argument("<run>", "a run's directory")
    .option("--compress", "compress the tape of the completed run")
    .option("--no-prefetch", "ask no endpoint ahead of the virtual clock")
    .option("--no-view", "plain progress lines on a terminal too")
    .option("--json", "print the run's figures as JSON");
  return addBudgetOptions(command)
    .addHelpText("after", "\nExample:\n  awesim resume runs/one-day-1")
    .action(async (run: string, options: ResumeOptions) => report(await resume(run, options)));
}

async function resume(directory: string, options: ResumeOptions): Promise<number> {
  if (readManifest(directory).status === "completed") return completed(directory);
  const lock = lockRun(directory);
  const manifest = readManifest(directory); // as it is now that nobody else writes it
  if (manifest.status === "completed") {
    lock.release(true);
    return completed(directory);
  }
  try {
    const ends = { calls: new AbortController(), tries: new AbortController() };
    const loaded = loadScenario(join(directory, "inputs", "scenario.yaml"));
    const older = openOlder(manifest.replayFrom);
    const isOffline = older !== null && older.onMiss !== "live";
    const models = await openModels(loaded, ends.calls.signal, ends.tries.signal, isOffline);
    checkResumable(
      directory,
      manifest,
      models.map((each) => each?.identity ?? null),
    );
    const prices = readPrices(options.prices ?? null);
    const budget = limitsOf(options, manifest.budget, models, prices);
    const inputs = readRunInputs(directory, manifest);
    const preparing = progressLine(process.stderr);
    const retrieval = await reopenRetrieval(inputs, cacheDirectory(), preparing.progress).finally(preparing.end);
    const begun = { ...manifest, status: "running", budget } as const;
    writeManifest(directory, begun);
    const { compress, prefetch, view, json } = options;
    return await carryOut({
      inputs,
      retrieval,
      models,
      manifest: begun,
      directory,
      lock,
      mode: "continue",
      ends,
      older,
      prices,
      prefetch,
      view,
      pace: null,
      compress: compress === true,
      json: json === true,
    });
  } finally {
    lock.release(false);
  }
}

function completed(directory: string): number {
  process.stdout.write(`${directory} is completed: there is nothing to go on with.\n`);
  return 0;
}
