import { concentration } from "../metrics/concentration.ts";
import type { ScoredGroup } from "../statistics/score-table.ts";
import type { Traffic } from "../statistics/traffic.ts";
import { intervalText, markdownTable } from "./markdown.ts";
import type { QueryCounts } from "./metrics-json.ts";

export interface SummaryInput {
  readonly scenario: string;
  readonly seed: number;
  readonly status: string;
  readonly traceSha256: string | null;
  readonly nowMs: number;
  readonly queries: QueryCounts;
  readonly groups: readonly ScoredGroup[];
  readonly traffic: Traffic;
  readonly sites: readonly string[];
  readonly notices: readonly string[];
  /** The measures that a table of a task shows. */
  readonly headline: (task: string) => readonly string[];
}

/** The measures a summary shows, with the number of decimals. */
const effort = ["turns", "agents", "requests", "userValidity", "contentTurns", "contentValidity"];

const busiest = 10;

/** A run in words and two tables, as Markdown: `report.md`, and what the command line prints at the end. */
export function runSummary(input: SummaryInput): string {
  const { scenario, seed, status, traceSha256, nowMs, queries, groups, notices } = input;
  const { arrived, answered, unanswered, failed, inFlight } = queries;
  const rest = inFlight === 0 ? "" : `, ${inFlight} in flight at the end and not scored`;
  return [
    `# ${scenario}, seed ${seed}`,
    "",
    `${capitalised(status)} at ${clockText(nowMs)} of virtual time: ${arrived} queries arrived, ${answered} answered, ${unanswered} unanswered, ${failed} failed${rest}.`,
    "",
    "Means with 95 % intervals that resample topics; unanswered and failed queries count as 0.",
    "",
    ...tasksOf(groups).flatMap((task) => [
      ...groupTable(
        groups.filter((group) => group.task === task),
        input.headline(task),
      ),
      "",
    ]),
    ...groupTable(groups, effort),
    "",
    ...trafficTable(input),
    "",
    ...notices.flatMap((notice) => [notice, ""]),
    traceSha256 === null ? "The run did not complete: it has no trace hash." : `Trace ${traceSha256}`,
    "",
  ].join("\n");
}

function tasksOf(groups: readonly ScoredGroup[]): string[] {
  return [...new Set(groups.map(({ task }) => task))];
}

function groupTable(groups: readonly ScoredGroup[], wanted: readonly string[]): string[] {
  const columns = wanted.filter((name) => groups.some(({ measures }) => measures[name] !== undefined));
  return markdownTable(
    ["task", "strategy", "model", "n", ...columns],
    groups.map(({ task, strategy, model, n, measures }) => [
      task,
      strategy,
      model ?? "none",
      String(n),
      ...columns.map((name) => intervalText(measures[name])),
    ]),
  );
}

function trafficTable({ traffic, sites }: SummaryInput): string[] {
  const { contacts, citations } = traffic;
  const counts = contacts.size > 0 ? contacts : citations;
  const total = sum(counts.values());
  if (total === 0) return ["No site was asked or cited."];
  const citationTotal = sum(citations.values());
  const rows = [...counts]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, busiest)
    .map(([site]) => [
      site,
      String(contacts.get(site) ?? 0),
      shareText(contacts.get(site) ?? 0, sum(contacts.values())),
      String(citations.get(site) ?? 0),
      shareText(citations.get(site) ?? 0, citationTotal),
    ]);
  const { effectiveSites, top10 } = concentration(sites.map((site) => citations.get(site) ?? 0));
  return [
    ...markdownTable(["busiest sites", "contacts", "share", "citations", "share"], rows),
    "",
    `Citations are spread as over ${effectiveSites === null ? "an unknown number of" : effectiveSites.toFixed(1)} equal sites (of ${sites.length}); the ten most cited have ${top10 === null ? "none" : `${(100 * top10).toFixed(1)} %`}.`,
  ];
}

function shareText(count: number, total: number): string {
  return total === 0 ? "-" : `${((100 * count) / total).toFixed(1)} %`;
}

function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = Math.floor(seconds / 86_400);
  const time = `${two(Math.floor(seconds / 3600) % 24)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return day === 0 ? time : `day ${day + 1}, ${time}`;
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
