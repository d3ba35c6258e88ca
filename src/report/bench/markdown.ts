import { type Interval, tInterval } from "../../metrics/intervals.ts";
import { intervalText, markdownTable } from "../markdown.ts";
import { type CalibrationRow, tolerance } from "./calibration.ts";
import { type BenchCell, type CellGroup, groupCells, mindName } from "./cell.ts";
import type { Comparison } from "./comparisons.ts";
import type { PatternResult } from "./patterns.ts";
import { type PublishedRow, publishedHeading } from "./published.ts";
import type { BenchResults } from "./results.ts";
import type { WaterfallStage } from "./waterfall.ts";

/** A bench as a page: patterns, losses, measures, comparisons, and, apart, what was published. */
export function benchMarkdown(results: BenchResults): string {
  const { patterns, waterfall, cells, comparisons, calibration, published, notices } = results;
  return [
    "# Bench",
    "",
    ...notices.flatMap((notice) => [notice, ""]),
    ...patternPart(patterns),
    ...waterfallPart(waterfall),
    ...measuresPart(cells),
    ...comparisonsPart(comparisons),
    ...(calibration === null ? [] : calibrationPart(calibration)),
    ...publishedPart(
      published.source,
      published.rows.filter(({ task }) => cells.some((cell) => cell.task === task)),
    ),
  ].join("\n");
}

function patternPart(patterns: readonly PatternResult[]): string[] {
  return [
    "## Patterns",
    "",
    "Patterns that the published table of AgentWebBench shows for every model. A pattern is looked at once a world and replication, by the means of its cells; `holds` is the share in which it holds, with a 95 % interval.",
    "",
    ...markdownTable(
      ["pattern", "task", "measure", "model", "index", "holds", "n"],
      patterns.map((pattern) => [
        pattern.name,
        pattern.task,
        pattern.measure,
        pattern.n === 0 ? "" : pattern.model === null ? "all" : mindName(pattern),
        pattern.n === 0 ? "" : (pattern.retrieval ?? "all"),
        pattern.note ?? shareText(pattern),
        String(pattern.n),
      ]),
    ),
    "",
  ];
}

function shareText({ holds, low, high }: PatternResult): string {
  const percent = (share: number): string => (100 * share).toFixed(0);
  const ends = low === null || high === null ? "" : ` [${percent(low)}, ${percent(high)}]`;
  return holds === null ? "-" : `${percent(holds)} %${ends}`;
}

function waterfallPart(stages: readonly WaterfallStage[]): string[] {
  if (stages.length === 0) return [];
  return [
    "## Where relevant pages are lost",
    "",
    "The share of topics with a relevant page: among the ten first of the central index; found when exactly the sites that hold one are searched; on a site that was asked; found there by any search; handed over by a content agent; in the user agent's answer. `step` is the paired difference from the stage before, over the same topics.",
    "",
    ...markdownTable(
      ["task", "model", "index", "stage", "share", "step", "n"],
      stages.map(({ task, retrieval, stage, recall, step, ...mind }) => [
        task,
        mindName(mind),
        retrieval,
        stage,
        intervalText(recall),
        step === null ? "" : intervalText(step),
        String(recall.n),
      ]),
    ),
    "",
  ];
}

/** What the tables show, a task: quality first, then effort. Measures that no cell has are left out. */
const shown: Readonly<Record<string, readonly string[]>> = {
  "web-search": ["ndcg@3", "ndcg@5", "recall@3", "recall@5", "siteRecall"],
  "web-recommendation": ["ndcg@3", "ndcg@5", "recall@3", "recall@5", "siteRecall"],
  "question-answering": ["f1", "exactMatch", "answerContainment", "accuracy", "siteRecall"],
  "deep-research": ["keyPointMatch", "kpr", "kpc", "clarity", "insight", "siteRecall", "citedAgents", "noReference"],
};
const effort = ["turns", "agents", "requests", "userValidity", "contentTurns", "contentValidity"];

function measuresPart(cells: readonly BenchCell[]): string[] {
  const groups = groupCells(cells);
  const tasks = [...new Set(groups.map(({ task }) => task))];
  const several = groups.some((group) => group.cells.length > 1);
  return [
    "## Measures",
    "",
    several
      ? "Means over worlds, replications averaged, with Student's interval over worlds: it takes more than one world to have one. n is the number of topics of all worlds. The intervals within each world are in bench.csv."
      : "Means over topics with 95 % intervals that resample topics; unanswered and failed queries count as 0. One world: what is found here may not hold in another.",
    "",
    ...tasks.flatMap((task) => {
      const own = groups.filter((group) => group.task === task);
      return [
        `### ${task}`,
        "",
        ...groupTable(own, shown[task] ?? [], several),
        "",
        ...groupTable(
          own.filter(({ model }) => model !== null),
          effort,
          several,
        ),
        "",
      ];
    }),
  ];
}

function groupTable(groups: readonly CellGroup[], wanted: readonly string[], several: boolean): string[] {
  const columns = wanted.filter((name) =>
    groups.some(({ cells }) => cells.some((cell) => (cell.measures[name]?.n ?? 0) > 0)),
  );
  return markdownTable(
    ["strategy", "model", "index", "n", ...columns],
    groups.map((group) => [
      group.strategy,
      mindName(group),
      group.retrieval,
      String(topicsOf(group)),
      ...columns.map((name) => intervalText(figureOf(group, name, several) ?? undefined)),
    ]),
  );
}

function topicsOf({ cells }: CellGroup): number {
  const worlds = new Map(cells.map(({ world, n }) => [world, n]));
  return [...worlds.values()].reduce((total, n) => total + n, 0);
}

function figureOf({ cells }: CellGroup, name: string, several: boolean): Interval | null {
  if (!several) return cells[0]?.measures[name] ?? null;
  const worlds = new Map<number, number[]>();
  for (const { world, measures } of cells) {
    const mean = measures[name]?.mean ?? null;
    if (mean !== null) worlds.set(world, [...(worlds.get(world) ?? []), mean]);
  }
  return tInterval([...worlds.values()].map((means) => means.reduce((sum, mean) => sum + mean, 0) / means.length));
}

function comparisonsPart(all: readonly Comparison[]): string[] {
  if (all.length === 0) return [];
  return [
    "## Paired comparisons",
    "",
    "a - b on the same topics, with Student's interval; p of Fisher's randomisation test, corrected by Holm's method for all comparisons of this page. `worlds` says in how many worlds the difference has the same sign. `awesim power` says what such an n can detect.",
    "",
    ...markdownTable(
      ["task", "measure", "a", "b", "setting", "a - b", "n", "p (Holm)", "worlds"],
      all.map(({ task, measure, a, b, setting, difference: { mean, low, high }, n, adjustedP, worlds }) => [
        task,
        measure,
        a,
        b,
        setting,
        intervalText({ mean, low, high, n, method: "t", level: 0.95 }),
        String(n),
        adjustedP < 0.001 ? "< 0.001" : adjustedP.toFixed(3),
        `${worlds.sameSign} of ${worlds.n}`,
      ]),
    ),
    "",
  ];
}

function calibrationPart(rows: readonly CalibrationRow[]): string[] {
  const missed = rows.filter(({ isReached }) => !isReached);
  const fitted = rows.filter(({ kind }) => kind === "fitted");
  const off = (row: CalibrationRow): string => (row.off === null ? "-" : `${(100 * row.off).toFixed(0)} %`);
  return [
    "## Calibration",
    "",
    `Profiles against the figures published for the models they are named after. Fitted figures were aimed at: that they are near proves nothing. Predicted ones were not. Reached means within ${100 * tolerance} % of the target: ${fitted.filter(({ isReached }) => isReached).length} of ${fitted.length} fitted and ${rows.length - fitted.length - missed.filter(({ kind }) => kind === "predicted").length} of ${rows.length - fitted.length} predicted figures.`,
    "",
    ...markdownTable(
      ["model", "task", "measure", "kind", "target", "value", "off", "reached"],
      rows.map((row) => [
        row.model,
        row.task,
        row.measure,
        row.kind,
        row.target.toFixed(3),
        intervalText(row.value),
        off(row),
        row.isReached ? "yes" : "no",
      ]),
    ),
    "",
    missed.length === 0
      ? "Everything is reached."
      : `Not reached: ${missed.map((row) => `${row.measure} of ${row.task} (${row.model}, ${row.kind}, ${off(row)})`).join("; ")}.`,
    "",
  ];
}

function publishedPart(source: string, rows: readonly PublishedRow[]): string[] {
  const tasks = [...new Set(rows.map(({ task }) => task))];
  if (tasks.length === 0) return [];
  return [
    `## ${publishedHeading}`,
    "",
    `${source}. These figures come from another collection of pages, other models and other judges: their size says nothing about the ones above.`,
    "",
    ...tasks.flatMap((task) => {
      const own = rows.filter((row) => row.task === task);
      const names = [...new Set(own.flatMap(({ measures }) => Object.keys(measures)))];
      const kinds = [names.filter((name) => !late.has(name)), names.filter((name) => late.has(name))];
      return [`### ${task}, as published`, "", ...kinds.flatMap((columns) => publishedTable(own, columns))];
    }),
  ];
}

/** Measures that were published for the multi-agent strategy alone: a table of their own. */
const late = new Set([...effort, "failureUserAgent", "failureContentAgents"]);

function publishedTable(rows: readonly PublishedRow[], columns: readonly string[]): string[] {
  const own = rows.filter(({ measures }) => columns.some((name) => measures[name] !== undefined));
  if (own.length === 0) return [];
  return [
    ...markdownTable(
      ["strategy", "model", "index", ...columns],
      own.map(({ strategy, model, retrieval, measures }) => [
        strategy,
        model,
        retrieval,
        ...columns.map((name) => (measures[name] === undefined ? "-" : String(measures[name]))),
      ]),
    ),
    "",
  ];
}
