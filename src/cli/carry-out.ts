import { InputError } from "../errors.ts";
import type { ModelAnswer, ModelPort } from "../agents/ports.ts";
import { AskedAhead } from "../models/asked-ahead.ts";
import { CallGate } from "../models/call-gate.ts";
import type { Retrieval } from "../retrieval/retrieval.ts";
import type { ReportedRun } from "../report/run-description.ts";
import { RunReport } from "../report/run-report.ts";
import { writeRunPage } from "../report/write-run-page.ts";
import { Budget } from "../run/budget.ts";
import { RunControl } from "../run/control.ts";
import { type RunEnd, execute } from "../run/execute.ts";
import type { RunInputs } from "../run/inputs.ts";
import { isSurrogate, livePorts, type Older } from "../run/live-ports.ts";
import { type Manifest, writeManifest } from "../run/manifest.ts";
import { Prefetch } from "../run/prefetch.ts";
import type { Prices } from "../run/prices.ts";
import type { RunLock } from "../run/run-lock.ts";
import { compressTape, TapeReader } from "../trace/tape-reader.ts";
import { TapeWriter } from "../trace/tape-writer.ts";
import { describeRun } from "./describe-run.ts";
import { messageOf } from "./message.ts";
import { keepOnDisk } from "./keep-on-disk.ts";
import { RealTimePacer } from "./pacer.ts";
import { watchRun } from "./watch-run.ts";

/** A run that has its directory. */
export interface Begun {
  readonly inputs: RunInputs;
  readonly retrieval: Retrieval;
  readonly models: readonly (ModelPort | null)[];
  readonly manifest: Manifest;
  readonly directory: string;
  readonly lock: RunLock;
  /** `continue`: the directory holds what the run did before it was interrupted. */
  readonly mode: "begin" | "continue";
  readonly ends: Ends;
  readonly older: Older | null;
  readonly prices: Prices;
  /** Whether queries are walked ahead of the run. */
  readonly prefetch: boolean;
  /** Whether the tape is compressed once the run is completed. */
  readonly compress: boolean;
  readonly view: boolean;
  /** Virtual time in units of real time; null is as fast as it goes. */
  readonly pace: number | null;
  readonly json: boolean;
}

/** What ends the calls of endpoints. */
export interface Ends {
  readonly calls: AbortController;
  readonly tries: AbortController;
}

/** Carries a run out to its end, or until it is interrupted, and leaves trace, tape, figures and manifest. */
export async function carryOut(run: Begun): Promise<number> {
  const { inputs, retrieval, models, manifest, directory, mode, ends, older } = run;
  const { concurrency } = inputs.loaded.scenario.models.endpoint;
  const continues = mode === "continue";
  const tape = new TapeWriter(directory, mode);
  const recorded = continues ? new TapeReader(directory) : null;
  const budget = new Budget(manifest.budget, run.prices);
  if (recorded !== null) payEarlier(budget, recorded);
  const calls = { live: 0, tape: 0, surrogate: 0, unused: 0 };
  const gate = new CallGate(concurrency);
  const ahead = new AskedAhead();
  const now = () => performance.now();
  const ports = livePorts({ inputs, retrieval, models, tape, recorded, older, calls, budget, gate, ahead, now });
  const isLive = models.some((model) => model !== null && !isSurrogate(model));
  const runReport = new RunReport(directory, describeRun(inputs, manifest.surrogate !== null), { pages: true });
  const control = new RunControl(new RealTimePacer(run.pace));
  const signals = stopOnSignals(control, ends.calls);
  const cost = () => costSoFar(isLive ? budget.cost : null, manifest, run.prices);
  const watch = await watchRun({ inputs, control, calls, cost, view: run.view });
  const disk = keepOnDisk(tape, runReport);
  const prefetch =
    run.prefetch && isLive ? new Prefetch({ inputs, ports: ports.walks, gate, ahead, concurrency }) : null;
  const observers = [runReport, watch, ...(prefetch === null ? [] : [prefetch])];
  const { level } = manifest;
  const { onTurn } = disk;
  const executed = await execute({ inputs, ports, directory, level, continues, control, observers, onTurn });
  prefetch?.stop();
  await watch.close();
  await endCalls(executed, gate, ends);
  signals.release();
  retrieval.close();
  recorded?.close();
  calls.unused = ahead.unused;
  const taped = await written(executed, () => {
    disk.end();
    tape.close();
  });
  let report: ReportedRun | null = null;
  const end = await written(taped, async () => {
    report = runReport.end(taped);
    await writeRunPage(directory, report);
  });
  writeManifest(directory, {
    ...manifest,
    status: end.status,
    calls,
    cost: isLive ? budget.cost : null,
    traceSha256: end.traceSha256,
  });
  // After the manifest: a run that is completed needs its tape for reading only.
  if (run.compress && end.status === "completed") compressTape(directory);
  run.lock.release(end.status === "completed");
  if (older !== null) {
    process.stderr.write(`${calls.tape} answers came from the older tape, ${calls.live + calls.surrogate} did not\n`);
  }
  printEnd(directory, report, end, run.json);
  older?.tape.close(); // only now: what is missing there was explained from it
  return exitCode(end);
}

function costSoFar(spent: number | null, { budget }: Manifest, { currency }: Prices) {
  return spent === null ? null : { spent, limit: budget.cost, currency };
}

/** Earlier executions paid for the answers on the tape. */
function payEarlier(budget: Budget, recorded: TapeReader): void {
  for (const { port, parts, answer, realMs } of recorded.lines()) {
    const model = parts["model"];
    if (port !== "model" || typeof model !== "string" || realMs === undefined) continue; // it was free
    budget.payEarlier(model, (answer as ModelAnswer).usage);
  }
}

/** A run that is not completed is gone on with later: the answers that are under way are paid for and waited for. */
async function endCalls({ status }: RunEnd, gate: CallGate, { calls, tries }: Ends): Promise<void> {
  tries.abort();
  if (status !== "completed" && gate.underWay > 0 && !calls.signal.aborted) {
    process.stderr.write(
      `waiting for ${gate.underWay} answers that are under way; interrupt once more to let them go\n`,
    );
    await gate.close();
  }
  calls.abort();
}

/** A run whose answers or figures cannot be written, on a full disk for one, has failed, whatever it came to. */
async function written(end: RunEnd, write: () => void | Promise<void>): Promise<RunEnd> {
  try {
    await write();
    return end;
  } catch (error) {
    return { ...end, status: "failed", traceSha256: null, error: end.error ?? error };
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The first signal ends the run cleanly; a second one ends the calls that are then waited for. */
function stopOnSignals(control: RunControl, calls: AbortController): { release: () => void } {
  const stop = (): void => {
    if (control.stopRequested) calls.abort();
    control.stop();
  };
  for (const signal of signals) process.on(signal, stop);
  return {
    release: () => {
      for (const signal of signals) process.off(signal, stop);
    },
  };
}

function printEnd(directory: string, report: ReportedRun | null, { status, error }: RunEnd, json: boolean): void {
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
