import { mkdirSync } from "node:fs";
import type { Usage } from "../agents/ports.ts";
import { CallGate } from "../models/call-gate.ts";
import { RunReport } from "../report/run-report.ts";
import { type CellRecord, clearCell, keepAnswers, putAnswersBack, writeCell } from "../run/bench/cell-files.ts";
import type { Cell } from "../run/bench/plan.ts";
import type { WorkerMessage } from "../run/bench/pool.ts";
import { BudgetSpent, type Purse } from "../run/budget.ts";
import { RunControl } from "../run/control.ts";
import { execute } from "../run/execute.ts";
import { gatherInputs } from "../run/gather.ts";
import { livePorts, openModels } from "../run/live-ports.ts";
import { newManifest, writeManifest } from "../run/manifest.ts";
import { createRunDirectory } from "../run/run-directory.ts";
import { loadScenario } from "../scenario/load.ts";
import type { Fact } from "../trace/facts.ts";
import { TapeReader } from "../trace/tape-reader.ts";
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
  /** Whether its answers are paid for: calls need a grant, and those of an interrupted cell are not made again. */
  readonly isPaid: boolean;
}

/** What a cell asks the bench: whether a call may begin; and what it tells: that one was answered. */
export type BudgetQuestion =
  | { readonly kind: "begin"; readonly id: number }
  | { readonly kind: "pay"; readonly model: string; readonly usage: Usage };

/** `spent` says why a call may not begin. */
export interface BudgetAnswer {
  readonly kind: "grant";
  readonly id: number;
  readonly spent: string | null;
}

/** Scored queries between two reports of progress. */
const reportEvery = 10;

/** Least real time between two syncs of a tape to the disk, in ms. */
const syncEveryMs = 500;

process.on("message", (message: CellJob | BudgetAnswer) => {
  if ("spent" in message) purse.granted(message);
  else void runCell(message).then((result) => send({ kind: "result", result }));
});
// A bench that is gone needs no more cells.
process.on("disconnect", () => process.exit());

/** The budget of the whole bench, which another process keeps. */
class RemotePurse implements Purse {
  readonly #waiting = new Map<number, (answer: BudgetAnswer) => void>();
  #last = 0;

  async begin(): Promise<void> {
    const id = ++this.#last;
    ask({ kind: "begin", id });
    const { spent } = await new Promise<BudgetAnswer>((resolve) => this.#waiting.set(id, resolve));
    if (spent !== null) throw new BudgetSpent(spent);
  }

  pay(model: string, usage: Usage): void {
    ask({ kind: "pay", model, usage });
  }

  granted(answer: BudgetAnswer): void {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }
}

const purse = new RemotePurse();

function ask(question: BudgetQuestion): void {
  send({ kind: "question", question });
}

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

async function simulateCell(job: CellJob) {
  const { cell, scenario, directory, cacheDirectory, prompts, keepRun, isPaid } = job;
  const wasPaid = isPaid && keepAnswers(directory);
  clearCell(directory);
  const loaded = loadScenario(scenario);
  const [ended, givenUp] = [new AbortController(), new AbortController()];
  const models = await openModels(loaded, ended.signal, givenUp.signal);
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
    if (wasPaid) putAnswersBack(directory);
    const tape = keepRun ? new TapeWriter(directory, wasPaid ? "continue" : "begin") : null;
    const recorded = wasPaid ? new TapeReader(directory) : null;
    const calls = { ...manifest.calls };
    const gate = new CallGate(loaded.scenario.models.endpoint.concurrency);
    const budget = isPaid ? purse : null;
    const now = () => performance.now();
    const ports = livePorts({ inputs, retrieval, models, tape, recorded, calls, budget, gate, now });
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
    givenUp.abort();
    if (end.status !== "completed") await gate.close(); // what is under way is paid for
    tape?.close();
    recorded?.close();
    report.end(end);
    if (keepRun) writeManifest(directory, { ...manifest, status: end.status, calls, traceSha256: end.traceSha256 });
    const status: CellRecord["status"] = end.status === "completed" ? "completed" : "failed";
    return { status, error: end.error === null ? null : messageOf(end.error), n, traceSha256: end.traceSha256 };
  } finally {
    ended.abort();
    retrieval.close();
  }
}
