import { type QueryTimeline, stepLabel, type TimelineStep, userAgentParty } from "../../statistics/query-timeline.ts";

/** An event of the Trace Event Format: `ts` and `dur` in microseconds, here of virtual time. */
export interface TraceEvent {
  readonly name: string;
  readonly cat?: string;
  readonly ph: "X" | "i" | "b" | "e" | "M";
  readonly ts?: number;
  readonly dur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly id?: string;
  readonly s?: "t";
  readonly args?: Readonly<Record<string, unknown>>;
}

/**
 * A query as Chrome trace events, which Perfetto's page opens: a process for the query, a thread for the person, its
 * agent and each agent of a site; turns and searches as slices, requests as asynchronous slices from question to reply.
 */
export function perfettoTrace(timeline: QueryTimeline): {
  readonly displayTimeUnit: "ms";
  readonly traceEvents: TraceEvent[];
} {
  const threads = new Map<string, number>();
  const thread = (name: string): number => {
    if (!threads.has(name)) threads.set(name, threads.size + 1);
    return threads.get(name) as number;
  };
  thread(timeline.user);
  thread(userAgentParty);
  const events = timeline.steps.flatMap((step) => eventsOf(step, thread));
  const names = [...threads].map(
    ([name, tid]): TraceEvent => ({ name: "thread_name", ph: "M", pid: 1, tid, args: { name } }),
  );
  const { query, task, strategy } = timeline;
  const process: TraceEvent = {
    name: "process_name",
    ph: "M",
    pid: 1,
    tid: 0,
    args: { name: `${query} ${task} ${strategy}` },
  };
  return { displayTimeUnit: "ms", traceEvents: [process, ...names, ...events] };
}

function eventsOf(step: TimelineStep, thread: (name: string) => number): TraceEvent[] {
  const ts = step.t * 1000;
  const name = stepLabel(step);
  const { t: _, fromMs, ...args } = step;
  if (step.step === "turn" || step.step === "search") {
    const tid = thread(step.agent === "user" ? userAgentParty : step.agent);
    const start = fromMs * 1000;
    return [{ name, cat: step.step, ph: "X", ts: start, dur: ts - start, pid: 1, tid, args }];
  }
  if (step.step === "request" || step.step === "reply") {
    const site = step.step === "request" ? step.to : step.from;
    const ends = { cat: "request", pid: 1, tid: thread(userAgentParty), id: `request ${step.request}` } as const;
    return [{ ...ends, name: site, ph: step.step === "request" ? "b" : "e", ts, args }];
  }
  const tid = thread(step.step === "queue" ? step.party : step.from);
  return [{ name, cat: step.step, ph: "i", s: "t", ts, pid: 1, tid, args }];
}
