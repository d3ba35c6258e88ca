import type { TaskName } from "../corpora/format.ts";
import { type Distribution, toDistribution } from "./distribution.ts";
import type { InterventionDocument } from "./intervention-document.ts";
import type { BlocksDocument } from "./site-document.ts";
import { durationMs, ratePerHour } from "./units.ts";

/** Whom a site blocks; null where it is open to all. */
export type Blocks = {
  /** All agents; else those of the strategies and assistants named. A strategy without a model has no agent. */
  readonly agents: boolean;
  readonly strategies: readonly string[];
  readonly assistants: readonly string[];
  /** What is withheld: every answer, or the documents alone. */
  readonly withholds: "answers" | "documents";
} | null;

/** What can be set of a site while a run goes on. */
export interface SiteChange {
  readonly capacity?: number | "unlimited";
  readonly latency?: Distribution;
  readonly queueLimit?: number | "unlimited";
  readonly blocks?: Blocks;
}

export type Interests = { readonly topics: "uniform" } | { readonly topics: "zipf"; readonly exponent: number };
export type TaskShares = Readonly<Partial<Record<TaskName, number>>>;

/** A change of the world at a virtual time. Sites are in the order of the file. */
export type Intervention =
  | { readonly kind: "outage"; readonly atMs: number; readonly sites: readonly string[]; readonly forMs: number }
  | { readonly kind: "remove" | "block" | "unblock"; readonly atMs: number; readonly sites: readonly string[] }
  /** `sha256` is that of the site and its documents. */
  | { readonly kind: "add"; readonly atMs: number; readonly site: string; readonly sha256: string }
  | ({ readonly kind: "set"; readonly atMs: number; readonly sites: readonly string[] } & SiteChange)
  | {
      readonly kind: "set-population";
      readonly atMs: number;
      readonly ratePerHour?: number;
      readonly interests?: Interests;
      readonly tasks?: TaskShares;
    }
  | {
      readonly kind: "set-assistant";
      readonly atMs: number;
      readonly assistant: string;
      /** Against the shares that the assistants begin with, which sum to 1. */
      readonly share?: number;
      /** The index of the assistant that takes its place. */
      readonly becomes?: number;
    }
  | { readonly kind: "demand"; readonly atMs: number; readonly factor: number; readonly forMs: number }
  | {
      readonly kind: "topic-shock";
      readonly atMs: number;
      readonly share: number;
      readonly topics: readonly string[] | null;
      readonly goldSites: readonly string[] | null;
      readonly forMs: number;
    };

/** What an intervention's file, or another part of the scenario, says about it. */
export interface InterventionContext {
  /** The site that the n-th intervention of the file adds. */
  added(index: number): { readonly id: string; readonly sha256: string };
  /** The index of the assistant that the n-th intervention of the file makes; undefined when it makes none. */
  becomes(index: number): number | undefined;
  /** The sum of the shares that the assistants begin with. */
  readonly totalShare: number;
}

/** In order of time; those of one time in the order of the file. */
export function toInterventions(
  document: readonly InterventionDocument[],
  context: InterventionContext,
): Intervention[] {
  return document.map((each, index) => toIntervention(each, index, context)).sort((a, b) => a.atMs - b.atMs);
}

function toIntervention(document: InterventionDocument, index: number, context: InterventionContext): Intervention {
  const atMs = durationMs(document.at);
  if ("outage" in document) {
    return { kind: "outage", atMs, sites: [document.outage].flat(), forMs: durationMs(document.for) };
  }
  if ("remove" in document) return { kind: "remove", atMs, sites: [document.remove].flat() };
  if ("block" in document) return { kind: "block", atMs, sites: [document.block].flat() };
  if ("unblock" in document) return { kind: "unblock", atMs, sites: [document.unblock].flat() };
  if ("add" in document) {
    const { id, sha256 } = context.added(index);
    return { kind: "add", atMs, site: id, sha256 };
  }
  if ("demand" in document) {
    return { kind: "demand", atMs, factor: document.demand, forMs: durationMs(document.for) };
  }
  if ("topic-shock" in document) {
    const { topics = null, "gold-sites": sites, share } = document["topic-shock"];
    const goldSites = sites === undefined ? null : [sites].flat();
    return { kind: "topic-shock", atMs, share, topics, goldSites, forMs: durationMs(document.for) };
  }
  return toSetting(document.set, atMs, index, context);
}

function toSetting(
  set: Extract<InterventionDocument, { set: unknown }>["set"],
  atMs: number,
  index: number,
  context: InterventionContext,
): Intervention {
  if ("site" in set) return { kind: "set", atMs, sites: [set.site].flat(), ...toSiteChange(set) };
  if ("population" in set) {
    const { rate, interests, tasks } = set.population;
    return {
      kind: "set-population",
      atMs,
      ...(rate !== undefined && { ratePerHour: ratePerHour(rate) }),
      ...(interests !== undefined && { interests }),
      ...(tasks !== undefined && { tasks: toTaskShares(tasks) }),
    };
  }
  const becomes = context.becomes(index);
  return {
    kind: "set-assistant",
    atMs,
    assistant: set.assistant,
    ...(set.share !== undefined && { share: set.share / context.totalShare }),
    ...(becomes !== undefined && { becomes }),
  };
}

/** A site's own settings in the terms of the code; what is not given is not there. */
export function toSiteChange(document: {
  readonly capacity?: number | "unlimited" | undefined;
  readonly latency?: Parameters<typeof toDistribution>[0] | undefined;
  readonly "queue-limit"?: number | "unlimited" | undefined;
  readonly blocks?: BlocksDocument | undefined;
}): SiteChange {
  const { capacity, latency, "queue-limit": queueLimit, blocks } = document;
  return {
    ...(capacity !== undefined && { capacity }),
    ...(latency !== undefined && { latency: toDistribution(latency) }),
    ...(queueLimit !== undefined && { queueLimit }),
    ...(blocks !== undefined && { blocks: toBlocks(blocks) }),
  };
}

function toBlocks(document: BlocksDocument): Blocks {
  if (document === "none") return null;
  if (document === "agents") return blockAgents;
  if (document === "documents") return { ...blockAgents, withholds: "documents" };
  const { strategy = [], assistant = [], only } = document;
  return {
    agents: false,
    strategies: [strategy].flat(),
    assistants: [assistant].flat(),
    withholds: only ?? "answers",
  };
}

/** All agents, altogether. */
export const blockAgents: NonNullable<Blocks> = { agents: true, strategies: [], assistants: [], withholds: "answers" };

/** The tasks in use with their shares, which sum to 1. */
export function toTaskShares(document: Readonly<Partial<Record<TaskName, number | undefined>>>): TaskShares {
  const used = Object.entries(document).filter((entry): entry is [TaskName, number] => (entry[1] ?? 0) > 0);
  const total = used.reduce((sum, [, share]) => sum + share, 0);
  return Object.fromEntries(used.map(([task, share]) => [task, share / total]));
}
