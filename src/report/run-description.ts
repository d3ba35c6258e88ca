import type { Draw } from "../metrics/bootstrap.ts";
import type { RunMetrics, TaskJudging } from "./metrics-json.ts";
import type { RunRecord } from "./record/run-record.ts";

/** What a run is, for the words of its pages. */
export interface RunFacts {
  readonly corpus: { readonly name: string; readonly version: string };
  readonly users: number;
  readonly untilMs: number | null;
  readonly horizon: string;
  /** How queries arrive, and what they are about, in a few words. */
  readonly arrivals: string;
  readonly interests: string;
  readonly tasks: readonly string[];
  readonly assistants: readonly {
    readonly share: number;
    readonly strategy: string;
    readonly model: string | null;
    readonly thinking: boolean;
  }[];
  readonly siteNames: ReadonlyMap<string, string>;
  /** What names the inputs exactly: hashes and versions. */
  readonly identities: Readonly<Record<string, string | null>>;
}

/** What a report must know of a run beforehand. */
export interface RunDescription {
  readonly facts: RunFacts;
  readonly scenario: string;
  readonly seed: number;
  readonly replication: number;
  readonly retrieval: string;
  readonly sites: readonly string[];
  /** The measures of queries.csv. */
  readonly measures: readonly string[];
  readonly gradesOf: (task: string, topic: string) => Readonly<Record<string, number>>;
  /** The text of a topic, and the ids of the documents it can be answered from. */
  readonly questionOf: (task: string, topic: string) => string;
  readonly relevantTo: (task: string, topic: string) => readonly string[];
  readonly isScored: (arrivedMs: number) => boolean;
  /** Measures of a task that only a judge gives, who judged, and what a table of the task shows. */
  readonly judging: (task: string) => TaskJudging;
  readonly headline: (task: string) => readonly string[];
  /** Random numbers for bootstrap intervals, by the interval's name. */
  readonly drawFor: (entity: string) => Draw;
  /** What must be said beside every figure, such as that a surrogate answered. */
  readonly notices: readonly string[];
}

/** What a report comes to. */
export interface ReportedRun {
  readonly description: RunDescription;
  readonly status: string;
  readonly metrics: RunMetrics;
  /** Null where no pages are wanted. */
  readonly record: RunRecord | null;
  /** The figures as the command line prints them. */
  readonly summary: string;
}
