import { Command, Option } from "commander";
import { InputError } from "../errors.ts";
import { RunReport } from "../report/run-report.ts";
import { RunControl } from "../run/control.ts";
import { type RunEnd, execute } from "../run/execute.ts";
import { gatherInputs } from "../run/gather.ts";
import { livePorts, openModels } from "../run/live-ports.ts";
import { newManifest, writeManifest } from "../run/manifest.ts";
import { createRunDirectory, requireFree } from "../run/run-directory.ts";
import { loadScenario } from "../scenario/load.ts";
import { TapeWriter } from "../trace/tape-writer.ts";
import { type TraceLevel, traceLevels } from "../trace/trace-writer.ts";
import { describeRun } from "./describe-run.ts";
import { messageOf } from "./message.ts";
import { cacheDirectory, collect } from "./options.ts";
import { progressLine } from "./progress-line.ts";
import { watchRun } from "./watch-run.ts";

interface RunOptions {
  readonly seed?: string;
  readonly until?: string;
  readonly set: string[];
  readonly model?: string;
  readonly strategy?: string;
  readonly trace: TraceLevel;
  readonly prompts?: string;
  readonly out?: string;
  readonly view: boolean;
  readonly json?: true;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Least real time between two syncs of the tape to the disk, in ms. */
const syncEveryMs = 500;

export function runCommand(report: (code: number) => void): Command {
  return new Command("run")
    .description("runs a scenario: a live view on a terminal, plain progress lines elsewhere")
    .argument("<scenario>", "a scenario's YAML file")
    .option("--seed <n>", "instead of the scenario's seed")
    .option("--until <time>", "instead of the scenario's end, such as 6h")
    .option("--set <path=value>", "any other setting, such as population.users=200 (repeatable)", collect, [])
    .option("--model <model>", "for all assistants, such as surrogate/qwen3-4b or openai/<model>")
    .option("--strategy <name>", "for all assistants")
    .addOption(new Option("--trace <level>", "what the trace file holds").choices(traceLevels).default("full"))
    .option("--prompts <dir>", "prompts of your own instead of awesim's")
    .option("--out <dir>", "the run's directory (default: runs/<name>-<n>)")
    .option("--no-view", "plain progress lines on a terminal too")
    .option("--json", "print the run's figures as JSON")
    .addHelpText("after", "\nExample:\n  awesim run scenarios/one-day.yaml --until 12h --seed 11")
    .action(async (scenario: string, options: RunOptions) => report(await run(scenario, options)));
}

async function run(file: string, options: RunOptions): Promise<number> {
  const { seed, until, model, strategy } = options;
  const loaded = loadScenario(file, {
    set: options.set,
    overrides: {
      ...(seed === undefined ? {} : { seed }),
      ...(until === undefined ? {} : { until }),
      ...(model === undefined ? {} : { model }),
      ...(strategy === undefined ? {} : { strategy }),
    },
  });
  requireFree(options.out ?? null);
  const ended = new AbortController();
  const models = await openModels(loaded, ended.signal);
  const preparing = progressLine(process.stderr);
  const { inputs, retrieval } = await gatherInputs({
    loaded,
    promptsDirectory: options.prompts ?? null,
    cacheDirectory: cacheDirectory(),
    replication: 0,
    progress: preparing.progress,
  }).finally(preparing.end);
  const identities = models.map((each) => each?.identity ?? null);
  const manifest = newManifest(inputs, identities, options.trace);
  const directory = createRunDirectory(options.out ?? null, inputs, manifest);
  const tape = new TapeWriter(directory);
  const calls = { ...manifest.calls };
  const ports = livePorts({ inputs, retrieval, models, tape, calls, now: () => performance.now() });
  const runReport = new RunReport(directory, describeRun(inputs));
  const control = new RunControl();
  const release = stopOnSignals(control);
  const watch = await watchRun({ inputs, control, calls, view: options.view });
  let syncedMs = 0;
  const onTurn = (): void => {
    const now = performance.now();
    if (now - syncedMs < syncEveryMs) return;
    syncedMs = now;
    tape.sync();
    runReport.flush();
  };
  const observers = [runReport, watch];
  const executed = await execute({ inputs, ports, directory, level: options.trace, control, observers, onTurn });
  ended.abort();
  await watch.close();
  retrieval.close();
  const taped = written(executed, () => tape.close());
  let report: Report | null = null;
  const end = written(taped, () => {
    report = runReport.end(taped);
  });
  writeManifest(directory, { ...manifest, status: end.status, calls, traceSha256: end.traceSha256 });
  release();
  printEnd(directory, report, end, options.json === true);
  return exitCode(end);
}

type Report = ReturnType<RunReport["end"]>;

/** A run whose answers or figures cannot be written, on a full disk for one, has failed, whatever it came to. */
function written(end: RunEnd, write: () => void): RunEnd {
  try {
    write();
    return end;
  } catch (error) {
    return { ...end, status: "failed", traceSha256: null, error: end.error ?? error };
  }
}

/** Signals end the run cleanly, and are caught until it is written; a second one does not interrupt that. */
function stopOnSignals(control: RunControl): () => void {
  const stop = (): void => control.stop();
  for (const signal of signals) process.on(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}

function printEnd(directory: string, report: Report | null, { status, error }: RunEnd, json: boolean): void {
  if (error !== null) process.stderr.write(`awesim: ${messageOf(error)}\n`);
  if (json) {
    process.stdout.write(`${JSON.stringify({ directory, status, metrics: report?.metrics ?? null })}\n`);
    return;
  }
  process.stdout.write(`\n${report?.summary ?? ""}\nEverything is in ${directory}\n`);
}

/** 0 done, 1 failed, 130 interrupted; an InputError met on the way is the user's to mend. */
function exitCode({ status, error }: RunEnd): number {
  if (error instanceof InputError) return 2;
  if (status === "completed") return 0;
  return status === "failed" ? 1 : 130;
}
