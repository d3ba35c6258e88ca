import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeRun } from "../../src/cli/describe-run.ts";
import { RunReport } from "../../src/report/run-report.ts";
import { RunControl } from "../../src/run/control.ts";
import { execute } from "../../src/run/execute.ts";
import { gatherInputs } from "../../src/run/gather.ts";
import { livePorts, openModels } from "../../src/run/live-ports.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import type { Fact } from "../../src/trace/facts.ts";
import { TapeWriter } from "../../src/trace/tape-writer.ts";

/** `hashing` measures on a corpus whose sentence vectors are not made yet. */
const embedder = process.env["AWESIM_BENCH_EMBEDDER"] ?? "sentence";

/** A scenario of web searches for one profile: unlimited sites, no intervention. */
export function searchScenario(profile: string, queries: number): string {
  const perHour = 1000;
  return [
    `name: bench`,
    `seed: 5`,
    `corpus: atlas`,
    `until: ${Math.round((queries / perHour) * 3600)}s`,
    `population: { users: 500, arrivals: { process: poisson, rate: ${perHour}/h } }`,
    `assistants: [{ strategy: multi-agent, model: surrogate/${profile} }]`,
    `retrieval: { embedder: ${embedder} }`,
    ``,
  ].join("\n");
}

/** What a whole run did and cost: everything a user's run does, but for the view. Times in real seconds. */
export interface Measured {
  readonly queries: number;
  readonly turns: number;
  readonly messages: number;
  readonly facts: number;
  readonly seconds: number;
  readonly processorSeconds: number;
  /** Resident memory at its highest, in MB, sampled at every turn of the kernel. */
  readonly peakMemory: number;
  readonly traceSha256: string | null;
}

/** Runs a scenario with trace, tape and tables in a temporary directory, and measures from its first event to the report. */
export async function measureRun(scenario: string, cacheDirectory: string): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), "awesim-bench-"));
  try {
    const file = join(directory, "scenario.yaml");
    writeFileSync(file, scenario);
    const loaded = loadScenario(file);
    const models = await openModels(loaded, new AbortController().signal);
    const { inputs, retrieval } = await gatherInputs({
      loaded,
      promptsDirectory: null,
      cacheDirectory,
      replication: 0,
      progress: () => {},
    });
    const tape = new TapeWriter(directory);
    const calls = { live: 0, tape: 0, surrogate: 0, unused: 0 };
    const ports = livePorts({ inputs, retrieval, models, tape, calls, now: () => performance.now() });
    const report = new RunReport(directory, describeRun(inputs), { pages: true });
    const counts = { queries: 0, turns: 0, messages: 0, facts: 0 };
    const count = (fact: Fact): void => {
      counts.facts++;
      if (fact.type === "model.answered") counts.turns++;
      else if (fact.type === "message.sent") counts.messages++;
      else if (fact.type === "query.completed") counts.queries++;
    };
    let peakMemory = 0;
    const started = performance.now();
    const processorStart = process.cpuUsage();
    const end = await execute({
      inputs,
      ports,
      directory,
      level: "full",
      control: new RunControl(),
      observers: [report, { listen: count }],
      onTurn: () => {
        peakMemory = Math.max(peakMemory, process.memoryUsage.rss());
      },
    });
    tape.close();
    report.end(end);
    const seconds = (performance.now() - started) / 1000;
    const processor = process.cpuUsage(processorStart);
    retrieval.close();
    if (end.error !== null) throw end.error;
    statSync(join(directory, "trace.jsonl"));
    return {
      ...counts,
      seconds,
      processorSeconds: (processor.user + processor.system) / 1e6,
      peakMemory: peakMemory / 1e6,
      traceSha256: end.traceSha256,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
