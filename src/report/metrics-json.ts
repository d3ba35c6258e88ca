import { concentration } from "../metrics/concentration.ts";
import type { ScoredGroup } from "../statistics/score-table.ts";
import type { SiteCounts, Traffic } from "../statistics/traffic.ts";

export interface QueryCounts {
  readonly arrived: number;
  readonly answered: number;
  readonly unanswered: number;
  readonly failed: number;
  /** Arrived too late to be scored, and unfinished at the end. */
  readonly inFlight: number;
}

/** Who judged the queries of a task. */
export interface TaskJudging {
  /** Measures that only a judge gives: null without one. */
  readonly measures: readonly string[];
  readonly judge: {
    readonly kind: "llm";
    readonly model: string;
    readonly promptSha256: string;
    readonly votes: number;
  } | null;
}

export interface MetricsInput {
  readonly scenario: string;
  readonly seed: number;
  readonly replication: number;
  readonly traceSha256: string | null;
  readonly untilMs: number;
  readonly messages: number;
  readonly events: number | null;
  readonly queries: QueryCounts;
  readonly groups: readonly ScoredGroup[];
  readonly retrieval: string;
  readonly judging: (task: string) => TaskJudging;
  readonly traffic: Traffic;
  /** The declared set: all sites of the corpus, those without traffic included. */
  readonly sites: readonly string[];
}

/** What `metrics.json` holds. */
export type RunMetrics = ReturnType<typeof metricsJson>;

/** The measures of one task and assistant; null for one that only a judge gives, where none was at work. */
export type ReportedGroup = RunMetrics["groups"][number];

/** `metrics.json`: all measures of a run with n, mean, interval and method. */
export function metricsJson(input: MetricsInput) {
  const { scenario, seed, replication, traceSha256, untilMs, messages, events, queries, traffic, sites } = input;
  const { answered, unanswered, failed } = queries;
  return {
    format: "awesim-metrics",
    version: 1,
    run: { scenario, seed, replication, traceSha256, untilMs, messages, events },
    queries: { ...queries, completed: answered + unanswered + failed },
    groups: input.groups.map((group) => ({
      task: group.task,
      strategy: group.strategy,
      model: group.model,
      retrieval: input.retrieval,
      thinking: group.thinking,
      n: group.n,
      ...judged(group, input.judging(group.task)),
    })),
    traffic: {
      contacts: shares(traffic.contacts),
      documents: shares(traffic.documents),
      citations: shares(traffic.citations),
      exposure: shares(traffic.exposure),
      visits: traffic.visits.size === 0 ? null : shares(traffic.visits),
    },
    concentration: {
      citations: concentration(countsOf(sites, traffic.citations)),
      contacts: concentration(countsOf(sites, traffic.contacts)),
      documents: concentration(countsOf(sites, traffic.documents)),
    },
  };
}

/** A measure that a judge alone can give is null where there was none. */
function judged({ measures }: ScoredGroup, { measures: names, judge }: TaskJudging) {
  const missing = Object.fromEntries(names.filter((name) => measures[name] === undefined).map((name) => [name, null]));
  const agreement = measures["judgeAgreement"]?.mean ?? null;
  return { judge: judge === null ? null : { ...judge, agreement }, measures: { ...measures, ...missing } };
}

function shares(counts: SiteCounts) {
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  return { total, sites: Object.fromEntries(sorted.map(([site, count]) => [site, { count, share: count / total }])) };
}

function countsOf(sites: readonly string[], counts: SiteCounts): number[] {
  return sites.map((site) => counts.get(site) ?? 0);
}
