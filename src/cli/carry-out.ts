import { InputError } from "../errors.ts";
import type { ModelPort } from "../agents/ports.ts";
import type { Retrieval } from "../retrieval/retrieval.ts";
import { RunReport } from "../report/run-report.ts";
import { RunControl } from "../run/control.ts";
import { type RunEnd, execute } from "../run/execute.ts";
import type { RunInputs } from "../run/inputs.ts";
import { livePorts } from "../run/live-ports.ts";
import { type Manifest, writeManifest } from "../run/manifest.ts";
import type { RunLock } from "../run/run-lock.ts";
import { TapeReader } from "../trace/tape-reader.ts";
import { TapeWriter } from "../trace/tape-writer.ts";
import { describeRun } from "./describe-run.ts";
import { messageOf } from "./message.ts";
import { keepOnDisk } from "./keep-on-disk.ts";
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
  /** Ends the calls of endpoints. */
  readonly ended: AbortController;
  readonly view: boolean;
  readonly json: boolean;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Carries a run out to its end, or until it is interrupted, and leaves trace, tape, figures and manifest. */
export async function carryOut(run: Begun): Promise<number> {
  const { inputs, retrieval, models, manifest, directory, mode, ended } = run;
  const continues = mode === "continue";
  const tape = new TapeWriter(directory, mode);
  const recorded = continues ? new TapeReader(directory) : null;
  const calls = { live: 0, tape: 0, surrogate: 0, unused: 0 };
  const ports = livePorts({ inputs, retrieval, models, tape, recorded, calls, now: () => performance.now() });
  const runReport = new RunReport(directory, describeRun(inputs));
  const control = new RunControl();
  const release = stopOnSignals(control);
  const watch = await watchRun({ inputs, control, calls, view: run.view });
  const disk = keepOnDisk(tape, runReport);
  const observers = [runReport, watch];
  const { level } = manifest;
  const executed = await execute({
    inputs,
    ports,
    directory,
    level,
    continues,
    control,
    observers,
    onTurn: disk.onTurn,
  });
  ended.abort();
  await watch.close();
  retrieval.close();
  recorded?.close();
  const taped = written(executed, () => {
    disk.end();
    tape.close();
  });
  let report: Report | null = null;
  const end = written(taped, () => {
    report = runReport.end(taped);
  });
  writeManifest(directory, { ...manifest, status: end.status, calls, traceSha256: end.traceSha256 });
  run.lock.release(end.status === "completed");
  release();
  printEnd(directory, report, end, run.json);
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
