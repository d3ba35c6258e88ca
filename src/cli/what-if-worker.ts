import { RunReport } from "../report/run-report.ts";
import type { RunName } from "../report/comparison/sides.ts";
import type { WorkerMessage } from "../run/bench/pool.ts";
import { RunControl } from "../run/control.ts";
import { execute } from "../run/execute.ts";
import { type Gathered, gatherInputs } from "../run/gather.ts";
import { livePorts, type Older, openModels } from "../run/live-ports.ts";
import { type CallCounts, newManifest, writeManifest } from "../run/manifest.ts";
import { createRunDirectory } from "../run/run-directory.ts";
import { loadScenario } from "../scenario/load.ts";
import { QueryFiguresCollector, type QueryFigures } from "../statistics/query-figures.ts";
import type { Fact } from "../trace/facts.ts";
import { TapeReader } from "../trace/tape-reader.ts";
import { TapeWriter } from "../trace/tape-writer.ts";
import { describeRun } from "./describe-run.ts";
import { messageOf } from "./message.ts";

/** One run of a comparison, in a process that runs one after another. */
export interface SideJob {
  readonly side: "baseline" | "variant";
  readonly replication: number;
  readonly scenario: string;
  readonly cacheDirectory: string;
  readonly prompts: string | null;
  /** Where the run is kept; null for its figures alone. */
  readonly directory: string | null;
  /** A run whose recorded answers are taken where the request is the same. */
  readonly recorded: string | null;
  /** Queries that keep the answers recorded there; null where nothing is assumed. */
  readonly kept: readonly string[] | null;
}

export interface SideResult {
  readonly run: RunName | null;
  readonly queries: readonly QueryFigures[];
  readonly calls: CallCounts;
  /** Why the run did not complete; null when it did. */
  readonly error: string | null;
}

const reportEvery = 20;

type Models = Awaited<ReturnType<typeof openModels>>;
const opened = new Map<string, Promise<Gathered & { models: Models }>>();

process.on("message", (job: SideJob) => {
  void runSide(job).then((result) => process.send?.({ kind: "result", result } satisfies WorkerMessage<SideResult>));
});
// A comparison that is gone needs no more runs.
process.on("disconnect", () => process.exit());

async function runSide(job: SideJob): Promise<SideResult> {
  const calls = { live: 0, tape: 0, surrogate: 0, unused: 0 };
  try {
    return await simulateSide(job, calls);
  } catch (error) {
    return { run: null, queries: [], calls, error: messageOf(error) };
  }
}

/** What a scenario takes in is read once for all of its replications. */
function openSide({ scenario, prompts, cacheDirectory }: SideJob): Promise<Gathered & { models: Models }> {
  const open = async () => {
    const loaded = loadScenario(scenario);
    const models = await openModels(loaded);
    const gathered = await gatherInputs({
      loaded,
      promptsDirectory: prompts,
      cacheDirectory,
      replication: 0,
      progress: () => {},
    });
    return { ...gathered, models };
  };
  const known = opened.get(scenario) ?? open();
  opened.set(scenario, known);
  return known;
}

async function simulateSide(job: SideJob, calls: CallCounts): Promise<SideResult> {
  const { replication, directory } = job;
  const { inputs: first, retrieval, models } = await openSide(job);
  const inputs = { ...first, replication };
  const { scenario } = inputs.loaded;
  const identities = models.map((each) => each?.identity ?? null);
  const manifest = newManifest(inputs, identities, "full");
  if (directory !== null) createRunDirectory(directory, inputs, manifest);
  const tape = directory === null ? null : new TapeWriter(directory);
  const older = job.recorded === null ? null : olderOf(new TapeReader(job.recorded), job.kept);
  const ports = livePorts({ inputs, retrieval, models, tape, older, calls, now: () => performance.now() });
  const report = directory === null ? null : new RunReport(directory, describeRun(inputs), { pages: false });
  const figures = new QueryFiguresCollector();
  const counts = { messages: 0, scored: 0 };
  const count = (fact: Fact): void => {
    if (fact.type === "message.sent") counts.messages++;
    if (fact.type !== "query.scored" || ++counts.scored % reportEvery !== 0) return;
    process.send?.({ kind: "progress", done: counts.scored } satisfies WorkerMessage<SideResult>);
  };
  const end = await execute({
    inputs,
    ports,
    directory,
    level: "full",
    control: new RunControl(),
    observers: [figures, { listen: count }, ...(report === null ? [] : [report])],
    onTurn: () => {},
  });
  tape?.close();
  older?.tape.close();
  report?.end(end);
  const { status, traceSha256 } = end;
  if (directory !== null) writeManifest(directory, { ...manifest, status, calls, traceSha256 });
  const { name, seed } = scenario;
  const { messages } = counts;
  const run = { scenario: name, seed, replication, traceSha256, untilMs: end.nowMs, messages, events: end.events };
  const error = status === "completed" ? null : end.error === null ? status : messageOf(end.error);
  return { run, queries: figures.end(), calls, error };
}

function olderOf(tape: TapeReader, kept: readonly string[] | null): Older {
  if (kept === null) return { tape, onMiss: "live" };
  const queries = new Set(kept);
  return { tape, onMiss: "live", keeps: (query) => queries.has(query) };
}
