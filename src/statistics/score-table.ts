import { type Cluster, clusteredMean, type Draw } from "../metrics/bootstrap.ts";
import { clusteredWilsonInterval, type Interval } from "../metrics/intervals.ts";
import type { QueryRow } from "./query-ledger.ts";

/** Measures of one task, strategy and model, thinking or not. */
export interface ScoredGroup {
  readonly task: string;
  readonly strategy: string;
  readonly model: string | null;
  readonly thinking: boolean | null;
  /** Scored queries. */
  readonly n: number;
  readonly measures: Readonly<Record<string, Interval>>;
}

/** Of a bootstrap interval: its ends then vary by about 2 % of its width from one set of draws to another. */
const resamples = 1000;

interface TopicSum {
  sum: number;
  count: number;
}

class Measure {
  readonly #topics = new Map<string, TopicSum>();
  /** A share of queries, each 0 or 1: such measures have an interval of their own. */
  #isBinary: boolean;

  constructor(mayBeBinary: boolean) {
    this.#isBinary = mayBeBinary;
  }

  /** Adds to a ratio of sums: a mean over queries where `count` is 1. */
  add(topic: string, sum: number, count: number): void {
    let cell = this.#topics.get(topic);
    if (cell === undefined) this.#topics.set(topic, (cell = { sum: 0, count: 0 }));
    cell.sum += sum;
    cell.count += count;
    if (sum !== 0 && sum !== 1) this.#isBinary = false;
  }

  interval(draw: Draw): Interval {
    const clusters: Iterable<Cluster> = this.#topics.values();
    return this.#isBinary ? clusteredWilsonInterval(clusters) : clusteredMean(clusters, draw, resamples);
  }
}

interface Group {
  readonly task: string;
  readonly strategy: string;
  readonly model: string | null;
  readonly thinking: boolean | null;
  n: number;
  readonly measures: Map<string, Measure>;
}

/**
 * Means of all measures by task, strategy, model and thinking, with intervals that resample topics. It holds sums by topic, so
 * its size does not grow with the number of queries.
 */
export class ScoreTable {
  readonly #groups = new Map<string, Group>();

  add(row: QueryRow): void {
    if (row.measures === null) return;
    const group = this.#group(row);
    group.n++;
    for (const [name, value] of Object.entries(row.measures)) {
      const measure = measureOf(group, name, true); // one without cases is a measure too
      if (value !== null) measure.add(row.topic, value, 1);
    }
    for (const [name, sum, count] of efficiency(row)) {
      const measure = measureOf(group, name, false);
      if (count > 0) measure.add(row.topic, sum, count);
    }
  }

  /** @param drawFor a source of random numbers of its own for each group; its measures share the resamples */
  groups(drawFor: (entity: string) => Draw): ScoredGroup[] {
    return [...this.#groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, { measures, ...group }]) => {
        const fromTheStart = repeatable(drawFor(key));
        const intervals = [...measures].map(([name, measure]) => [name, measure.interval(fromTheStart())]);
        return { ...group, measures: Object.fromEntries(intervals) };
      });
  }

  #group({ task, strategy, model, thinking }: QueryRow): Group {
    const key = `${task}/${strategy}/${model ?? ""}/${thinking ?? ""}`;
    let group = this.#groups.get(key);
    if (group === undefined)
      this.#groups.set(key, (group = { task, strategy, model, thinking, n: 0, measures: new Map() }));
    return group;
  }
}

/** Each call gives the same draws from their start: looked up, they cost less than made anew for every measure. */
function repeatable(draw: Draw): () => Draw {
  const drawn: number[] = [];
  return () => {
    let next = 0;
    return () => {
      if (next === drawn.length) drawn.push(draw());
      return drawn[next++] as number;
    };
  };
}

function measureOf({ measures }: Group, name: string, mayBeBinary: boolean): Measure {
  let measure = measures.get(name);
  if (measure === undefined) measures.set(name, (measure = new Measure(mayBeBinary)));
  return measure;
}

/** The paper's efficiency measures, each a ratio of sums: turns a query, content turns a request, shares of turns. */
function efficiency(row: QueryRow): [name: string, sum: number, count: number][] {
  return [
    ["turns", row.turns, 1],
    ["agents", row.sites.length, 1],
    ["requests", row.requests, 1],
    ["userValidity", row.validTurns, row.turns],
    ["contentTurns", row.contentTurns, row.requests],
    ["contentValidity", row.nonEmptyReturns, row.requests],
    ["latencyMs", row.completedMs - row.arrivedMs, 1],
  ];
}
