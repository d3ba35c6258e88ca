import type { RunReport } from "../report/run-report.ts";
import type { TapeWriter } from "../trace/tape-writer.ts";

/** Least real time between two hand-overs to the operating system, and between two syncs to the disk, in ms. */
const flushEveryMs = 500;
const syncEveryMs = 1000;

/**
 * Sees to it that what a run has recorded is soon safe: handed over twice a second, paid answers synced once a second,
 * also while the run waits for an answer. What goes wrong is thrown at the run's next turn.
 */
export function keepOnDisk(tape: TapeWriter, report: RunReport): { onTurn: () => void; end: () => void } {
  let flushedMs = 0;
  let failure: unknown = null;
  const timer = setInterval(() => {
    try {
      tape.sync();
    } catch (error) {
      failure ??= error;
    }
  }, syncEveryMs);
  return {
    onTurn() {
      if (failure !== null) throw failure;
      const now = performance.now();
      if (now - flushedMs < flushEveryMs) return;
      flushedMs = now;
      tape.flush();
      report.flush();
    },
    end() {
      clearInterval(timer);
      if (failure !== null) throw failure;
    },
  };
}
