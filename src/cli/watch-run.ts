import { type LiveSnapshot, LiveStatistics } from "../statistics/live.ts";
import type { RunControl } from "../run/control.ts";
import type { RunObserver } from "../run/execute.ts";
import type { RunInputs } from "../run/inputs.ts";
import type { CallCounts } from "../run/manifest.ts";
import type { Control, View, ViewPages } from "../terminal/control.ts";
import { showPlain } from "../terminal/plain.ts";

export interface WatchOptions {
  readonly inputs: RunInputs;
  readonly control: RunControl;
  readonly calls: CallCounts;
  /** What endpoints cost so far; null where that is not known. */
  readonly cost: () => LiveSnapshot["cost"];
  /** False for plain lines on a terminal too. */
  readonly view: boolean;
}

/** Shows a run while it goes: the live view on a terminal, plain lines elsewhere. */
export async function watchRun(options: WatchOptions): Promise<RunObserver & { close(): Promise<void> }> {
  const { inputs, control, calls, cost, view } = options;
  const statistics = statisticsOf(inputs);
  const snapshot = () => ({ ...statistics.snapshot(), calls, cost: cost() });
  const shown = await showRun({
    inputs,
    snapshot,
    site: statistics.site,
    timeline: statistics.timeline,
    control,
    view,
  });
  return { listen: statistics.listen, close: () => shown.close() };
}

/** The live view on a terminal, plain lines elsewhere. */
export async function showRun({
  inputs,
  snapshot,
  site,
  timeline,
  control,
  view,
}: ViewPages & {
  readonly inputs: RunInputs;
  readonly snapshot: () => LiveSnapshot;
  readonly control: Control;
  readonly view: boolean;
}): Promise<View> {
  const { name: title } = inputs.loaded.scenario;
  const shared = { title, statistics: snapshot, control, clock: () => performance.now() };
  if (!view || !isForEyes()) return showPlain({ ...shared, stderr: process.stderr });
  const { showView } = await import("../terminal/view.ts");
  return showView({ ...shared, site, timeline, stdout: process.stdout, stdin: process.stdin });
}

/** The statistics of a live view, before the run's first fact. */
export function statisticsOf(inputs: RunInputs): LiveStatistics {
  const { scenario } = inputs.loaded;
  return new LiveStatistics({
    untilMs: scenario.untilMs ?? null,
    expectedQueries: expectedQueries(inputs),
    windowMs: scenario.statistics.windowMs,
  });
}

/** A terminal that somebody looks at; on a build server Ink would write the last frame only. */
export function isForEyes(): boolean {
  return process.stdout.isTTY === true && process.stdin.isTTY === true && process.env["CI"] === undefined;
}

/** How many queries will come, where that is certain. */
function expectedQueries({ loaded, topics }: RunInputs): number | null {
  const { arrivals } = loaded.scenario.population;
  if (arrivals.process !== "every-topic") return null;
  const { assistants } = loaded.scenario;
  const most = arrivals.topics ?? Number.POSITIVE_INFINITY;
  return Object.values(topics).reduce((sum, list) => sum + Math.min(list.length, most), 0) * assistants.length;
}
