import { clusteredWilsonInterval, type Interval, pairedShareDifference } from "../../metrics/intervals.ts";
import type { TopicRow } from "../query-table.ts";
import { type BenchCell, type CellGroup, groupCells, topicMeans } from "./cell.ts";

/** One stage on the way of a relevant page into the answer. */
export interface WaterfallStage {
  readonly task: string;
  readonly model: string | null;
  readonly thinking: boolean | null;
  readonly retrieval: string;
  readonly stage: string;
  /** The share of topics that still have a relevant page at this stage. */
  readonly recall: Interval;
  /** The difference from the stage before, over the topics that both have; null for the first. */
  readonly step: Interval | null;
}

/** How far a topic's relevant pages came, from the stage at which all were lost. */
const reached = ["notSelected", "notRetrieved", "notReturned", "notRanked"] as const;

/** The share of topics that did not lose all relevant pages up to and with a stage. */
function kept(lastLoss: (typeof reached)[number]): (row: TopicRow) => number {
  const lost = new Set<string>(reached.slice(0, reached.indexOf(lastLoss) + 1));
  return ({ loss }) => (loss !== null && lost.has(loss) ? 0 : 1);
}

interface Stage {
  readonly name: string;
  readonly strategy: string;
  readonly valueOf: (row: TopicRow) => number;
}

const stages: readonly Stage[] = [
  { name: "central index", strategy: "classic-ir", valueOf: kept("notRetrieved") },
  { name: "oracle sites", strategy: "oracle-sites", valueOf: kept("notRetrieved") },
  { name: "sites chosen", strategy: "multi-agent", valueOf: kept("notSelected") },
  { name: "documents found", strategy: "multi-agent", valueOf: kept("notRetrieved") },
  { name: "returned by content agents", strategy: "multi-agent", valueOf: kept("notReturned") },
  { name: "ranked by the user agent", strategy: "multi-agent", valueOf: kept("notRanked") },
];

/**
 * Where relevant pages are lost on the way into an answer, for each task, model and index with multi-agent cells.
 * Topics of several worlds are pooled; a stage whose strategy is not in the bench is left out.
 */
export function waterfall(cells: readonly BenchCell[]): WaterfallStage[] {
  const groups = groupCells(cells.filter(({ measures }) => (measures["lossNotRanked"]?.n ?? 0) > 0));
  return groups.filter(({ strategy }) => strategy === "multi-agent").flatMap((agents) => waterfallOf(agents, groups));
}

function waterfallOf(agents: CellGroup, groups: readonly CellGroup[]): WaterfallStage[] {
  const { task, model, thinking, retrieval } = agents;
  const result: WaterfallStage[] = [];
  let before: ReadonlyMap<string, number> | null = null;
  for (const { name, strategy, valueOf } of stages) {
    const group = groups.find(
      (each) =>
        each.strategy === strategy &&
        each.task === task &&
        each.retrieval === retrieval &&
        (each.model === null || (each.model === model && each.thinking === thinking)),
    );
    if (group === undefined) continue;
    const values = topicMeans(group, valueOf);
    const recall = clusteredWilsonInterval([...values.values()].map((sum) => ({ sum, count: 1 })));
    const step = before === null ? null : stepBetween(values, before);
    result.push({ task, model, thinking, retrieval, stage: name, recall, step });
    before = values;
  }
  return result;
}

function stepBetween(after: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): Interval {
  const shared = [...after.keys()].filter((topic) => before.has(topic));
  return pairedShareDifference(
    shared.map((topic) => after.get(topic) as number),
    shared.map((topic) => before.get(topic) as number),
  );
}
