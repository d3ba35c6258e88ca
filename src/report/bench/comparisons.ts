import type { Draw } from "../../metrics/bootstrap.ts";
import { holm, randomizationTest } from "../../metrics/comparisons.ts";
import { pairedDifference } from "../../metrics/intervals.ts";
import { Moments } from "../../metrics/moments.ts";
import { type BenchCell, type CellGroup, groupCells, mainMeasure, mindName, topicMeans } from "./cell.ts";

/** Two groups of cells on the same topics. */
export interface Comparison {
  readonly task: string;
  readonly measure: string;
  readonly a: string;
  readonly b: string;
  /** What both share, or in what they differ besides, in words. */
  readonly setting: string;
  /** a - b over the topics that both answered; the interval is Student's. */
  readonly difference: { readonly mean: number; readonly low: number | null; readonly high: number | null };
  /** Topics, all worlds together. */
  readonly n: number;
  /** Of the topics' differences. */
  readonly sd: number | null;
  /** Of the randomisation test, and the same corrected for all comparisons of the bench (Holm). */
  readonly p: number;
  readonly adjustedP: number;
  /** The worlds whose own mean difference has the sign of the whole, and how far worlds differ; null for one world. */
  readonly worlds: { readonly n: number; readonly sameSign: number; readonly sd: number | null };
}

/** The strategy that all others are compared with, and the pairs of the published patterns. */
const reference = "multi-agent";
const patternPairs = new Set(["classical tool-p", "classical tool-e", "tool-e tool-p"]);

/**
 * Paired comparisons that were decided on beforehand, each on its task's main measure: every strategy with
 * multi-agent, the pairs of the published patterns, thinking with not thinking, and dense with every other index. All
 * else being equal in both.
 * @param drawFor a source of random numbers of its own for each comparison
 */
export function comparisons(cells: readonly BenchCell[], drawFor: (entity: string) => Draw): Comparison[] {
  const groups = groupCells(cells);
  const found: Omit<Comparison, "adjustedP">[] = [];
  for (const one of groups) {
    for (const other of groups) {
      const how = one === other ? null : howTheyDiffer(one, other);
      const comparison = how === null ? null : compare(one, other, how, drawFor);
      if (comparison !== null) found.push(comparison);
    }
  }
  const adjusted = holm(found.map(({ p }) => p));
  return found.map((comparison, index) => ({ ...comparison, adjustedP: adjusted[index] as number }));
}

interface Names {
  readonly a: string;
  readonly b: string;
  readonly setting: string;
}

/** The names of two groups that are to be compared, the first one with the second; null for all others. */
function howTheyDiffer(one: CellGroup, other: CellGroup): Names | null {
  if (one.task !== other.task) return null;
  const sameIndex = one.retrieval === other.retrieval;
  const sameMind = one.model === other.model && one.thinking === other.thinking;
  if (one.strategy !== other.strategy) {
    // A strategy without a model is compared with every model of the others.
    const comparable = sameIndex && (sameMind || one.model === null || other.model === null);
    if (!comparable || !isPair(one.strategy, other.strategy)) return null;
    const mind = one.model === null ? other : one;
    return { a: one.strategy, b: other.strategy, setting: `${mindName(mind)}, ${one.retrieval}` };
  }
  if (!sameIndex) {
    if (!sameMind || one.retrieval !== "dense") return null;
    return { a: one.retrieval, b: other.retrieval, setting: `${one.strategy}, ${mindName(one)}` };
  }
  if (one.model !== other.model || one.thinking !== true || other.thinking !== false) return null;
  return { a: "thinking", b: "not thinking", setting: `${one.strategy}, ${one.model}, ${one.retrieval}` };
}

function isPair(a: string, b: string): boolean {
  return b === reference || patternPairs.has(`${a} ${b}`);
}

function compare(one: CellGroup, other: CellGroup, names: Names, drawFor: (entity: string) => Draw) {
  const measure = mainMeasure[one.task];
  if (measure === undefined) return null;
  const [a, b] = [one, other].map((group) => topicMeans(group, ({ values }) => values[measure] ?? null)) as [
    Map<string, number>,
    Map<string, number>,
  ];
  const shared = [...a.keys()].filter((topic) => b.has(topic));
  const [left, right] = [a, b].map((values) => shared.map((topic) => values.get(topic) as number)) as [
    number[],
    number[],
  ];
  const { mean, low, high, n, sd } = pairedDifference(left, right);
  const entity = `${one.task} ${names.a} ${names.b} ${names.setting}`;
  const differences = left.map((value, index) => value - (right[index] as number));
  const p = randomizationTest(differences, drawFor(entity));
  if (mean === null || p === null) return null;
  const worlds = byWorld(shared, differences, mean);
  return { task: one.task, measure, ...names, difference: { mean, low, high }, n, sd, p, worlds };
}

function byWorld(topics: readonly string[], differences: readonly number[], overall: number): Comparison["worlds"] {
  const worlds = new Map<string, Moments>();
  topics.forEach((topic, index) => {
    const world = topic.slice(0, topic.indexOf("/"));
    const moments = worlds.get(world) ?? new Moments();
    moments.add(differences[index] as number);
    worlds.set(world, moments);
  });
  const means = [...worlds.values()].map(({ mean }) => mean as number);
  const sameSign = means.filter((mean) => Math.sign(mean) === Math.sign(overall)).length;
  return { n: means.length, sameSign, sd: new Moments(means).sd };
}
