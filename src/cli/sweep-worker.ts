import { mkdirSync } from "node:fs";
import { RunReport } from "../report/run-report.ts";
import type { WorkerMessage } from "../run/bench/pool.ts";
import { RunControl } from "../run/control.ts";
import { execute } from "../run/execute.ts";
import { gatherInputs } from "../run/gather.ts";
import { livePorts, openModels } from "../run/live-ports.ts";
import type { SweepFigure, SweepRun } from "../run/sweep/log.ts";
import { loadScenario } from "../scenario/load.ts";
import { describeRun } from "./describe-run.ts";
import { messageOf } from "./message.ts";

/** One run of a sweep, in a process that makes one after another. */
export interface SweepJob {
  readonly point: string;
  readonly replication: number;
  readonly scenario: string;
  /** Where its tables go. */
  readonly directory: string;
  readonly cacheDirectory: string;
}

process.on("message", (job: SweepJob) => {
  void run(job).then((result) => process.send?.({ kind: "result", result } satisfies WorkerMessage<SweepRun>));
});
// A sweep that is gone needs no more runs.
process.on("disconnect", () => process.exit());

async function run(job: SweepJob): Promise<SweepRun> {
  const { point, replication } = job;
  const loaded = loadScenario(job.scenario);
  const { seed } = loaded.scenario;
  const failed = { point, replication, seed, status: "failed", traceSha256: null, figures: [] } as const;
  const ended = new AbortController();
  try {
    const models = await openModels(loaded, ended.signal);
    const { inputs, retrieval } = await gatherInputs({
      loaded,
      promptsDirectory: null,
      cacheDirectory: job.cacheDirectory,
      replication,
      progress: () => {},
    });
    try {
      mkdirSync(job.directory, { recursive: true });
      const calls = { live: 0, tape: 0, surrogate: 0, unused: 0 };
      const ports = livePorts({ inputs, retrieval, models, tape: null, calls, now: () => performance.now() });
      const report = new RunReport(job.directory, describeRun(inputs), { pages: false });
      const end = await execute({
        inputs,
        ports,
        directory: null,
        level: "full",
        control: new RunControl(),
        observers: [report],
        onTurn: () => {},
      });
      const { metrics } = report.end(end);
      if (end.status !== "completed")
        return { ...failed, error: end.error === null ? end.status : messageOf(end.error) };
      const { traceSha256 } = end;
      return { point, replication, seed, status: "completed", error: null, traceSha256, figures: figuresOf(metrics) };
    } finally {
      retrieval.close();
    }
  } catch (error) {
    return { ...failed, error: messageOf(error) };
  } finally {
    ended.abort();
  }
}

function figuresOf({ groups, concentration }: ReturnType<RunReport["end"]>["metrics"]): SweepFigure[] {
  const ofGroups = groups.flatMap(({ task, strategy, model, measures }) =>
    Object.entries(measures).flatMap(([measure, interval]) =>
      interval === null ? [] : [{ task, strategy, model: model ?? "", measure, ...pick(interval) }],
    ),
  );
  const { citations } = concentration;
  const all = { task: "", strategy: "", model: "", low: null, high: null, n: citations.n };
  const names = ["hhiUnbiased", "effectiveSites", "gini", "top10"] as const;
  return [...ofGroups, ...names.map((name) => ({ ...all, measure: `citations.${name}`, mean: citations[name] }))];
}

function pick({ mean, low, high, n }: Pick<SweepFigure, "mean" | "low" | "high" | "n">) {
  return { mean, low, high, n };
}
