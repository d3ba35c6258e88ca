import { FRACTION, tInterval } from "../metrics/intervals.ts";
import { Moments } from "../metrics/moments.ts";
import type { FactOf } from "../trace/facts.ts";
import { Ring } from "./live-ring.ts";

/** The mean of a measure so far, over the queries that have a value for it. */
export interface LiveScore {
  readonly measure: string;
  readonly mean: number;
  /** Student's 95 % interval, which takes queries for independent; null below two. Reports resample topics instead. */
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/** The scores so far of one kind of user agent on one task. */
export interface LiveGroup {
  readonly task: string;
  readonly strategy: string;
  readonly model: string | null;
  readonly queries: number;
  readonly scores: readonly LiveScore[];
}

interface Group {
  readonly task: string;
  readonly strategy: string;
  readonly model: string | null;
  queries: number;
  readonly values: readonly Moments[];
}

/** One or two measures a task: of rankings, of short answers, of reports. */
const shownMeasures = ["ndcg@3", "recall@5", "f1", "answerContainment", "keyPointMatch"] as const;

/** A query that has no score after so many others were completed gets none. */
const longestWait = 1024;

/** Mean scores a (task, strategy, model). Holds one entry for each query in flight. */
export class LiveScores {
  readonly #groups = new Map<string, Group>();
  readonly #groupOfQuery = new Map<string, Group>();
  readonly #completed = new Ring<string>(longestWait);

  arrived({ query, task, strategy, model }: FactOf<"query.arrived">): void {
    const key = `${task}\n${strategy}\n${model ?? ""}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { task, strategy, model, queries: 0, values: shownMeasures.map(() => new Moments()) };
      this.#groups.set(key, group);
    }
    this.#groupOfQuery.set(query, group);
  }

  completed(query: string): void {
    const forgotten = this.#completed.push(query);
    if (forgotten !== undefined) this.#groupOfQuery.delete(forgotten);
  }

  scored({ query, measures }: FactOf<"query.scored">): void {
    const group = this.#groupOfQuery.get(query);
    if (group === undefined) return;
    this.#groupOfQuery.delete(query);
    group.queries += 1;
    for (let i = 0; i < shownMeasures.length; i++) {
      const value = measures[shownMeasures[i]!];
      if (value === undefined || value === null) continue;
      group.values[i]!.add(value);
    }
  }

  /** The groups in the order in which they first arrived. */
  groups(): LiveGroup[] {
    return [...this.#groups.values()].map(({ values, ...group }) => ({
      ...group,
      scores: shownMeasures.flatMap((measure, i) => {
        const { mean, low, high, n } = tInterval(values[i]!, FRACTION);
        return mean === null ? [] : [{ measure, mean, low, high, n }];
      }),
    }));
  }
}
