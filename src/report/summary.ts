import { assumptionsOf } from "./assumptions.ts";
import { intervalText, markdownTable } from "./markdown.ts";
import type { ReportedGroup, RunMetrics } from "./metrics-json.ts";
import { assistantName } from "./record/names.ts";
import { cautions, type ToldRun, whatCameOut, whatRan } from "./words.ts";
import { clockText, countText, shareText } from "./units.ts";

const effort = ["turns", "agents", "requests", "userValidity", "contentTurns", "contentValidity"];
const losses = ["lossNotSelected", "lossNotRetrieved", "lossNotReturned", "lossNotRanked"];
const attribution = ["failureUserAgent", "failureContentAgents"];

const busiest = 10;
/** Columns of a printed line. */
const widest = 98;
/** So many assistants stand beside one another in 100 columns. */
const abreast = 3;

/** A run in words and a few tables of at most 100 columns: what the command line prints at the end. */
export function runSummary(run: ToldRun): string {
  return [...head(run), ...scores(run), ...trafficTable(run), "", ...notices(run)].flatMap(wrapped).join("\n");
}

/** The same and more as Markdown, for pasting: `report.md`. */
export function runMarkdown(run: ToldRun): string {
  const { metrics, description } = run;
  const { groups } = metrics;
  return [
    ...head(run),
    `${whatRan(run)} ${whatCameOut(run)}`,
    "",
    "## Read with care",
    "",
    ...cautions(run).map((caution) => `- ${caution}`),
    "",
    "## Scores and effort",
    "",
    ...scores(run),
    ...section("## Where relevant pages are lost", groups, losses, [
      "Share of queries that lost all relevant pages at a stage, the first that failed.",
    ]),
    ...section("## Whose failure, by the paper's rule", groups, attribution, ["Shares of the failures."]),
    "## Traffic",
    "",
    ...trafficTable(run),
    "",
    ...concentrationTable(metrics),
    "## What the figures rest on",
    "",
    ...markdownTable(
      ["figures", "rest on", "because"],
      assumptionsOf(description.facts).map(({ figures, tag, because }) => [figures, tag, because]),
    ),
    "",
    traceLine(metrics),
    "",
  ].join("\n");
}

function head({ description, status, metrics }: ToldRun): string[] {
  const { arrived, answered, unanswered, failed, inFlight } = metrics.queries;
  const rest = inFlight === 0 ? "" : `, ${countText(inFlight)} in flight at the end and not scored`;
  return [
    `# ${description.scenario}, seed ${description.seed}`,
    "",
    `${capitalised(status)} at ${clockText(metrics.run.untilMs)} of virtual time: ${countText(arrived)} queries arrived,`,
    `${countText(answered)} answered, ${countText(unanswered)} unanswered, ${countText(failed)} unfinished at the end${rest}.`,
    "",
    "Means with 95 % intervals that resample topics; a query without an answer counts as 0.",
    "",
  ];
}

function scores({ description, metrics }: ToldRun): string[] {
  return tasksOf(metrics.groups).flatMap(([task, groups]) =>
    groupTables(task, groups, [...description.headline(task), ...effort]),
  );
}

function section(title: string, all: readonly ReportedGroup[], measures: readonly string[], words: string[]): string[] {
  const known = all.filter((group) => measures.some((name) => (group.measures[name]?.n ?? 0) > 0));
  if (known.length === 0) return [];
  const tables = tasksOf(known).flatMap(([task, groups]) => groupTables(task, groups, measures));
  return [title, "", ...words, "", ...tables];
}

/** Measures below one another, assistants beside one another under letters, in as many tables as it takes. */
function groupTables(task: string, groups: readonly ReportedGroup[], measures: readonly string[]): string[] {
  const named = groups.map((group, index) => ({ group, letter: letterOf(index) }));
  const known = measures.filter((name) => groups.some((group) => (group.measures[name]?.n ?? 0) > 0));
  const tables = inChunks(named).flatMap((chunk) => [
    ...markdownTable(
      ["measure", ...chunk.map(({ letter }) => letter)],
      known.map((name) => [name, ...chunk.map(({ group }) => intervalText(group.measures[name] ?? undefined))]),
    ),
    "",
  ]);
  const legend = named.map(({ group, letter }) => `- ${letter}: ${assistantName(group)}, n ${countText(group.n)}`);
  return [`${task}:`, "", ...legend, "", ...tables];
}

/** A to Z, then A2 and so on. */
function letterOf(index: number): string {
  const round = Math.floor(index / 26);
  return `${String.fromCharCode(65 + (index % 26))}${round === 0 ? "" : round + 1}`;
}

function trafficTable({ metrics, description }: ToldRun): string[] {
  const { contacts, citations } = metrics.traffic;
  const order = contacts.total > 0 ? contacts : citations;
  if (order.total === 0) return ["No site was asked or cited."];
  const rows = Object.keys(order.sites)
    .slice(0, busiest)
    .map((site) => [
      site,
      countText(contacts.sites[site]?.count ?? 0),
      contacts.total === 0 ? "-" : shareText(contacts.sites[site]?.share ?? 0),
      countText(citations.sites[site]?.count ?? 0),
      citations.total === 0 ? "-" : shareText(citations.sites[site]?.share ?? 0),
    ]);
  const { effectiveSites, top10 } = metrics.concentration.citations;
  return [
    ...markdownTable(["busiest sites", "contacts", "share", "citations", "share"], rows),
    "",
    `Citations are spread as over ${effectiveSites === null ? "an unknown number of" : effectiveSites.toFixed(1)} equal sites (of ${description.sites.length}); the ten most cited have ${top10 === null ? "none" : shareText(top10)}.`,
  ];
}

function concentrationTable({ concentration }: RunMetrics): string[] {
  const number = (value: number | null, decimals: number): string => value?.toFixed(decimals) ?? "-";
  const rows = (["citations", "contacts", "documents"] as const)
    .filter((measure) => concentration[measure].n > 0)
    .map((measure) => {
      const { n, effectiveSites, hhiUnbiased, gini, giniPositive, top1, top10, coverage } = concentration[measure];
      return [
        measure,
        countText(n),
        number(effectiveSites, 1),
        number(hhiUnbiased, 4),
        number(gini, 3),
        number(giniPositive, 3),
        shareText(top1),
        shareText(top10),
        shareText(coverage),
      ];
    });
  const columns = [
    "measure",
    "events",
    "effective sites",
    "unbiased HHI",
    "Gini, all",
    "Gini, with any",
    "top 1",
    "top 10",
    "sites with any",
  ];
  return rows.length === 0 ? [] : [...markdownTable(columns, rows), ""];
}

function notices({ description, metrics }: ToldRun): string[] {
  return [...description.notices.flatMap((notice) => [notice, ""]), traceLine(metrics), ""];
}

function traceLine({ run }: RunMetrics): string {
  return run.traceSha256 === null ? "The run did not complete: it has no trace hash." : `Trace ${run.traceSha256}`;
}

/** A sentence broken at spaces; tables, lists and single words are left as they are. */
function wrapped(line: string): string[] {
  if (line.length <= widest || line.startsWith("|") || line.startsWith("- ")) return [line];
  const lines = [""];
  for (const word of line.split(" ")) {
    const last = lines.at(-1) as string;
    if (last !== "" && last.length + 1 + word.length > widest) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

function tasksOf(groups: readonly ReportedGroup[]): [task: string, groups: ReportedGroup[]][] {
  const byTask = new Map<string, ReportedGroup[]>();
  for (const group of groups) byTask.set(group.task, [...(byTask.get(group.task) ?? []), group]);
  return [...byTask];
}

/** As few lists as may be, none much longer than another. */
function inChunks<T>(list: readonly T[]): T[][] {
  const chunks = Math.ceil(list.length / abreast);
  const size = Math.ceil(list.length / Math.max(1, chunks));
  return Array.from({ length: chunks }, (_, index) => list.slice(index * size, (index + 1) * size));
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
