import type { QueryRow } from "../../statistics/query-ledger.ts";
import type { TrafficWindow } from "../../statistics/traffic.ts";
import type { Fact } from "../../trace/facts.ts";
import { interventionText } from "./intervention-text.ts";
import { QuerySample } from "./query-sample.ts";
import { SiteLedger } from "./site-ledger.ts";
import { Timelines } from "./timelines.ts";
import { type Mark, TrafficHistory } from "./traffic-history.ts";

/** The most interventions that a chart marks and a page lists. */
const mostMarks = 200;

/**
 * What a run's page shows beyond its figures: traffic window by window, how each site fared, what was done to the
 * world, and some queries step by step. Its size is bounded, however long the run.
 */
export class RunRecord {
  readonly history = new TrafficHistory();
  readonly ledger: SiteLedger;
  readonly sample = new QuerySample();
  readonly marks: Mark[] = [];
  /** Interventions beyond those that are marked. */
  unmarked = 0;
  readonly #timelines = new Timelines();

  constructor(declaredSites: number) {
    this.ledger = new SiteLedger(declaredSites);
  }

  listen(fact: Fact): void {
    if (fact.type === "intervention.applied") this.#mark(fact.t, fact.intervention);
    this.ledger.listen(fact);
    this.#timelines.listen(fact);
  }

  addQuery(row: QueryRow): void {
    this.ledger.add(row);
    this.sample.add(row, this.#timelines.take(row.query));
  }

  addWindow(window: TrafficWindow): void {
    this.history.add(window);
  }

  #mark(t: number, intervention: Readonly<Record<string, unknown>>): void {
    if (this.marks.length === mostMarks) {
      this.unmarked++;
      return;
    }
    const { forMs } = intervention;
    this.marks.push({
      t,
      endMs: typeof forMs === "number" ? t + forMs : null,
      label: interventionText(intervention),
    });
  }
}
