import { clusteredWilsonInterval, type Interval, tInterval } from "../../metrics/intervals.ts";
import { type BenchCell, groupCells } from "./cell.ts";
import { publishedTargets } from "./published.ts";

/** A published figure and what the profile named after its model comes to. */
export interface CalibrationRow {
  readonly model: string;
  readonly task: string;
  readonly measure: string;
  /** Fitted: the profile was set with this figure in view. Predicted: it was not. */
  readonly kind: "fitted" | "predicted";
  readonly target: number;
  /** Over worlds, where there are several. */
  readonly value: Interval;
  /** value / target - 1. */
  readonly off: number | null;
  readonly isReached: boolean;
}

/** How far off a figure may be, relative to its target. */
export const tolerance = 0.15;

/** Profiles are fitted on these; what they do in other tasks is predicted. */
const fittedTasks: readonly string[] = ["web-search", "web-recommendation"];

/** How near the multi-agent cells of a bench come to the figures published for the models that profiles are named after. */
export function calibrationTable(cells: readonly BenchCell[]): CalibrationRow[] {
  const groups = groupCells(cells.filter(({ strategy, thinking }) => strategy === "multi-agent" && thinking === true));
  return groups.flatMap(({ task, model, cells: own }) => {
    const published = publishedTargets().find((row) => row.task === task && isNamedAfter(model, row.model));
    return Object.entries(published?.measures ?? {}).map(([measure, target]): CalibrationRow => {
      const value = overWorlds(own, (cell) => figureOf(cell, measure));
      const off = value.mean === null ? null : value.mean / target - 1;
      return {
        model: model as string,
        task,
        measure,
        kind: fittedTasks.includes(task) ? "fitted" : "predicted",
        target,
        value,
        off,
        isReached: off !== null && Math.abs(off) <= tolerance,
      };
    });
  });
}

/** A profile is named after a model when its name is the model's, or goes on from there: gemini-3-flash, Gemini-3. */
function isNamedAfter(model: string | null, published: string): boolean {
  const profile = model?.slice(model.indexOf("/") + 1) ?? "";
  return `${profile}-`.startsWith(`${published.toLowerCase()}-`);
}

function figureOf({ measures, topics }: BenchCell, measure: string): Interval | null {
  const contacted = topics.filter(({ loss }) => loss !== "notSelected");
  if (measure === "siteContacted") {
    return clusteredWilsonInterval(topics.map((row) => ({ sum: contacted.includes(row) ? 1 : 0, count: 1 })));
  }
  if (measure === "returnedGivenContact") {
    return clusteredWilsonInterval(contacted.map(({ loss }) => ({ sum: loss === null ? 1 : 0, count: 1 })));
  }
  return measures[measure] ?? null;
}

function overWorlds(cells: readonly BenchCell[], valueOf: (cell: BenchCell) => Interval | null): Interval {
  const [first] = cells;
  if (cells.length === 1 && first !== undefined) return valueOf(first) ?? tInterval([]);
  const worlds = new Map<number, number[]>();
  for (const cell of cells) {
    const mean = valueOf(cell)?.mean ?? null;
    if (mean !== null) worlds.set(cell.world, [...(worlds.get(cell.world) ?? []), mean]);
  }
  return tInterval([...worlds.values()].map((means) => means.reduce((sum, mean) => sum + mean, 0) / means.length));
}
