import { Command } from "commander";
import { readManifest } from "../run/manifest.ts";
import { readRunInputs } from "../run/replay-run.ts";
import { readPace } from "./pacer.ts";
import { RecordedRun } from "./recorded-run.ts";
import { isForEyes, showRun } from "./watch-run.ts";

/** How often the trace is looked at, and how long at most it is read then, in real ms. */
const everyMs = 50;
const readingMs = 35;

interface WatchOptions {
  readonly pace?: string;
  readonly view: boolean;
}

export function watchCommand(): Command {
  return new Command("watch")
    .description("shows the live view of a run that another process is writing, or of one that is over")
    .argument("<run>", "the run's directory")
    .option("--pace <speed>", "begin at the run's beginning and tie virtual to real time, such as 600x")
    .option("--no-view", "plain progress lines on a terminal too")
    .addHelpText("after", "\nExample:\n  awesim watch runs/one-day-1")
    .action((run: string, options: WatchOptions) => watch(run, options));
}

/** Watches until q, or, where nobody can press it, until the run is over. */
async function watch(directory: string, options: WatchOptions): Promise<void> {
  const speed = readPace(options.pace);
  const manifest = readManifest(directory);
  const inputs = readRunInputs(directory, manifest);
  let isStopped = false;
  const run = new RecordedRun(directory, inputs, speed, () => (isStopped = true));
  const hasKeys = options.view && isForEyes();
  const { calls } = manifest;
  const shown = await showRun({
    inputs,
    snapshot: () => ({ ...run.statistics.snapshot(), calls }),
    site: (site) => run.statistics.site(site),
    timeline: (query) => run.statistics.timeline(query),
    control: run,
    view: options.view,
  });
  const stop = (): void => void (isStopped = true);
  process.on("SIGINT", stop);
  try {
    let lastMs = performance.now();
    while (!isStopped && (hasKeys || !run.over)) {
      const nowMs = performance.now();
      run.read(nowMs - lastMs, readingMs, () => performance.now());
      lastMs = nowMs;
      await new Promise((resolve) => void setTimeout(resolve, everyMs));
    }
  } finally {
    process.off("SIGINT", stop);
    await shown.close();
    run.close();
  }
}
