import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Interval } from "../../metrics/intervals.ts";
import { readQueryTable, type TopicRow } from "../query-table.ts";

/** What a cell is: see the reference of bench.json. */
export interface CellKey {
  readonly task: string;
  readonly strategy: string;
  readonly model: string | null;
  readonly retrieval: string;
  readonly thinking: boolean | null;
  readonly world: number;
  readonly replication: number;
}

/** A completed cell with its figures. */
export interface BenchCell extends CellKey {
  readonly n: number;
  readonly judge: unknown;
  readonly measures: Readonly<Record<string, Interval | null>>;
  readonly topics: readonly TopicRow[];
}

/** Reads a cell's figures from its directory: the means of metrics.json, and the topics of queries.csv. */
export function readBenchCell(directory: string, key: CellKey): BenchCell {
  const file = join(directory, "metrics.json");
  const { groups } = JSON.parse(readFileSync(file, "utf8")) as {
    groups: { n: number; judge: unknown; measures: Record<string, Interval | null> }[];
  };
  const { task, strategy, model, retrieval, thinking, world, replication } = key;
  const { n, judge, measures } = groups[0] ?? { n: 0, judge: null, measures: {} };
  const topics = readQueryTable(join(directory, "queries.csv"));
  return { task, strategy, model, retrieval, thinking, world, replication, n, judge, measures, topics };
}

/** Cells that differ in nothing but world and replication. */
export interface CellGroup {
  readonly task: string;
  readonly strategy: string;
  readonly model: string | null;
  readonly retrieval: string;
  readonly thinking: boolean | null;
  readonly cells: readonly BenchCell[];
}

export function groupCells(cells: readonly BenchCell[]): CellGroup[] {
  const groups = new Map<string, CellGroup & { cells: BenchCell[] }>();
  for (const cell of cells) {
    const { task, strategy, model, retrieval, thinking } = cell;
    const key = JSON.stringify([task, strategy, model, retrieval, thinking]);
    const group = groups.get(key) ?? { task, strategy, model, retrieval, thinking, cells: [] };
    group.cells.push(cell);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** What a measure came to for each topic of each world, replications averaged; topics without a value are left out. */
export function topicMeans({ cells }: CellGroup, valueOf: (row: TopicRow) => number | null): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { world, topics } of cells) {
    for (const row of topics) {
      const value = valueOf(row);
      if (value === null) continue;
      const key = `${world}/${row.topic}`;
      const entry = sums.get(key) ?? { sum: 0, count: 0 };
      entry.sum += value;
      entry.count++;
      sums.set(key, entry);
    }
  }
  return new Map([...sums].map(([key, { sum, count }]) => [key, sum / count]));
}

/** The measure by which strategies are compared, a task. */
export const mainMeasure: Readonly<Record<string, string>> = {
  "web-search": "ndcg@3",
  "web-recommendation": "recall@5",
  "question-answering": "f1",
  "deep-research": "keyPointMatch",
};

/** A model and its way to work as a table shows it. */
export function mindName({ model, thinking }: Pick<CellKey, "model" | "thinking">): string {
  if (model === null) return "no model";
  return thinking === false ? `${model}, not thinking` : model;
}
