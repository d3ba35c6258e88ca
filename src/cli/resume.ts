import { join } from "node:path";
import { Command } from "commander";
import { openModels } from "../run/live-ports.ts";
import { readManifest, writeManifest } from "../run/manifest.ts";
import { readRunInputs } from "../run/replay-run.ts";
import { checkResumable, reopenRetrieval } from "../run/resume-run.ts";
import { lockRun } from "../run/run-lock.ts";
import { loadScenario } from "../scenario/load.ts";
import { carryOut } from "./carry-out.ts";
import { cacheDirectory } from "./options.ts";
import { progressLine } from "./progress-line.ts";

interface ResumeOptions {
  readonly view: boolean;
  readonly json?: true;
}

export function resumeCommand(report: (code: number) => void): Command {
  return new Command("resume")
    .description("goes on with a run that was killed, stopped or failed; asks for no answer that is on its tape")
    .argument("<run>", "a run's directory")
    .option("--no-view", "plain progress lines on a terminal too")
    .option("--json", "print the run's figures as JSON")
    .addHelpText("after", "\nExample:\n  awesim resume runs/one-day-1")
    .action(async (run: string, options: ResumeOptions) => report(await resume(run, options)));
}

async function resume(directory: string, { view, json }: ResumeOptions): Promise<number> {
  if (readManifest(directory).status === "completed") return completed(directory);
  const lock = lockRun(directory);
  const manifest = readManifest(directory); // as it is now that nobody else writes it
  if (manifest.status === "completed") {
    lock.release(true);
    return completed(directory);
  }
  try {
    const ended = new AbortController();
    const models = await openModels(loadScenario(join(directory, "inputs", "scenario.yaml")), ended.signal);
    checkResumable(
      directory,
      manifest,
      models.map((each) => each?.identity ?? null),
    );
    const inputs = readRunInputs(directory, manifest);
    const preparing = progressLine(process.stderr);
    const retrieval = await reopenRetrieval(inputs, cacheDirectory(), preparing.progress).finally(preparing.end);
    writeManifest(directory, { ...manifest, status: "running" });
    return await carryOut({
      inputs,
      retrieval,
      models,
      manifest,
      directory,
      lock,
      mode: "continue",
      ended,
      view,
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
