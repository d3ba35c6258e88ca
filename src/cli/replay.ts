import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { InputError } from "../errors.ts";
import { TapeMiss } from "../models/replaying.ts";
import { RunReport } from "../report/run-report.ts";
import { writeRunPage } from "../report/write-run-page.ts";
import { firstDifference } from "../run/compare-traces.ts";
import { RunControl } from "../run/control.ts";
import { execute } from "../run/execute.ts";
import { explainDifference } from "../run/explain-difference.ts";
import { newManifest, readManifest, writeManifest } from "../run/manifest.ts";
import { readRunInputs, replayPorts } from "../run/replay-run.ts";
import { createRunDirectory } from "../run/run-directory.ts";
import { tapeFilesOf, TapeReader } from "../trace/tape-reader.ts";
import { describeRun } from "./describe-run.ts";

export function replayCommand(report: (code: number) => void): Command {
  return new Command("replay")
    .description("re-executes a run from its tape and inputs alone and compares the traces byte for byte")
    .argument("<run>", "a run's directory")
    .option("--out <dir>", "keep the re-executed run there")
    .addHelpText("after", "\nExample:\n  awesim replay runs/one-day-1")
    .action(async (run: string, options: { out?: string }) => report(await replay(run, options.out ?? null)));
}

async function replay(run: string, out: string | null): Promise<number> {
  const manifest = readManifest(run);
  const recorded = join(run, "trace.jsonl");
  if (manifest.status !== "completed") {
    throw new InputError(`expected a completed run; its status is ${manifest.status}`, { file: run });
  }
  if (!existsSync(recorded)) throw new InputError("expected the run's trace; it is not there", { file: recorded });
  const inputs = readRunInputs(run, manifest);
  const tape = new TapeReader(run);
  const calls = { ...manifest.calls, live: 0, tape: 0, surrogate: 0 };
  const ports = replayPorts(run, manifest, tape, calls);
  const fresh = newManifest(inputs, manifest.models, manifest.level);
  const directory =
    out === null ? mkdtempSync(join(tmpdir(), "awesim-replay-")) : createRunDirectory(out, inputs, fresh);
  if (out !== null) for (const file of tapeFilesOf(run)) copyFileSync(join(run, file), join(out, file));
  try {
    const runReport = out === null ? null : new RunReport(directory, describeRun(inputs), { pages: true });
    const end = await execute({
      inputs,
      ports,
      directory,
      level: manifest.level,
      control: new RunControl(),
      observers: runReport === null ? [] : [runReport],
      onTurn: () => {},
    });
    if (runReport !== null) await writeRunPage(directory, runReport.end(end));
    if (out !== null) writeManifest(directory, { ...fresh, status: end.status, calls, traceSha256: end.traceSha256 });
    if (end.error instanceof TapeMiss)
      return failed(`the replay asked for what is not on the tape: ${end.error.message}`);
    if (end.error !== null) throw end.error;
    const difference = firstDifference(recorded, join(directory, "trace.jsonl"));
    if (difference !== null) return failed(explainDifference(difference, tape));
    if (manifest.traceSha256 !== end.traceSha256) {
      return failed(`the traces are equal, but the manifest has another hash: ${manifest.traceSha256}`);
    }
    process.stdout.write(`Replayed ${run}: the trace is byte-identical (${end.traceSha256}).\n`);
    return 0;
  } finally {
    tape.close();
    if (out === null) rmSync(directory, { recursive: true, force: true });
  }
}

function failed(message: string): number {
  process.stderr.write(`awesim: ${message}\n`);
  return 1;
}
