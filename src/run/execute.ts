import { join } from "node:path";
import { EndpointError } from "../models/endpoint-error.ts";
import type { Fact } from "../trace/facts.ts";
import { type TraceHead, type TraceLevel, TraceWriter } from "../trace/trace-writer.ts";
import { BudgetSpent } from "./budget.ts";
import type { RunControl } from "./control.ts";
import type { RunInputs } from "./inputs.ts";
import type { RunStatus } from "./manifest.ts";
import { type RunPorts, simulate } from "./simulate.ts";

/** Who listens to a run besides its trace. */
export interface RunObserver {
  readonly listen: (fact: Fact) => void;
}

export interface ExecuteOptions {
  readonly inputs: RunInputs;
  readonly ports: RunPorts;
  /** Where the trace goes; null to hash only. */
  readonly directory: string | null;
  readonly level: TraceLevel;
  /** Whether the directory holds the beginning of this run's trace: it is compared, and gone on with. */
  readonly continues?: boolean;
  readonly control: RunControl;
  readonly observers: readonly RunObserver[];
  readonly onTurn: () => void;
}

/** What came of a run. */
export interface RunEnd {
  readonly status: RunStatus;
  /** The trace hash; null when the run did not complete. */
  readonly traceSha256: string | null;
  readonly nowMs: number;
  readonly events: number;
  /** What made it fail, or why the endpoint was given up. */
  readonly error: unknown;
}

/** Simulates a run and writes its trace. A run that does not complete leaves a trace without a last line. */
export async function execute(options: ExecuteOptions): Promise<RunEnd> {
  const { inputs, ports, directory, level, continues, control, observers, onTurn } = options;
  const file = directory === null ? null : join(directory, "trace.jsonl");
  const trace = new TraceWriter(file, traceHead(inputs, level), continues);
  const listeners = [trace.write, ...observers.map(({ listen }) => listen)];
  try {
    const { completed, nowMs, events, failure } = await simulate({ inputs, ports, control, listeners, onTurn });
    if (completed) return { status: "completed", traceSha256: trace.end(), nowMs, events, error: null };
    trace.abandon();
    const error = failure === null ? null : failure.error;
    return { status: statusOf(failure), traceSha256: null, nowMs, events, error };
  } catch (error) {
    // The trace itself could not be written, on a full disk for one: what stands in the file stays.
    return { status: "failed", traceSha256: null, nowMs: 0, events: 0, error };
  }
}

function statusOf(failure: { readonly error: unknown } | null): RunStatus {
  if (failure === null) return "interrupted: stopped";
  if (failure.error instanceof BudgetSpent) return "interrupted: budget";
  return failure.error instanceof EndpointError ? "interrupted: endpoint" : "failed";
}

function traceHead({ loaded, corpus, vectorsSha256, replication }: RunInputs, level: TraceLevel): TraceHead {
  return {
    level,
    scenario: loaded.scenario.name,
    scenarioSha256: loaded.sha256,
    corpusSha256: corpus.sha256,
    vectorsSha256,
    seed: loaded.scenario.seed,
    replication,
  };
}
