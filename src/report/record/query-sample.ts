import type { QueryRow } from "../../statistics/query-ledger.ts";
import { sha256 } from "../../trace/hash.ts";
import type { Fact } from "../../trace/facts.ts";
import { type Timeline, timelineOf } from "./timelines.ts";

/** A query that the report's explorer shows; some with every step. */
export interface SampledQuery {
  readonly row: QueryRow;
  readonly timeline: Timeline | null;
}

/** How many rows are kept, and how many timelines of each kind of query. */
const mostRows = 5000;
const mostTimelines = { lost: 60, found: 40, unfinished: 30, unscored: 10, slow: 20 };
type Kind = keyof typeof mostTimelines;

/**
 * A bounded sample of a run's queries: the same ones whenever and however often it is drawn, since it goes by a hash of
 * their ids. All queries are in it while they are few.
 */
export class QuerySample {
  readonly #rows = new Lowest<QueryRow>(mostRows);
  readonly #timelines = Object.fromEntries(
    Object.entries(mostTimelines).map(([kind, most]) => [kind, new Lowest<SampledQuery>(most)]),
  ) as Record<Kind, Lowest<SampledQuery>>;
  #seen = 0;

  /** All queries, those left out included. */
  get seen(): number {
    return this.#seen;
  }

  /** @param facts what was stated of the query, its arrival first */
  add(row: QueryRow, facts: readonly Fact[]): void {
    this.#seen++;
    const key = sha256(row.query);
    const withSteps = (): SampledQuery => ({ row, timeline: timelineOf(facts) });
    this.#rows.add(key, () => row);
    this.#timelines[kindOf(row)].add(key, withSteps);
    // The longest first; keys are compared as texts.
    const rest = Number.MAX_SAFE_INTEGER - (row.completedMs - row.arrivedMs);
    this.#timelines.slow.add(`${String(rest).padStart(16, "0")}${key}`, withSteps);
  }

  /** In the order of arrival. */
  queries(): SampledQuery[] {
    const found = new Map<string, SampledQuery>();
    for (const row of this.#rows.values()) found.set(row.query, { row, timeline: null });
    for (const list of Object.values(this.#timelines))
      for (const each of list.values()) found.set(each.row.query, each);
    return [...found.values()].sort(
      ({ row: a }, { row: b }) => a.arrivedMs - b.arrivedMs || (a.query < b.query ? -1 : 1),
    );
  }
}

function kindOf({ outcome, measures }: QueryRow): Kind {
  if (outcome !== "answered") return "unfinished";
  if (measures === null) return "unscored";
  return Object.entries(measures).some(([name, value]) => name.startsWith("loss") && value === 1) ? "lost" : "found";
}

/** Keeps the values of the lowest keys. */
class Lowest<T> {
  readonly #most: number;
  readonly #kept: { key: string; value: T }[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** @param make is called only if the value is kept */
  add(key: string, make: () => T): void {
    const kept = this.#kept;
    if (kept.length === this.#most && key >= (kept.at(-1) as { key: string }).key) return;
    let low = 0;
    let high = kept.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((kept[middle] as { key: string }).key < key) low = middle + 1;
      else high = middle;
    }
    kept.splice(low, 0, { key, value: make() });
    if (kept.length > this.#most) kept.pop();
  }

  values(): T[] {
    return this.#kept.map(({ value }) => value);
  }
}
