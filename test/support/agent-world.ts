import { join } from "node:path";
import { createActor } from "xstate";
import "./quiet-xstate.ts";
import type { Environment } from "../../src/agents/environment.ts";
import { pageSegment, pagesInformation } from "../../src/agents/information.ts";
import type { Hit, ModelAnswer, ModelPort } from "../../src/agents/ports.ts";
import { estimateTokens, promptText } from "../../src/agents/prompt.ts";
import type { Outcome } from "../../src/agents/task.ts";
import { type ShownText, shownPages } from "../../src/agents/shown-pages.ts";
import { readPrompts } from "../../src/agents/templates.ts";
import { userAgentMachine } from "../../src/agents/user-agent.ts";
import { UserAgentSession } from "../../src/agents/user-agent-session.ts";
import { Kernel, kernelClock } from "../../src/kernel/kernel.ts";
import { Streams } from "../../src/kernel/random.ts";
import { packageRoot } from "../../src/package-root.ts";
import { Sites } from "../../src/run/site-directory.ts";
import { documentSchema } from "../../src/scenario/document.ts";
import { toScenario } from "../../src/scenario/schema.ts";
import { findStrategy } from "../../src/strategies/registry.ts";
import { webSearch } from "../../src/tasks/web-search.ts";
import { FactStream } from "../../src/trace/fact-stream.ts";
import type { Fact, FactOf, FactType } from "../../src/trace/facts.ts";
import { sha256 } from "../../src/trace/hash.ts";

/** What a model is asked: by which agent of which query, in which turn, with what prompt. */
export interface Asked {
  readonly caller: string;
  readonly query: string;
  /** `user`, or a site. */
  readonly agent: string;
  /** The n-th request of its query, for a content agent. */
  readonly request: number;
  readonly turn: number;
  readonly prompt: string;
  readonly atMs: number;
}

export interface AgentWorldOptions {
  /** What the model says, and thinks if it is to. */
  readonly model: (asked: Asked) => string | { readonly text: string; readonly thought: string };
  /** Texts of pages by site; a page's id is `<first label of the site>-<n>`, n from 1. */
  readonly pages?: Readonly<Record<string, readonly string[]>>;
  readonly agents?: Partial<Environment["settings"]>;
  /** As a scenario's YAML has them. */
  readonly sites?: unknown;
  readonly interventions?: unknown;
  readonly siteList?: unknown;
  readonly shown?: { readonly text: ShownText; readonly showUrl: boolean };
  readonly strategy?: string;
  readonly goldSites?: readonly string[];
  /** What the index selects, of all sites, best first. */
  readonly selects?: readonly string[];
  /** The model's name; nothing may go by it. */
  readonly modelName?: string;
  readonly modelMs?: (caller: string) => number;
  readonly siteMs?: (site: string, entity: string) => number;
}

export interface AskedQuery {
  /** The states that the user agent's machine has been in, in order. */
  readonly states: string[];
  /** Null until the query is completed. */
  outcome: Outcome | null;
}

export const modelMs = 1000;
export const siteMs = 100;
const agentSettings: Environment["settings"] = {
  turns: 6,
  contentAgentTurns: 4,
  documentsPerSearch: 3,
  documentsPerAnswer: 3,
  maxSitesPerSearch: 10,
  sitesPerSelection: 2,
  summaryReminder: null,
  summaryReminderCounts: "history",
  finalAnswer: "none",
  formatRetries: 0,
  contentAgentOnInvalid: "remind",
  thoughts: "dropped",
  contentAgentSees: "query",
  resultOrder: "request",
  answerIds: "retrieved-only",
  requestTimeoutMs: 60_000,
};

/** Agents on a real kernel with real sites; what the model says is scripted, and the index finds words. */
export class AgentWorld {
  readonly kernel = new Kernel();
  readonly facts: Fact[] = [];
  readonly asked: Asked[] = [];
  readonly errors: unknown[] = [];
  /** Searches of the index over all sites: no strategy here may make one. */
  centralSearches = 0;
  /** Selections of sites that the index was asked for. */
  readonly selections: unknown[] = [];
  readonly #environment: Environment;
  readonly #sites: Sites;
  readonly #model: ModelPort;

  readonly #options: AgentWorldOptions;

  constructor(options: AgentWorldOptions) {
    this.#options = options;
    const pages = options.pages ?? { "one.example": ["first page"], "two.example": ["second page"] };
    const texts = new Map<string, string>();
    const stream = new FactStream(() => this.kernel.now);
    stream.listen((fact) => this.facts.push(fact));
    const page = (hit: Hit) => pageSegment(hit.id, texts.get(hit.id) as string);
    const wholePages = { page, information: (hits: readonly Hit[]) => pagesInformation(hits.map(page)) };
    this.#environment = {
      kernel: this.kernel,
      facts: stream,
      streams: new Streams(1, 0),
      prompts: readPrompts(join(packageRoot, "prompts")),
      settings: { ...agentSettings, ...options.agents },
      keepText: sha256,
      fail: (error) => this.errors.push(error),
      modelLatencyMs: options.modelMs ?? (() => modelMs),
      siteLatencyMs: options.siteMs ?? (() => siteMs),
      pages: wholePages,
      shownPages: shownPages(wholePages, options.shown?.text ?? "full", options.shown?.showUrl ?? false),
      index: {
        search: (query, site, k) => {
          if (site === null) this.centralSearches++;
          const words = query.split(" ");
          return (site === null ? [] : hitsOf(site, pages[site] ?? [], texts))
            .filter((hit) => words.some((word) => texts.get(hit.id)?.includes(word)))
            .slice(0, k);
        },
        selectSites: (query, by, k) => {
          this.selections.push({ query, by, k });
          return (options.selects ?? []).slice(0, k);
        },
      },
    };
    const listed = Object.keys(pages).map((id) => ({ id, name: id, description: `Pages of ${id}` }));
    this.#sites = new Sites(this.#environment, listed, scenarioOf(options), () => {});
    this.#model = this.#scripted(options.model);
  }

  #scripted(model: AgentWorldOptions["model"]): ModelPort {
    return {
      identity: this.#options.modelName ?? "scripted",
      ask: ({ parts }, caller) => {
        const [, query, ...agent] = caller.split("/");
        const turn = Math.floor(Number(agent.pop())); // 3.1 is the first retry of turn 3
        const request = agent.length > 1 ? Number(agent.pop()) : 0;
        const prompt = promptText(parts);
        const asked = { caller, query, agent: agent[0], request, turn, prompt, atMs: this.kernel.now } as Asked;
        this.asked.push(asked);
        return answerOf(model(asked));
      },
    };
  }

  /** Starts a query's user agent, now. */
  ask(query = "q1", question = "page"): AskedQuery {
    const asked: AskedQuery = { states: [], outcome: null };
    const session = new UserAgentSession({
      environment: this.#environment,
      strategy: findStrategy(this.#options.strategy ?? "multi-agent"),
      assistant: null,
      task: webSearch,
      topic: { id: "t1", query: question, relevant: {}, goldSites: this.#options.goldSites ?? [] } as never,
      menu: this.#sites.menuFor(query),
      sites: this.#sites,
      model: this.#model,
      parameters: { thinking: true, maxTokens: 100 },
      query,
      user: "u1",
      done: (outcome) => {
        asked.outcome = outcome;
      },
    });
    const actor = createActor(userAgentMachine, {
      id: query,
      input: { session },
      clock: kernelClock(this.kernel),
      inspect: (event) => {
        if (event.type !== "@xstate.microstep") return;
        for (const { target } of event._transitions) {
          const state = target?.[0]?.path.join(".");
          if (state !== undefined) asked.states.push(state);
        }
      },
    });
    actor.subscribe({ error: (error) => this.errors.push(error) });
    actor.start();
    return asked;
  }

  /** Runs until a virtual time, by default long after everything is over. */
  async run(untilMs = 10_000_000): Promise<void> {
    await this.kernel.runUntil(untilMs);
    if (this.errors.length > 0) throw this.errors[0];
  }

  factsOf<Type extends FactType>(type: Type): FactOf<Type>[] {
    return this.facts.filter((fact): fact is FactOf<Type> => fact.type === type);
  }

  /** What an agent was asked with in a turn. */
  promptOf(agent: string, turn: number, request = 1): string {
    const found = this.asked.find(
      (each) => each.agent === agent && each.turn === turn && (agent === "user" || each.request === request),
    );
    if (found === undefined) throw new Error(`${agent} was not asked in turn ${turn}`);
    return found.prompt;
  }
}

export function search(query: string, ...websites: readonly unknown[]): string {
  return `<search>${JSON.stringify({ query, websites })}</search>`;
}

export function findings(...documents: readonly string[]): string {
  return `<answer>${JSON.stringify({ summary: "found", documents })}</answer>`;
}

export function ranking(...documents: readonly string[]): string {
  return `<answer>${JSON.stringify(documents)}</answer>`;
}

function answerOf(said: string | { readonly text: string; readonly thought: string }): ModelAnswer {
  return {
    ...(typeof said === "string" ? { text: said } : said),
    finish: "stop",
    usage: { promptTokens: 1, completionTokens: 1, thoughtTokens: 0 },
  };
}

function hitsOf(site: string, pages: readonly string[], texts: Map<string, string>): Hit[] {
  return pages.map((text, index) => {
    const id = `${site.split(".")[0]}-${index + 1}`;
    texts.set(id, text);
    return { id, site, textSha256: sha256(text), tokens: estimateTokens(text), url: `https://${site}/${index + 1}` };
  });
}

function scenarioOf({ sites = {}, interventions = [], siteList = {} }: AgentWorldOptions) {
  return toScenario(
    documentSchema.parse({
      name: "agents",
      corpus: "none",
      until: "1000h",
      population: { arrivals: { process: "poisson", rate: "1/h" } },
      assistants: [{ strategy: "multi-agent" }],
      sites,
      interventions,
      "site-list": siteList,
    }),
  );
}
