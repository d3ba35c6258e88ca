import { clusteredMean, type Draw } from "../../metrics/bootstrap.ts";
import { type Interval, tInterval } from "../../metrics/intervals.ts";
import { Moments } from "../../metrics/moments.ts";
import type { QueryFigures } from "../../statistics/query-figures.ts";
import type { Pair } from "./sides.ts";

export interface MeasureChange {
  readonly task: string;
  readonly strategy: string;
  readonly model: string | null;
  readonly measure: string;
  readonly baseline: number | null;
  readonly variant: number | null;
  readonly difference: Interval;
}

interface Differences {
  readonly name: Pick<MeasureChange, "task" | "strategy" | "model" | "measure">;
  /** By pair of runs: one difference a query, with its topic. */
  readonly byPair: { readonly topic: string; readonly baseline: number; readonly variant: number }[][];
}

const resamples = 1000;

/**
 * What becomes of quality, query by query: each query of the baseline with the same one of the variant. Over
 * replications a mean with Student's interval; of a single pair of runs with a bootstrap of its topics.
 */
export function measureChanges(pairs: readonly Pair[], drawFor: (entity: string) => Draw): MeasureChange[] {
  const groups = new Map<string, Differences>();
  for (const [index, { baseline, variant }] of pairs.entries()) {
    const others = new Map(variant.queries.map((query) => [query.query, query]));
    for (const query of baseline.queries) {
      const other = others.get(query.query);
      if (other !== undefined) note(groups, index, query, other);
    }
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { name, byPair }]) => {
      const all = byPair.flat();
      return {
        ...name,
        baseline: new Moments(all.map((each) => each.baseline)).mean,
        variant: new Moments(all.map((each) => each.variant)).mean,
        difference: byPair.length > 1 ? overPairs(byPair) : overTopics(all, drawFor(key)),
      };
    });
}

function note(groups: Map<string, Differences>, index: number, query: QueryFigures, other: QueryFigures): void {
  const { task, strategy, model, topic, measures } = query;
  for (const [measure, baseline] of Object.entries(measures ?? {})) {
    const variant = other.measures?.[measure] ?? null;
    if (baseline === null || variant === null) continue;
    const key = `${task}/${strategy}/${model ?? ""}/${measure}`;
    const group = groups.get(key) ?? { name: { task, strategy, model, measure }, byPair: [] };
    groups.set(key, group);
    (group.byPair[index] ??= []).push({ topic, baseline, variant });
  }
}

function overPairs(byPair: Differences["byPair"]): Interval {
  return tInterval(
    byPair.map((each) => new Moments(each.map(({ baseline, variant }) => variant - baseline)).mean as number),
  );
}

function overTopics(all: Differences["byPair"][number], draw: Draw): Interval {
  const topics = new Map<string, { sum: number; count: number }>();
  for (const { topic, baseline, variant } of all) {
    const cluster = topics.get(topic) ?? { sum: 0, count: 0 };
    topics.set(topic, { sum: cluster.sum + variant - baseline, count: cluster.count + 1 });
  }
  return clusteredMean(topics.values(), draw, resamples);
}
