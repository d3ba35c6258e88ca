import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { InputError } from "../errors.ts";
import { writeMethods } from "../report/methods.ts";
import type { ReportedRun } from "../report/run-description.ts";
import { type ReportEnd, RunReport } from "../report/run-report.ts";
import { pageInput, writeRunPage } from "../report/write-run-page.ts";
import { RunControl } from "../run/control.ts";
import { execute } from "../run/execute.ts";
import type { RunInputs } from "../run/inputs.ts";
import { type Manifest, readManifest } from "../run/manifest.ts";
import { readRunInputs, replayPorts } from "../run/replay-run.ts";
import { lockRun } from "../run/run-lock.ts";
import { TapeReader } from "../trace/tape-reader.ts";
import { readFacts } from "../trace/trace-reader.ts";
import { describeRun } from "./describe-run.ts";

interface ReportOptions {
  readonly charts?: string;
  readonly methods?: true;
}

export function reportCommand(): Command {
  return new Command("report")
    .description("rebuilds a run's report.html, report.md and tables from what the run recorded")
    .argument("<run>", "a run's directory")
    .option("--charts <dir>", "also write each chart there, as SVG and as PNG")
    .option("--methods", "also write methods.md, CITATION.cff and citation.bib: what to say of the run in a paper")
    .addHelpText("after", "\nExample:\n  awesim report runs/one-day-1 --charts figures")
    .action((run: string, options: ReportOptions) => report(run, options));
}

async function report(run: string, { charts, methods }: ReportOptions): Promise<void> {
  const manifest = readManifest(run);
  const inputs = readRunInputs(run, manifest);
  const lock = lockRun(run);
  const draft = mkdtempSync(join(run, ".report-"));
  try {
    const runReport = new RunReport(draft, describeRun(inputs, manifest.surrogate !== null), { pages: true });
    const reported = runReport.end(await hearAgain(run, manifest, inputs, runReport));
    for (const name of readdirSync(draft)) renameSync(join(draft, name), join(run, name));
    await writeRunPage(run, reported);
    if (charts !== undefined) await writeCharts(run, reported, charts);
    if (methods === true) writeMethods(run, reported);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    lock.release(manifest.status === "completed");
  }
  process.stdout.write(`Rebuilt report.html, report.md and the tables in ${run}\n`);
}

/** Tells the report every fact again: from the trace, or from the tape where the trace leaves some out. */
async function hearAgain(run: string, manifest: Manifest, inputs: RunInputs, to: RunReport): Promise<ReportEnd> {
  if (manifest.level !== "full") return executeAgain(run, manifest, inputs, to);
  let nowMs = 0;
  for (const fact of readFacts(run)) {
    to.listen(fact);
    nowMs = fact.t;
  }
  const before = figuresBefore(run);
  return {
    status: manifest.status === "running" ? "killed" : manifest.status,
    traceSha256: manifest.traceSha256 ?? null,
    nowMs: before?.untilMs ?? nowMs,
    events: before?.events ?? null,
  };
}

async function executeAgain(run: string, manifest: Manifest, inputs: RunInputs, to: RunReport): Promise<ReportEnd> {
  if (manifest.status !== "completed") {
    throw new InputError(
      `its trace leaves out what a report needs (level ${manifest.level}) and the run is not completed; resume it first`,
      { file: run },
    );
  }
  const tape = new TapeReader(run);
  try {
    const ports = replayPorts(run, manifest, tape, { live: 0, tape: 0, surrogate: 0, unused: 0 });
    const control = new RunControl();
    const level = manifest.level;
    const end = await execute({ inputs, ports, directory: null, level, control, observers: [to], onTurn: () => {} });
    if (end.error !== null) throw end.error;
    return end;
  } finally {
    tape.close();
  }
}

/** What the trace does not say of a run's end, from the figures it left; null where it was killed before. */
function figuresBefore(run: string): { readonly untilMs: number; readonly events: number | null } | null {
  const file = join(run, "metrics.json");
  if (!existsSync(file)) return null;
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { run: { untilMs: number; events: number } }).run;
  } catch {
    throw new InputError("expected JSON; delete the file to report without it", { file });
  }
}

async function writeCharts(run: string, reported: ReportedRun, directory: string): Promise<void> {
  const input = pageInput(run, reported);
  if (input === null) return;
  const { exportCharts } = await import("../report/charts/export-charts.ts");
  const { runCharts } = await import("../report/page/run-page.ts");
  const count = await exportCharts(runCharts(input), directory);
  process.stdout.write(`Wrote ${count} charts as SVG and PNG into ${directory}\n`);
}
