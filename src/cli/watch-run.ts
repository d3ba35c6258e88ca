import { LiveStatistics } from "../statistics/live.ts";
import type { RunControl } from "../run/control.ts";
import type { RunObserver } from "../run/execute.ts";
import type { RunInputs } from "../run/inputs.ts";
import type { CallCounts } from "../run/manifest.ts";
import { showPlain } from "../terminal/plain.ts";
import { showView } from "../terminal/view.ts";

export interface WatchOptions {
  readonly inputs: RunInputs;
  readonly control: RunControl;
  readonly calls: CallCounts;
  /** False for plain lines on a terminal too. */
  readonly view: boolean;
}

/** Shows a run while it goes: the live view on a terminal, plain lines elsewhere. SIGINT ends the run cleanly. */
export function watchRun({ inputs, control, calls, view }: WatchOptions): RunObserver & { close(): Promise<void> } {
  const { scenario } = inputs.loaded;
  const statistics = new LiveStatistics({
    untilMs: scenario.untilMs ?? null,
    expectedQueries: expectedQueries(inputs),
    windowMs: scenario.statistics.windowMs,
  });
  const snapshot = () => ({ ...statistics.snapshot(), calls });
  const shared = { title: scenario.name, statistics: snapshot, control, clock: () => performance.now() };
  const isTerminal = process.stdout.isTTY === true && process.stdin.isTTY === true;
  const shown =
    view && isTerminal
      ? showView({ ...shared, stdout: process.stdout, stdin: process.stdin })
      : showPlain({ ...shared, stderr: process.stderr });
  const interrupt = (): void => control.stop();
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  return {
    listen: statistics.listen,
    async close() {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", interrupt);
      await shown.close();
    },
  };
}

/** How many queries will come, where that is certain. */
function expectedQueries({ loaded, topics }: RunInputs): number | null {
  const { arrivals } = loaded.scenario.population;
  if (arrivals.process !== "every-topic") return null;
  const { assistants } = loaded.scenario;
  const most = arrivals.topics ?? Number.POSITIVE_INFINITY;
  return Object.values(topics).reduce((sum, list) => sum + Math.min(list.length, most), 0) * assistants.length;
}
