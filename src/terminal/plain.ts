import type { LiveSnapshot } from "../statistics/live.ts";
import { clean } from "./clean.ts";
import type { View, ViewOptions } from "./control.ts";
import { clockTime, count, duration, share } from "./format.ts";
import { type Pace, PaceMeter } from "./pace.ts";

const everyMs = 5000;

/** Follows a run where there is no terminal: one plain line every five seconds of real time, and one at the end. */
export function showPlain(options: ViewOptions & { readonly stderr: { write(text: string): unknown } }): View {
  const { title, statistics, control, clock, stderr } = options;
  const meter = new PaceMeter();
  meter.read(statistics(), clock(), control.paused);
  const print = (): void => {
    const snapshot = statistics();
    stderr.write(plainLine(title, snapshot, meter.read(snapshot, clock(), control.paused), control.paused));
  };
  const timer = setInterval(print, everyMs);
  let open = true;
  return {
    close: async () => {
      clearInterval(timer);
      if (open) print();
      open = false;
    },
  };
}

function plainLine(title: string, snapshot: LiveSnapshot, pace: Pace, paused: boolean): string {
  const { answered, unanswered, failed, inFlight } = snapshot.queries;
  const parts = [
    `${clean(title)}: ${clockTime(snapshot.t)}`,
    snapshot.done === null ? null : share(snapshot.done),
    `${count(answered + unanswered + failed)} queries done`,
    `${count(inFlight)} in flight`,
    pace.messagesPerSecond === null ? null : `${count(pace.messagesPerSecond)} messages/s`,
    pace.leftMs === null || snapshot.done === 1 ? null : `${duration(pace.leftMs)} left`,
    paused ? "paused" : null,
  ];
  return `${parts.filter((part) => part !== null).join(", ")}\n`;
}
