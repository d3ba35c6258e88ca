import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConcentrationWindows } from "../statistics/concentration-windows.ts";
import { QueryLedger } from "../statistics/query-ledger.ts";
import { ScoreTable } from "../statistics/score-table.ts";
import { TrafficCounter } from "../statistics/traffic.ts";
import type { Fact, QueryOutcome } from "../trace/facts.ts";
import { metricsJson } from "./metrics-json.ts";
import { RunRecord } from "./record/run-record.ts";
import type { ReportedRun, RunDescription } from "./run-description.ts";
import { runMarkdown, runSummary } from "./summary.ts";
import { RunTables } from "./tables.ts";

/** How a run ended, for the report's last lines. */
export interface ReportEnd {
  readonly status: string;
  readonly traceSha256: string | null;
  readonly nowMs: number;
  readonly events: number | null;
}

/** Listens to a run and leaves its tables and figures in the run's directory. */
export class RunReport {
  readonly #directory: string;
  readonly #description: RunDescription;
  readonly #tables: RunTables;
  readonly #scores = new ScoreTable();
  readonly #ledger: QueryLedger;
  readonly #traffic: TrafficCounter;
  readonly #concentration: ConcentrationWindows;
  readonly #record: RunRecord | null;
  readonly #outcomes: Record<QueryOutcome, number> = { answered: 0, unanswered: 0, failed: 0 };
  #arrived = 0;
  #messages = 0;

  /** @param options.pages whether to remember what the run's page shows beyond its figures */
  constructor(directory: string, description: RunDescription, { pages }: { readonly pages: boolean }) {
    const { scenario, replication, measures, gradesOf, isScored } = description;
    this.#directory = directory;
    this.#description = description;
    this.#record = pages ? new RunRecord(description.sites.length) : null;
    this.#tables = new RunTables(directory, { run: scenario, replication }, measures, gradesOf);
    this.#ledger = new QueryLedger(isScored, (row) => {
      this.#outcomes[row.outcome]++;
      this.#scores.add(row);
      this.#tables.addQuery(row);
      this.#record?.addQuery(row);
    });
    this.#traffic = new TrafficCounter(isScored, (window) => {
      this.#tables.addWindow(window);
      this.#record?.addWindow(window);
    });
    this.#concentration = new ConcentrationWindows(
      description.sites,
      description.drawFor("concentration.csv"),
      (figure) => this.#tables.addFigure(figure),
    );
  }

  readonly listen = (fact: Fact): void => {
    if (fact.type === "query.arrived") this.#arrived++;
    else if (fact.type === "message.sent") this.#messages++;
    this.#record?.listen(fact);
    this.#ledger.listen(fact);
    this.#traffic.listen(fact);
    this.#concentration.listen(fact);
  };

  /** Hands the tables so far to the operating system. */
  flush(): void {
    this.#tables.flush();
  }

  /** Writes metrics.json and report.md. */
  end({ status, traceSha256, nowMs, events }: ReportEnd): ReportedRun {
    this.#tables.close();
    const description = this.#description;
    const { scenario, seed, replication, retrieval, sites, drawFor, judging } = description;
    const metrics = metricsJson({
      scenario,
      seed,
      replication,
      traceSha256,
      untilMs: nowMs,
      messages: this.#messages,
      events,
      queries: { arrived: this.#arrived, ...this.#outcomes, inFlight: this.#ledger.inFlight },
      groups: this.#scores.groups(drawFor),
      retrieval,
      judging,
      traffic: this.#traffic.total,
      sites,
    });
    const told = { description, status, metrics, record: this.#record };
    writeFileSync(join(this.#directory, "metrics.json"), `${JSON.stringify(metrics, null, 1)}\n`);
    writeFileSync(join(this.#directory, "report.md"), runMarkdown(told));
    return { ...told, summary: runSummary(told) };
  }
}
