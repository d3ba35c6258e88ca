import { clusteredWilsonInterval, wilsonInterval } from "../../metrics/intervals.ts";
import type { BenchCell } from "./cell.ts";

/** What a pattern came to. `holds` is a share of its units in [0, 1]; null where it could not be looked at. */
export interface PatternResult {
  readonly name: string;
  readonly task: string;
  readonly measure: string;
  /** Whose units were counted; null for a pattern across models or without one. */
  readonly model: string | null;
  readonly thinking: boolean | null;
  readonly retrieval: string | null;
  readonly holds: number | null;
  /** Units looked at: worlds times replications. */
  readonly n: number;
  readonly low: number | null;
  readonly high: number | null;
  /** Why n is 0. */
  readonly note: string | null;
}

/** Finds the mean of a pattern's measure; null where there is no such cell, or no such figure. */
type Find = (wanted: Partial<Pick<BenchCell, "strategy" | "model" | "retrieval">>) => number | null;

interface Pattern {
  readonly name: string;
  readonly task: string;
  readonly measure: string;
  /** What all units share, and over what the pattern itself runs. */
  readonly across: "strategies" | "models" | "backends";
  /** The strategies it needs. */
  readonly strategies: readonly string[];
  readonly judged?: true;
  /** Null when a figure is missing. */
  readonly holds: (find: Find, models: readonly string[]) => boolean | null;
}

function above(higher: string, ...lower: string[]): Pick<Pattern, "strategies" | "holds"> {
  return {
    strategies: [higher, ...lower],
    holds(find) {
      const top = find({ strategy: higher });
      const rest = lower.map((strategy) => find({ strategy }));
      if (top === null || rest.some((each) => each === null)) return null;
      return rest.every((each) => top > (each as number));
    },
  };
}

const search = { task: "web-search", measure: "ndcg@3" } as const;
const research = { task: "deep-research", across: "strategies", judged: true } as const;

/** The patterns of the published table, which hold there for every model (those across models or indexes: once). */
const patterns: readonly Pattern[] = [
  { name: "classical > tool-p", ...search, across: "strategies", ...above("classical", "tool-p") },
  { name: "tool-p > multi-agent", ...search, across: "strategies", ...above("tool-p", "multi-agent") },
  { name: "tool-e < tool-p", ...search, across: "strategies", ...above("tool-p", "tool-e") },
  { name: "classical > tool-e", ...search, across: "strategies", ...above("classical", "tool-e") },
  {
    name: "classical - multi-agent narrows with a stronger model",
    ...search,
    across: "models",
    strategies: ["classical", "multi-agent"],
    holds(find, models) {
      const gap = (model: string | undefined): number | null => {
        if (model === undefined) return null;
        const central = find({ strategy: "classical", model });
        const agents = find({ strategy: "multi-agent", model });
        return central === null || agents === null ? null : central - agents;
      };
      const [weak, strong] = [gap(models[0]), gap(models.length < 2 ? undefined : models.at(-1))];
      return weak === null || strong === null ? null : weak > strong;
    },
  },
  {
    name: "classic-ir: dense > hybrid > bm25",
    ...search,
    across: "backends",
    strategies: ["classic-ir"],
    holds(find) {
      const [dense, hybrid, bm25] = ["dense", "hybrid", "bm25"].map((retrieval) =>
        find({ strategy: "classic-ir", retrieval }),
      ) as [number | null, number | null, number | null];
      return dense === null || hybrid === null || bm25 === null ? null : dense > hybrid && hybrid > bm25;
    },
  },
  {
    name: "tool-e > classical, tool-p, multi-agent",
    ...research,
    measure: "kpr",
    ...above("tool-e", "classical", "tool-p", "multi-agent"),
  },
  { name: "tool-e > classical", ...research, measure: "clarity", ...above("tool-e", "classical") },
  { name: "tool-e > classical", ...research, measure: "insight", ...above("tool-e", "classical") },
];

/** How often each published pattern holds: means are compared within a world and replication. */
export function patternTable(cells: readonly BenchCell[], models: readonly string[]): PatternResult[] {
  return patterns.flatMap((pattern) => {
    const own = cells.filter(({ task }) => task === pattern.task);
    const results = frames(pattern, own).map((frame) => resultOf(pattern, frame, own, models));
    // What cannot be looked at is said once.
    if (results.some(({ n }) => n > 0)) return results;
    return results.slice(0, 1).map((result) => ({ ...result, model: null, thinking: null, retrieval: null }));
  });
}

type Frame = Pick<PatternResult, "model" | "thinking" | "retrieval">;

/** What stays the same while the pattern's own axis varies: a row of the table each. */
function frames({ across, strategies }: Pattern, cells: readonly BenchCell[]): Frame[] {
  const found = new Map<string, Frame>();
  const there = new Set(cells.map(({ strategy }) => strategy));
  if (!strategies.every((strategy) => there.has(strategy))) return [{ model: null, thinking: null, retrieval: null }];
  for (const { strategy, model, thinking, retrieval } of cells) {
    if (!strategies.includes(strategy)) continue;
    const frame: Frame = {
      model: across === "strategies" ? model : null,
      thinking: across === "backends" ? null : thinking,
      retrieval: across === "backends" ? null : retrieval,
    };
    found.set(JSON.stringify(frame), frame);
  }
  return [...found.values()];
}

function resultOf(
  pattern: Pattern,
  frame: Frame,
  cells: readonly BenchCell[],
  models: readonly string[],
): PatternResult {
  const { name, task, measure } = pattern;
  const worlds = new Map<number, { sum: number; count: number }>();
  for (const [world, replication] of unitsOf(cells)) {
    const find: Find = (wanted) => meanOf(cells, measure, { ...withoutNull(frame), ...wanted, world, replication });
    const holds = pattern.holds(find, models);
    if (holds === null) continue;
    const entry = worlds.get(world) ?? { sum: 0, count: 0 };
    entry.sum += holds ? 1 : 0;
    entry.count++;
    worlds.set(world, entry);
  }
  const { mean, n, low, high } = shareOf([...worlds.values()]);
  const note = n > 0 ? null : whyNot(pattern, cells);
  return { name, task, measure, ...frame, holds: mean, n, low, high, note };
}

/** Replications of one world are not independent: worlds are the units of the interval. */
function shareOf(worlds: readonly { readonly sum: number; readonly count: number }[]) {
  if (worlds.some(({ count }) => count > 1)) return clusteredWilsonInterval(worlds);
  return wilsonInterval(
    worlds.reduce((total, { sum }) => total + sum, 0),
    worlds.length,
  );
}

function whyNot({ judged, strategies, across }: Pattern, cells: readonly BenchCell[]): string {
  if (judged === true) return "needs an LLM judge";
  const there = new Set(cells.map(({ strategy }) => strategy));
  const missing = strategies.filter((strategy) => !there.has(strategy));
  if (missing.length > 0) return `not in this bench: ${missing.join(", ")}`;
  if (across === "models") return "needs two models";
  return across === "backends" ? "needs dense, hybrid and bm25" : "a cell is missing";
}

function unitsOf(cells: readonly BenchCell[]): [world: number, replication: number][] {
  const units = new Map(cells.map(({ world, replication }) => [`${world} ${replication}`, [world, replication]]));
  return [...units.values()] as [number, number][];
}

function withoutNull(frame: Frame): Partial<BenchCell> {
  return Object.fromEntries(Object.entries(frame).filter(([, value]) => value !== null));
}

function meanOf(cells: readonly BenchCell[], measure: string, wanted: Partial<BenchCell>): number | null {
  const cell = cells.find((each) =>
    Object.entries(wanted).every(([key, value]) => each[key as keyof BenchCell] === value),
  );
  return cell?.measures[measure]?.mean ?? null;
}
