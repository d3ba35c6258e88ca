import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Draw } from "../metrics/bootstrap.ts";
import { QueryLedger } from "../statistics/query-ledger.ts";
import { ScoreTable } from "../statistics/score-table.ts";
import { TrafficCounter } from "../statistics/traffic.ts";
import type { Fact, QueryOutcome } from "../trace/facts.ts";
import { metricsJson, type TaskJudging } from "./metrics-json.ts";
import { runSummary } from "./summary.ts";
import { RunTables } from "./tables.ts";

/** What a report must know of a run beforehand. */
export interface RunDescription {
  readonly scenario: string;
  readonly seed: number;
  readonly replication: number;
  readonly retrieval: string;
  readonly sites: readonly string[];
  /** The measures of queries.csv. */
  readonly measures: readonly string[];
  readonly gradesOf: (task: string, topic: string) => Readonly<Record<string, number>>;
  readonly isScored: (arrivedMs: number) => boolean;
  /** Measures of a task that only a judge gives, who judged, and what a table of the task shows. */
  readonly judging: (task: string) => TaskJudging;
  readonly headline: (task: string) => readonly string[];
  /** Random numbers for bootstrap intervals, by the interval's name. */
  readonly drawFor: (entity: string) => Draw;
  /** What must be said beside every figure, such as that a surrogate answered. */
  readonly notices: readonly string[];
}

/** How a run ended, for the report's last lines. */
export interface ReportEnd {
  readonly status: string;
  readonly traceSha256: string | null;
  readonly nowMs: number;
  readonly events: number;
}

/** Listens to a run and leaves its tables and figures in the run's directory. */
export class RunReport {
  readonly #directory: string;
  readonly #description: RunDescription;
  readonly #tables: RunTables;
  readonly #scores = new ScoreTable();
  readonly #ledger: QueryLedger;
  readonly #traffic: TrafficCounter;
  readonly #outcomes: Record<QueryOutcome, number> = { answered: 0, unanswered: 0, failed: 0 };
  #arrived = 0;
  #messages = 0;

  constructor(directory: string, description: RunDescription) {
    const { scenario, replication, measures, gradesOf, isScored } = description;
    this.#directory = directory;
    this.#description = description;
    this.#tables = new RunTables(directory, { run: scenario, replication }, measures, gradesOf);
    this.#ledger = new QueryLedger(isScored, (row) => {
      this.#outcomes[row.outcome]++;
      this.#scores.add(row);
      this.#tables.addQuery(row);
    });
    this.#traffic = new TrafficCounter(isScored, (window) => this.#tables.addWindow(window));
  }

  readonly listen = (fact: Fact): void => {
    if (fact.type === "query.arrived") this.#arrived++;
    else if (fact.type === "message.sent") this.#messages++;
    this.#ledger.listen(fact);
    this.#traffic.listen(fact);
  };

  /** Hands the tables so far to the operating system. */
  flush(): void {
    this.#tables.flush();
  }

  /** Writes metrics.json and report.md; returns what they hold. */
  end({ status, traceSha256, nowMs, events }: ReportEnd): { readonly metrics: unknown; readonly summary: string } {
    this.#tables.close();
    const { scenario, seed, replication, retrieval, sites, drawFor, notices, judging, headline } = this.#description;
    const groups = this.#scores.groups(drawFor);
    const queries = { arrived: this.#arrived, ...this.#outcomes, inFlight: this.#ledger.inFlight };
    const traffic = this.#traffic.total;
    const metrics = metricsJson({
      scenario,
      seed,
      replication,
      traceSha256,
      untilMs: nowMs,
      messages: this.#messages,
      events,
      queries,
      groups,
      retrieval,
      judging,
      traffic,
      sites,
    });
    writeFileSync(join(this.#directory, "metrics.json"), `${JSON.stringify(metrics, null, 1)}\n`);
    const summary = runSummary({
      scenario,
      seed,
      status,
      traceSha256,
      nowMs,
      queries,
      groups,
      traffic,
      sites,
      notices,
      headline,
    });
    writeFileSync(join(this.#directory, "report.md"), summary);
    return { metrics, summary };
  }
}
