import { setImmediate as turn } from "node:timers/promises";
import { createActor } from "xstate";
import type { Environment } from "../agents/environment.ts";
import type { IndexPort, ModelPort, PagePort } from "../agents/ports.ts";
import { type ShownText, shownPages } from "../agents/shown-pages.ts";
import type { Judge } from "../agents/judge.ts";
import type { Citation, Outcome, Scores, Task } from "../agents/task.ts";
import { userAgentMachine } from "../agents/user-agent.ts";
import { UserAgentSession } from "../agents/user-agent-session.ts";
import type { TaskName } from "../corpora/format.ts";
import { Kernel, kernelClock } from "../kernel/kernel.ts";
import { Streams } from "../kernel/random.ts";
import { judgeBy } from "../models/judges/judge.ts";
import { clicked } from "../scenario/clicks.ts";
import { type Distribution, sampler } from "../scenario/distribution.ts";
import { type Arrival, arrivals } from "../scenario/population.ts";
import { type Scenario, siteSettings } from "../scenario/schema.ts";
import { findTask } from "../tasks/registry.ts";
import { FactStream } from "../trace/fact-stream.ts";
import type { Fact } from "../trace/facts.ts";
import { sha256 } from "../trace/hash.ts";
import type { RunControl } from "./control.ts";
import type { PreparedTopic, RunInputs } from "./inputs.ts";
import { strategyNamed } from "./plugins.ts";
import { isDue, isScored } from "./scoring-window.ts";
import { Sites } from "./site-directory.ts";

/** What answers for the world outside: each assistant's model, the index, the pages. */
export interface RunPorts {
  /** The model of an assistant, by its index; null where its strategy uses none. The judge comes after the last. */
  model(assistant: number): ModelPort | null;
  readonly index: IndexPort;
  readonly pages: PagePort;
  /** Where the texts of answers are kept. */
  recordText(sha256: string, text: string): void;
}

export interface SimulateOptions {
  readonly inputs: RunInputs;
  readonly ports: RunPorts;
  readonly control: RunControl;
  readonly listeners: readonly ((fact: Fact) => void)[];
  /** Runs whenever the kernel gives sockets and the view a turn. */
  readonly onTurn: () => void;
  /** Only these queries, instead of the scenario's; the run then ends with the last of them. */
  readonly arrivals?: Iterable<Arrival>;
}

export interface SimulationEnd {
  /** False when it was stopped before its end. */
  readonly completed: boolean;
  readonly nowMs: number;
  readonly events: number;
  /** What went wrong in an agent, a port or a listener; it ended the run. */
  readonly failure: { readonly error: unknown } | null;
}

/** The most tokens a model may write in a turn, thoughts included (the paper's value). */
const maxTokens = 8192;

/** A run that is tied to real time goes in small steps, or it would stand still and jump. */
const pacedTurnEvery = 16;

/** Runs after all else that happens at its time. */
const windowPriority = 100;

/** Runs a scenario from its first event to its last. */
export async function simulate(options: SimulateOptions): Promise<SimulationEnd> {
  const simulation = new Simulation(options);
  return simulation.run();
}

class Simulation {
  readonly #options: SimulateOptions;
  readonly #scenario: Scenario;
  readonly #kernel: Kernel;
  readonly #facts: FactStream;
  readonly #streams: Streams;
  readonly #environment: Environment;
  readonly #sites: Sites;
  readonly #arrivals: Iterator<Arrival>;
  readonly #topics: TopicsById;
  readonly #open = new Map<string, { arrivedMs: number; session: UserAgentSession }>();
  readonly #endsWithLastQuery: boolean;
  /** Queries whose verdict is not stated yet, and how to come by it at once. */
  readonly #judging = new Map<string, () => Promise<void>>();
  readonly #latencies = new Map<string, Distribution>();
  #windowStartMs = 0;
  #allArrived = false;
  #failure: { error: unknown } | null = null;

  constructor(options: SimulateOptions) {
    this.#options = options;
    const { inputs, ports, control, onTurn } = options;
    this.#scenario = inputs.loaded.scenario;
    this.#kernel = new Kernel({
      ...(typeof control.speed === "number" ? { turnEvery: pacedTurnEvery } : {}),
      turn: async () => {
        onTurn();
        await turn();
        await control.mayGoOn(this.#kernel.now);
      },
    });
    this.#facts = new FactStream(() => this.#kernel.now);
    for (const listener of options.listeners) this.#facts.listen(listener);
    this.#streams = new Streams(this.#scenario.seed, inputs.replication);
    this.#environment = {
      kernel: this.#kernel,
      facts: this.#facts,
      streams: this.#streams,
      index: ports.index,
      pages: ports.pages,
      shownPages: shownPages(ports.pages, shownText(this.#scenario), this.#scenario.agents.showUrl),
      prompts: inputs.prompts,
      keepText: (text) => {
        const hash = sha256(text);
        ports.recordText(hash, text);
        return hash;
      },
      settings: agentSettings(this.#scenario),
      fail: (error) => this.#fail(error),
      modelLatencyMs: (caller) =>
        sampler(this.#scenario.models.latency, this.#streams.stream("model-latency", caller))(),
      siteLatencyMs: (site, entity) => sampler(this.#latencyOf(site), this.#streams.stream("site-latency", entity))(),
    };
    this.#sites = new Sites(this.#environment, inputs.sites, this.#scenario, (site, latency) =>
      this.#latencies.set(site, latency),
    );
    this.#topics = topicsById(inputs);
    this.#arrivals = options.arrivals?.[Symbol.iterator]() ?? arrivals(this.#scenario, inputs.topics, this.#streams);
    this.#endsWithLastQuery = options.arrivals !== undefined || this.#scenario.untilMs === undefined;
  }

  async run(): Promise<SimulationEnd> {
    const { control } = this.#options;
    control.onStop(() => this.#kernel.stop());
    let completed = false;
    try {
      this.#scheduleArrival();
      this.#scheduleWindow();
      await this.#kernel.runUntil(this.#scenario.untilMs ?? Number.MAX_SAFE_INTEGER);
      const isDone = this.#scenario.untilMs !== undefined || (this.#allArrived && this.#open.size === 0);
      completed = isDone && this.#failure === null && !control.stopRequested;
      if (completed) await this.#end();
    } catch (error) {
      completed = false;
      this.#fail(error);
    }
    return { completed, nowMs: this.#kernel.now, events: this.#kernel.executed, failure: this.#failure };
  }

  #latencyOf(site: string): Distribution {
    return this.#latencies.get(site) ?? siteSettings(this.#scenario, site).latency;
  }

  /** The next arrival is drawn when the one before it happens. */
  #scheduleArrival(): void {
    const next = this.#arrivals.next();
    if (next.done === true) {
      this.#allArrived = true;
      this.#stopIfDone();
      return;
    }
    this.#kernel.at(next.value.atMs, () => {
      this.#arrive(next.value);
      this.#scheduleArrival();
    });
  }

  #scheduleWindow(): void {
    const { windowMs } = this.#scenario.statistics;
    this.#kernel.after(
      windowMs,
      () => {
        this.#closeWindow();
        this.#scheduleWindow();
      },
      windowPriority,
    );
  }

  #closeWindow(): void {
    const endMs = this.#kernel.now;
    if (endMs === this.#windowStartMs) return;
    this.#facts.state({ type: "window.closed", startMs: this.#windowStartMs, endMs });
    this.#windowStartMs = endMs;
  }

  #arrive({ query, user, task: taskName, topic: topicId, assistant: index }: Arrival): void {
    const assistant = this.#scenario.assistants[index] as Scenario["assistants"][number];
    const strategy = strategyNamed(this.#options.inputs.loaded, assistant.strategy);
    const task = findTask(taskName);
    const topic = this.#topics.get(taskName)?.get(topicId) as PreparedTopic;
    const model = this.#options.ports.model(index);
    this.#facts.state({
      type: "query.arrived",
      query,
      topic: topicId,
      user,
      task: taskName,
      strategy: strategy.name,
      model: model === null ? null : assistant.model,
      thinking: model === null ? null : assistant.thinking,
    });
    const session = new UserAgentSession({
      environment: this.#environment,
      strategy,
      assistant: assistant.name ?? null,
      task,
      topic,
      menu: this.#sites.menuFor(query),
      sites: this.#sites,
      model,
      parameters: { thinking: assistant.thinking, maxTokens },
      query,
      user,
      done: (outcome) => this.#complete(query, user, task, topic, outcome),
    });
    this.#open.set(query, { arrivedMs: this.#kernel.now, session });
    const actor = createActor(userAgentMachine, {
      id: query,
      input: { session },
      clock: kernelClock(this.#kernel),
    });
    actor.subscribe({ error: this.#environment.fail });
    actor.start();
  }

  #complete(query: string, user: string, task: Task, topic: PreparedTopic, outcome: Outcome): void {
    const { arrivedMs } = this.#open.get(query) as { arrivedMs: number };
    this.#open.delete(query);
    this.#follow(query, outcome.answer?.citations ?? []);
    if (isScored(this.#scenario, arrivedMs)) this.#score(query, user, task, topic, outcome);
    this.#stopIfDone();
  }

  /** The person reads the answer and follows what it cites, or does not. */
  #follow(query: string, citations: readonly Citation[]): void {
    const { clicks } = this.#scenario.population;
    if (clicks.model === "none") return;
    const seed = this.#streams.seedFor("clicks", query);
    for (const visit of clicked(citations, ({ site, document }) => document ?? site, clicks, seed)) {
      this.#facts.state({ type: "site.visited", query, ...visit });
    }
  }

  /**
   * States the scores: at once, or, where a judge is asked, when its verdict is there. That takes virtual time like any
   * other call, so that verdicts on many queries are asked for together and the run goes on meanwhile.
   */
  #score(query: string, user: string, task: Task, topic: PreparedTopic, outcome: Outcome): void {
    const measures = task.score(topic, outcome);
    const state = (judged: Scores): void => {
      this.#judging.delete(query);
      this.#facts.state({ type: "query.scored", query, measures: { ...measures, ...judged } });
    };
    const verdict = this.#judge(`${user}/${query}`, (judge) => task.judge?.(topic, outcome, judge));
    if (verdict === undefined) return state({});
    const due = this.#kernel.call(this.#environment.modelLatencyMs(`${user}/${query}/judge`), verdict, state);
    this.#judging.set(query, async () => {
      this.#kernel.cancel(due);
      state(await verdict);
    });
  }

  #judge(about: string, ask: (judge: Judge) => Promise<Scores> | undefined): Promise<Scores> | undefined {
    const { judge, assistants } = this.#scenario;
    const model = judge === undefined ? null : this.#options.ports.model(assistants.length);
    if (judge === undefined || model === null) return undefined;
    const { prompts } = this.#environment;
    const seedFor = (caller: string): number => this.#streams.seedFor("model", caller);
    return ask(judgeBy({ model, prompts, votes: judge.votes, about, seedFor }));
  }

  /** At the end, verdicts that are due later are waited for, in the order in which their queries were completed. */
  async #awaitVerdicts(): Promise<void> {
    for (const conclude of [...this.#judging.values()]) await conclude();
  }

  /** Without an end in time of its own, a run ends with its last query. */
  #stopIfDone(): void {
    if (this.#endsWithLastQuery && this.#allArrived && this.#open.size === 0) this.#kernel.stop();
  }

  /** At the end of time, what came early enough and is unfinished has failed; what came later is left as it is. */
  async #end(): Promise<void> {
    for (const { arrivedMs, session } of [...this.#open.values()]) {
      if (isDue(this.#scenario, arrivedMs)) session.fail();
    }
    await this.#awaitVerdicts();
    this.#closeWindow();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#kernel.stop();
  }
}

function agentSettings({ agents, retrieval, toolE }: Scenario): Environment["settings"] {
  const { summaryReminder, maxSitesPerSearch, documentText: _, showUrl: __, ...rest } = agents;
  return {
    ...rest,
    maxSitesPerSearch: maxSitesPerSearch === "unlimited" ? Number.POSITIVE_INFINITY : maxSitesPerSearch,
    documentsPerSearch: retrieval.documentsPerSite,
    sitesPerSelection: toolE.k,
    summaryReminder: summaryReminder === "off" ? null : summaryReminder,
  };
}

function shownText({ agents: { documentText } }: Scenario): ShownText {
  if (documentText === "summary-only") return "title";
  return documentText === "full" ? "full" : { characters: documentText };
}

type TopicsById = ReadonlyMap<TaskName, ReadonlyMap<string, PreparedTopic>>;

const knownTopics = new WeakMap<RunInputs["topics"], TopicsById>();

/** Made once for all simulations of the same topics. */
function topicsById({ topics }: RunInputs): TopicsById {
  const known = knownTopics.get(topics);
  if (known !== undefined) return known;
  const made = new Map(
    Object.entries(topics).map(([task, list]) => [task as TaskName, new Map(list.map((topic) => [topic.id, topic]))]),
  );
  knownTopics.set(topics, made);
  return made;
}
