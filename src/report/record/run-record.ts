import type { QueryRow } from "../../statistics/query-ledger.ts";
import type { TrafficWindow } from "../../statistics/traffic.ts";
import type { Fact } from "../../trace/facts.ts";
import { QuerySample } from "./query-sample.ts";
import { SiteLedger } from "./site-ledger.ts";
import { Timelines } from "./timelines.ts";
import { type Mark, TrafficHistory } from "./traffic-history.ts";
import { durationText } from "../units.ts";

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
    const { kind, forMs } = intervention as { kind?: string; forMs?: number };
    const sites = sitesOf(intervention);
    const lasting = forMs === undefined ? "" : ` for ${durationText(forMs)}`;
    this.marks.push({
      t,
      endMs: forMs === undefined ? null : t + forMs,
      label: `${labels[kind ?? ""] ?? kind ?? "intervention"} ${sites}${lasting}`.trim(),
    });
  }
}

const labels: Readonly<Record<string, string>> = { outage: "outage of", remove: "removal of", set: "change of" };

const mostNamed = 3;

function sitesOf({ sites, site }: { readonly sites?: unknown; readonly site?: unknown }): string {
  const all = Array.isArray(sites) ? sites.map(String) : site === undefined ? [] : [String(site)];
  const rest = all.length - mostNamed;
  return `${all.slice(0, mostNamed).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
