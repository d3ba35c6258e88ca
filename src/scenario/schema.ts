import type { TaskName } from "../corpora/format.ts";
import { type Distribution, toDistribution } from "./distribution.ts";
import type { ScenarioDocument } from "./document.ts";
import {
  type Blocks,
  type Interests,
  type Intervention,
  type TaskShares,
  toInterventions,
  toSiteChange,
  toTaskShares,
} from "./interventions.ts";
import type { AddedSite } from "./added-site.ts";
import type { Clicks } from "./clicks.ts";
import { assumedDay } from "./day-profile.ts";
import type { Path } from "./path.ts";
import { durationMs, ratePerHour } from "./units.ts";

/** What a run simulates. Times and durations are whole virtual milliseconds, shares sum to 1. */
export interface Scenario {
  readonly name: string;
  readonly seed: number;
  /** The name of a corpus, or a path: see `resolveCorpus`. */
  readonly corpus: string;
  /** Missing only with every-topic arrivals: then the run ends with its last query. */
  readonly untilMs?: number;
  readonly horizon: Horizon;
  readonly population: Population;
  /** Those that the run begins with, and after them those that interventions put in their place. */
  readonly assistants: readonly Assistant[];
  readonly retrieval: RetrievalSettings;
  /** How many sites tool-e chooses, and the baselines that choose as it does. */
  readonly toolE: { readonly k: number };
  readonly agents: AgentSettings;
  readonly siteList: SiteList;
  /** The user's own modules, by name and the hash of their code. */
  readonly plugins: readonly { readonly name: string; readonly sha256: string }[];
  readonly models: { readonly latency: Distribution; readonly endpoint: EndpointSettings };
  /** Who judges what rules cannot; missing without a judge. */
  readonly judge?: { readonly model: string; readonly votes: number };
  readonly sites: {
    readonly default: SiteSettings;
    readonly bySite: Readonly<Record<string, SiteSettings>>;
    /** Null where nobody counts money. */
    readonly economy: Economy | null;
  };
  readonly interventions: readonly Intervention[];
  readonly statistics: { readonly windowMs: number };
}

export interface RetrievalSettings {
  readonly index: "dense" | "bm25" | "hybrid";
  readonly embedder: string;
  readonly documentsPerSite: number;
  readonly bm25: { readonly k1: number; readonly b: number };
  readonly hybrid: { readonly rankConstant: number; readonly depth: number };
}

export type Horizon =
  | { readonly kind: "terminating" }
  | { readonly kind: "steady-state"; readonly warmUpMs: number; readonly coolDownMs: number };

export interface Population {
  readonly users: number;
  readonly arrivals: Arrivals;
  readonly interests: Interests;
  /** The tasks in use with their shares, all above 0. */
  readonly tasks: TaskShares;
  readonly clicks: Clicks;
}

/** Rates are of queries (poisson; diurnal on average over a day) or topics (every-topic), of the whole population. */
export type Arrivals =
  | { readonly process: "poisson"; readonly ratePerHour: number }
  | { readonly process: "diurnal"; readonly ratePerHour: number; readonly profile: readonly number[] }
  | { readonly process: "every-topic"; readonly ratePerHour: number; readonly topics?: number }
  | { readonly process: "trace"; readonly timesMs: readonly number[] };

export interface Assistant {
  readonly share: number;
  readonly strategy: string;
  readonly model: string;
  readonly thinking: boolean;
  readonly name?: string;
  /** The intervention of the file that puts it in another's place; its share is 0 before. */
  readonly madeBy?: number;
}

export interface AgentSettings {
  readonly turns: number;
  readonly contentAgentTurns: number;
  readonly documentsPerAnswer: number;
  readonly maxSitesPerSearch: number | "unlimited";
  /** In tokens. */
  readonly summaryReminder: number | "off";
  readonly summaryReminderCounts: "history" | "prompt";
  readonly finalAnswer: "forced" | "none";
  readonly formatRetries: number;
  readonly contentAgentOnInvalid: "stop" | "remind";
  readonly thoughts: "fed-back" | "dropped";
  /** A number: so many characters of it. */
  readonly documentText: "full" | "summary-only" | number;
  readonly showUrl: boolean;
  readonly contentAgentSees: "query" | "query+task";
  readonly resultOrder: "request" | "completion";
  readonly answerIds: "any" | "retrieved-only";
  readonly requestTimeoutMs: number;
}

/** How user agents see the list of sites. */
export interface SiteList {
  readonly order: "fixed" | "size" | "shuffled-per-query";
  readonly names: "real" | "masked";
  readonly descriptions: "full" | "name-only" | "masked";
}

export interface EndpointSettings {
  readonly baseUrl?: string;
  readonly baseUrlVariable: string;
  readonly keyVariable: string;
  readonly concurrency: number;
  readonly thinkingOn: string;
  readonly thinkingOff: string;
  readonly stream: boolean;
  readonly context?: number;
  /** In real time. */
  readonly timeoutMs: number;
}

/** Amounts are of one currency. */
export interface Economy {
  readonly everyMs: number;
  readonly revenuePerCitation: number;
  readonly pricePerRequest: number;
  readonly costPerRequest: number;
  readonly exitBelow: number;
  /** Sites that enter in the place of those that leave; `sha256` is that of the site and its documents. */
  readonly entrants: readonly { readonly site: string; readonly sha256: string }[];
}

/** Sites that are not there from the beginning. */
export function laterSites({ interventions, sites }: Scenario): Set<string> {
  const added = interventions.flatMap((each) => (each.kind === "add" ? each.site : []));
  return new Set([...added, ...(sites.economy?.entrants ?? []).map(({ site }) => site)]);
}

export interface SiteSettings {
  readonly capacity: number | "unlimited";
  readonly latency: Distribution;
  readonly queueLimit: number | "unlimited";
  readonly blocks: Blocks;
}

/** Where the document says what an assistant is. */
export function assistantPath({ assistants }: Scenario, index: number): Path {
  const madeBy = assistants[index]?.madeBy;
  return madeBy === undefined ? ["assistants", index] : ["interventions", madeBy, "set"];
}

/** The tasks that queries can have in the course of a run. */
export function tasksInUse({ population, interventions }: Scenario): TaskName[] {
  const later = interventions.flatMap((each) =>
    each.kind === "set-population" && each.tasks !== undefined ? Object.keys(each.tasks) : [],
  );
  return [...new Set([...Object.keys(population.tasks), ...later])] as TaskName[];
}

/** How a site behaves before any intervention. */
export function siteSettings(scenario: Scenario, site: string): SiteSettings {
  return scenario.sites.bySite[site] ?? scenario.sites.default;
}

/**
 * The resolved document in the terms of the code. A trace's file must have been read into times; `added` holds the
 * sites that interventions add, by the intervention's index, `entrants` those that enter by themselves.
 */
export function toScenario(
  document: ScenarioDocument,
  plugins: Scenario["plugins"] = [],
  added: ReadonlyMap<number, AddedSite> = new Map(),
  entrants: readonly AddedSite[] = [],
): Scenario {
  const { retrieval, agents, models } = document;
  const { assistants, becomes, totalShare } = toAssistants(document);
  const baseUrl = models.endpoint["base-url"];
  return {
    name: document.name,
    seed: document.seed,
    corpus: document.corpus,
    ...(document.until !== undefined && { untilMs: durationMs(document.until) }),
    horizon: toHorizon(document.horizon),
    population: toPopulation(document.population),
    assistants,
    retrieval: {
      index: retrieval.index,
      embedder: retrieval.embedder,
      documentsPerSite: retrieval["documents-per-site"],
      bm25: retrieval.bm25,
      hybrid: { rankConstant: retrieval.hybrid["rank-constant"], depth: retrieval.hybrid.depth },
    },
    toolE: { k: document["tool-e"].k },
    agents: {
      turns: agents.turns,
      contentAgentTurns: agents["content-agent-turns"],
      documentsPerAnswer: agents["documents-per-answer"],
      maxSitesPerSearch: agents["max-sites-per-search"],
      summaryReminder: agents["summary-reminder"],
      summaryReminderCounts: agents["summary-reminder-counts"],
      finalAnswer: agents["final-answer"],
      formatRetries: agents["format-retries"],
      contentAgentOnInvalid: agents["content-agent-on-invalid"],
      thoughts: agents.thoughts,
      documentText: toDocumentText(agents["document-text"]),
      showUrl: agents["show-url"],
      contentAgentSees: agents["content-agent-sees"],
      resultOrder: agents["result-order"],
      answerIds: agents["answer-ids"],
      requestTimeoutMs: durationMs(agents["request-timeout"]),
    },
    siteList: document["site-list"],
    plugins: plugins.map(({ name, sha256 }) => ({ name, sha256 })),
    models: {
      latency: toDistribution(models.latency),
      endpoint: {
        ...(baseUrl !== undefined && { baseUrl }),
        baseUrlVariable: models.endpoint["base-url-variable"],
        keyVariable: models.endpoint["key-variable"],
        concurrency: models.endpoint.concurrency,
        thinkingOn: models.endpoint["thinking-on"],
        thinkingOff: models.endpoint["thinking-off"],
        stream: models.endpoint.stream,
        ...(models.endpoint.context !== undefined && { context: models.endpoint.context }),
        timeoutMs: durationMs(models.endpoint.timeout),
      },
    },
    ...(document.judge !== undefined && { judge: document.judge }),
    sites: toSites(document.sites, entrants),
    interventions: toInterventions(document.interventions, {
      added(index) {
        const { site, sha256 } = added.get(index) as AddedSite;
        return { id: site.id, sha256 };
      },
      becomes: (index) => becomes.get(index),
      totalShare,
    }),
    statistics: { windowMs: durationMs(document.statistics.window) },
  };
}

function toDocumentText(text: string): AgentSettings["documentText"] {
  return text === "full" || text === "summary-only" ? text : Number(text.slice("snippet:".length));
}

function toHorizon(document: ScenarioDocument["horizon"]): Horizon {
  if (document === "terminating") return { kind: "terminating" };
  const { "warm-up": warmUp, "cool-down": coolDown } = document["steady-state"];
  return { kind: "steady-state", warmUpMs: durationMs(warmUp), coolDownMs: durationMs(coolDown) };
}

function toPopulation({ users, arrivals, interests, tasks, clicks }: ScenarioDocument["population"]): Population {
  return { users, arrivals: toArrivals(arrivals), interests, tasks: toTaskShares(tasks), clicks };
}

function toArrivals(document: ScenarioDocument["population"]["arrivals"]): Arrivals {
  switch (document.process) {
    case "poisson":
      return { process: "poisson", ratePerHour: ratePerHour(document.rate) };
    case "diurnal":
      return {
        process: "diurnal",
        ratePerHour: ratePerHour(document.rate),
        profile: document.profile ?? assumedDay,
      };
    case "every-topic": {
      const { topics } = document;
      return {
        process: "every-topic",
        ratePerHour: ratePerHour(document.rate),
        ...(topics !== undefined && { topics }),
      };
    }
    case "trace":
      return { process: "trace", timesMs: (document.times ?? []).map(durationMs).sort((a, b) => a - b) };
  }
}

/** The assistants, and which of them interventions put in the place of others, by the intervention's index. */
function toAssistants({ assistants: document, interventions }: ScenarioDocument) {
  const totalShare = sum(document.map(({ share }) => share ?? 1));
  const assistants: Assistant[] = document.map(({ share, strategy, model, thinking, name }) => ({
    share: (share ?? 1) / totalShare,
    strategy,
    model,
    thinking,
    ...(name !== undefined && { name }),
  }));
  const becomes = new Map<number, number>();
  const inTime = [...interventions.entries()].sort(([, a], [, b]) => durationMs(a.at) - durationMs(b.at));
  const latest = new Map(assistants.map((each) => [each.name, each]));
  for (const [index, intervention] of inTime) {
    if (!("set" in intervention && "assistant" in intervention.set)) continue;
    const { assistant, strategy, model, thinking } = intervention.set;
    const before = latest.get(assistant);
    if (before === undefined || (strategy ?? model ?? thinking) === undefined) continue;
    const after: Assistant = {
      ...before,
      share: 0,
      strategy: strategy ?? before.strategy,
      model: model ?? before.model,
      thinking: thinking ?? before.thinking,
      madeBy: index,
    };
    latest.set(assistant, after);
    becomes.set(index, assistants.length);
    assistants.push(after);
  }
  return { assistants, becomes, totalShare };
}

function toSites(
  { default: defaults, economy, ...named }: ScenarioDocument["sites"],
  entrants: readonly AddedSite[],
): Scenario["sites"] {
  const shared = toSiteChange(defaults) as SiteSettings; // the document has all of its keys
  const bySite = Object.entries(named).map(([site, own]): [string, SiteSettings] => [
    site,
    { ...shared, ...toSiteChange(own) },
  ]);
  return {
    default: shared,
    bySite: Object.fromEntries(bySite),
    economy: economy === undefined ? null : toEconomy(economy, entrants),
  };
}

function toEconomy(
  document: NonNullable<ScenarioDocument["sites"]["economy"]>,
  entrants: readonly AddedSite[],
): Economy {
  return {
    everyMs: durationMs(document.every),
    revenuePerCitation: document["revenue-per-citation"],
    pricePerRequest: document["price-per-request"],
    costPerRequest: document["cost-per-request"],
    exitBelow: document["exit-below"],
    entrants: entrants.map(({ site, sha256 }) => ({ site: site.id, sha256 })),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
