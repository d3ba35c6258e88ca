import { LiveStatistics } from "../statistics/live.ts";
import type { RunControl } from "../run/control.ts";
import type { RunObserver } from "../run/execute.ts";
import type { RunInputs } from "../run/inputs.ts";
import type { CallCounts } from "../run/manifest.ts";
import { showPlain } from "../terminal/plain.ts";

export interface WatchOptions {
  readonly inputs: RunInputs;
  readonly control: RunControl;
  readonly calls: CallCounts;
  /** False for plain lines on a terminal too. */
  readonly view: boolean;
}

/** Shows a run while it goes: the live view on a terminal, plain lines elsewhere. */
export async function watchRun(options: WatchOptions): Promise<RunObserver & { close(): Promise<void> }> {
  const { inputs, control, calls, view } = options;
  const { scenario } = inputs.loaded;
  const statistics = new LiveStatistics({
    untilMs: scenario.untilMs ?? null,
    expectedQueries: expectedQueries(inputs),
    windowMs: scenario.statistics.windowMs,
  });
  const snapshot = () => ({ ...statistics.snapshot(), calls });
  const shared = { title: scenario.name, statistics: snapshot, control, clock: () => performance.now() };
  const shown =
    view && isForEyes()
      ? (await import("../terminal/view.ts")).showView({ ...shared, stdout: process.stdout, stdin: process.stdin })
      : showPlain({ ...shared, stderr: process.stderr });
  return { listen: statistics.listen, close: () => shown.close() };
}

/** A terminal that somebody looks at; on a build server Ink would write the last frame only. */
function isForEyes(): boolean {
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
