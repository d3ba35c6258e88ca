import { mkdirSync } from "node:fs";
import { RunReport } from "../report/run-report.ts";
import { type CellRecord, clearCell, writeCell } from "../run/bench/cell-files.ts";
import type { Cell } from "../run/bench/plan.ts";
import type { WorkerMessage } from "../run/bench/pool.ts";
import { RunControl } from "../run/control.ts";
import { execute } from "../run/execute.ts";
import { gatherInputs } from "../run/gather.ts";
import { livePorts, openModels } from "../run/live-ports.ts";
import { newManifest, writeManifest } from "../run/manifest.ts";
import { createRunDirectory } from "../run/run-directory.ts";
import { loadScenario } from "../scenario/load.ts";
import type { Fact } from "../trace/facts.ts";
import { TapeWriter } from "../trace/tape-writer.ts";
import { describeRun } from "./describe-run.ts";
import { messageOf } from "./message.ts";

/** One cell to run, in a process that runs one after another. */
export interface CellJob {
  readonly cell: Cell;
  readonly identity: string;
  readonly scenario: string;
  readonly directory: string;
  readonly cacheDirectory: string;
  readonly prompts: string | null;
  /** Whether the cell becomes a run directory, with inputs, trace and tape. */
  readonly keepRun: boolean;
}

/** Scored queries between two reports of progress. */
const reportEvery = 10;

/** Least real time between two syncs of a tape to the disk, in ms. */
const syncEveryMs = 500;

process.on("message", (job: CellJob) => {
  void runCell(job).then((result) => send({ kind: "result", result }));
});
// A bench that is gone needs no more cells.
process.on("disconnect", () => process.exit());

function send(message: WorkerMessage<CellRecord>): void {
  process.send?.(message);
}

async function runCell(job: CellJob): Promise<CellRecord> {
  const started = performance.now();
  let outcome: Pick<CellRecord, "status" | "error" | "n" | "traceSha256">;
  try {
    outcome = await simulateCell(job);
  } catch (error) {
    outcome = { status: "failed", error: messageOf(error), n: 0, traceSha256: null };
  }
  const seconds = Math.round(performance.now() - started) / 1000;
  const record: CellRecord = {
    format: "awesim-bench-cell",
    version: 1,
    ...job.cell,
    identity: job.identity,
    ...outcome,
    seconds,
  };
  writeCell(job.directory, record);
  return record;
}

async function simulateCell({ cell, scenario, directory, cacheDirectory, prompts, keepRun }: CellJob) {
  clearCell(directory);
  const loaded = loadScenario(scenario);
  const ended = new AbortController();
  const models = await openModels(loaded, ended.signal);
  const { inputs, retrieval } = await gatherInputs({
    loaded,
    promptsDirectory: prompts,
    cacheDirectory,
    replication: cell.replication,
    progress: () => {},
  });
  try {
    const manifest = newManifest(
      inputs,
      models.map((each) => each?.identity ?? null),
      "full",
    );
    if (keepRun) createRunDirectory(directory, inputs, manifest);
    else mkdirSync(directory, { recursive: true });
    const tape = keepRun ? new TapeWriter(directory) : null;
    const calls = { ...manifest.calls };
    const ports = livePorts({ inputs, retrieval, models, tape, calls, now: () => performance.now() });
    const report = new RunReport(directory, describeRun(inputs), { pages: false });
    let n = 0;
    const count = (fact: Fact): void => {
      if (fact.type === "query.scored" && ++n % reportEvery === 0) send({ kind: "progress", done: n });
    };
    let syncedMs = 0;
    const onTurn = (): void => {
      const now = performance.now();
      if (tape === null || now - syncedMs < syncEveryMs) return;
      syncedMs = now;
      tape.sync();
    };
    const end = await execute({
      inputs,
      ports,
      directory: keepRun ? directory : null,
      level: "full",
      control: new RunControl(),
      observers: [report, { listen: count }],
      onTurn,
    });
    tape?.close();
    report.end(end);
    if (keepRun) writeManifest(directory, { ...manifest, status: end.status, calls, traceSha256: end.traceSha256 });
    const status: CellRecord["status"] = end.status === "completed" ? "completed" : "failed";
    return { status, error: end.error === null ? null : messageOf(end.error), n, traceSha256: end.traceSha256 };
  } finally {
    ended.abort();
    retrieval.close();
  }
}
