import { assign, createActor, setup } from "xstate";
import { kernelClock } from "../kernel/kernel.ts";
import type { RequestOutcome } from "../trace/facts.ts";
import { ContentAgentSession, contentAgentActions, contentAgentMachine } from "./content-agent.ts";
import type { Access, Asker } from "./access.ts";
import type { Environment } from "./environment.ts";
import type { Conversation, Message } from "./messages.ts";
import type { Findings } from "./payloads.ts";
import type { Hit, ModelPort } from "./ports.ts";
import type { ModelParameters } from "./prompt.ts";
import { searchSite } from "./site-retrieval.ts";
import { bindTemplate, fillTemplate, findTemplate, type Template } from "./templates.ts";

/** What a site is, to those who run it. */
export interface SiteOptions {
  readonly environment: Environment;
  readonly id: string;
  readonly description: string;
  /** Requests that are worked on at the same time; Infinity when the site takes all. */
  readonly capacity: number;
  /** Requests that may wait; one more is refused. Infinity when there is no limit. */
  readonly queueLimit: number;
  /** What the site does for an asker now. */
  readonly access: (asker: Asker) => Access;
}

/** A user agent's request to a site, as the site's desk holds it. */
export interface SiteRequest {
  readonly message: Message;
  readonly conversation: Conversation;
  /** The n-th request of its query, from 1. */
  readonly number: number;
  readonly user: string;
  readonly asker: Asker;
  /** Who works on it: the site's content agent, or its search engine alone. */
  readonly through: "content-agents" | "site-search";
  readonly text: string;
  /** What the person wants, whom the asking agent works for. */
  readonly task: string;
  /** The site's content agent is run by the assistant's model, as in the paper. */
  readonly model: ModelPort | null;
  readonly parameters: ModelParameters;
  /** Takes the ids of the pages that searches for the request find, whatever comes of it. */
  readonly found: Set<string>;
  /** Takes the site's reply on arrival, which may be after the request was withdrawn. */
  readonly reply: (reply: SiteResult) => void;
}

export interface SiteResult {
  readonly request: number;
  readonly site: string;
  readonly outcome: RequestOutcome;
  readonly findings: Findings;
}

interface Work {
  readonly request: SiteRequest;
  /** Ends it early: nobody waits for it any more. */
  readonly abandon: () => void;
}

/** The role of the content agents' prompt, by what it shows of the asker. */
export function contentAgentRole(sees: "query" | "query+task"): string {
  return sees === "query" ? "content-agent" : "content-agent-with-task";
}

export const nothing: Findings = { summary: "", documents: [] };

/**
 * The desk of a site: which requests are being worked on and which wait. Requests are known by their message's id.
 */
export class SiteDesk {
  capacity: number;
  queueLimit: number;
  readonly #options: SiteOptions;
  readonly #working = new Map<string, Work>();
  readonly #waiting = new Map<string, SiteRequest>();
  readonly #template: Template;

  constructor(options: SiteOptions) {
    const { environment, id: site, description } = options;
    this.#options = options;
    const role = contentAgentRole(environment.settings.contentAgentSees);
    this.#template = bindTemplate(findTemplate(environment.prompts, role, null, null), { site, description });
    this.capacity = options.capacity;
    this.queueLimit = options.queueLimit;
  }

  /** Starts work on a request, or lets it wait while all places are taken, or refuses it when too many wait. */
  take(request: SiteRequest): void {
    const access = this.#options.access(request.asker);
    // A search engine's answer is its documents.
    const isBlocked = access === "blocked" || (access === "without-documents" && request.through === "site-search");
    if (isBlocked) this.#reply(request, "blocked", nothing);
    else if (this.#working.size < this.capacity) this.#work(request);
    else if (this.#waiting.size < this.queueLimit) this.#queue(request);
    else this.refuse(request);
  }

  #queue(request: SiteRequest): void {
    this.#waiting.set(request.message.id, request);
    this.#options.environment.facts.state({
      type: "site.queued",
      query: request.message.query,
      site: this.#options.id,
      request: request.number,
      waiting: this.#waiting.size,
    });
  }

  /** The one who asked no longer waits: the work ends and its place is free. */
  withdraw(id: string): void {
    if (this.#waiting.delete(id)) return;
    const atWork = this.#working.get(id);
    if (atWork === undefined) return;
    atWork.abandon();
    this.#working.delete(id);
    this.fill();
  }

  refuse(request: SiteRequest): void {
    this.#reply(request, "down", nothing);
  }

  /** The site goes down: what waits and what is being worked on is refused. */
  refuseAll(): void {
    const working = [...this.#working.values()];
    const waiting = [...this.#waiting.values()];
    this.#working.clear();
    this.#waiting.clear();
    for (const atWork of working) {
      atWork.abandon();
      this.refuse(atWork.request);
    }
    for (const request of waiting) this.refuse(request);
  }

  /** Free places go to those who wait, in the order they came. */
  fill(): void {
    for (const [id, request] of this.#waiting) {
      if (this.#working.size >= this.capacity) return;
      this.#waiting.delete(id);
      this.#work(request);
    }
  }

  #work(request: SiteRequest): void {
    if (request.through === "site-search") this.#search(request);
    else this.#employContentAgent(request);
  }

  #search(request: SiteRequest): void {
    const { environment, id: site } = this.#options;
    const { id, query } = request.message;
    const { number, text, found } = request;
    const done = (documents: readonly Hit[]): void => {
      for (const document of documents) found.add(document.id);
      this.#finish(request, { summary: "", documents });
    };
    const abandon = searchSite({ environment, site, query, request: number, text, done });
    this.#working.set(id, { request, abandon });
  }

  /** What is withheld is so from the moment of the answer: a policy holds for requests at work too. */
  #finish(request: SiteRequest, findings: Findings): void {
    const isOpen = this.#options.access(request.asker) === "open";
    const outcome = findings.documents.length > 0 ? "answered" : "empty";
    this.#reply(request, outcome, isOpen ? findings : { ...findings, documents: [] });
    this.#working.delete(request.message.id);
    this.fill();
  }

  #employContentAgent(request: SiteRequest): void {
    const { environment, id: site } = this.#options;
    const { id, query } = request.message;
    const session = new ContentAgentSession({
      environment,
      model: request.model,
      parameters: request.parameters,
      query,
      user: request.user,
      agent: `${site}/${request.number}`,
      head: fillTemplate(this.#template, { query: request.text, task: request.task }),
      allowed: contentAgentActions,
      maxTurns: environment.settings.contentAgentTurns,
      finalTurn: false,
      formatRetries: 0,
      site,
      found: request.found,
      done: (findings) => this.#finish(request, findings),
    });
    const actor = createActor(contentAgentMachine, {
      id,
      input: { session },
      clock: kernelClock(environment.kernel),
    });
    actor.subscribe({ error: environment.fail });
    const abandon = (): void => {
      session.cancel();
      actor.stop();
    };
    this.#working.set(id, { request, abandon });
    actor.start();
  }

  #reply(request: SiteRequest, outcome: RequestOutcome, findings: Findings): void {
    const { environment, id: site } = this.#options;
    request.conversation.send(
      { from: site, to: request.message.from, kind: "reply", inReplyTo: request.message.id },
      (message) => environment.siteLatencyMs(site, message),
      () => request.reply({ request: request.number, site, outcome, findings }),
    );
  }
}

type SiteEvent =
  | { type: "request"; request: SiteRequest }
  | { type: "withdrawal"; message: string }
  | { type: "outage.began" }
  | { type: "outage.ended" }
  | { type: "removed" }
  | { type: "capacity.set"; capacity: number }
  | { type: "queue-limit.set"; queueLimit: number };

/** A site lives as long as the run: it works while it is up and refuses while it is down. */
export const siteMachine = setup({
  types: {
    context: {} as { desk: SiteDesk; outages: number },
    events: {} as SiteEvent,
    input: {} as SiteOptions,
  },
  guards: { isLastOutage: ({ context }) => context.outages === 1 },
  actions: {
    withdraw: ({ context, event }) => {
      if (event.type === "withdrawal") context.desk.withdraw(event.message);
    },
    refuse: ({ context, event }) => {
      if (event.type === "request") context.desk.refuse(event.request);
    },
    refuseAll: ({ context }) => context.desk.refuseAll(),
    setCapacity: ({ context, event }) => {
      if (event.type !== "capacity.set") return;
      context.desk.capacity = event.capacity;
      context.desk.fill();
    },
    setQueueLimit: ({ context, event }) => {
      if (event.type === "queue-limit.set") context.desk.queueLimit = event.queueLimit;
    },
    countOutage: assign({ outages: ({ context }) => context.outages + 1 }),
    discountOutage: assign({ outages: ({ context }) => context.outages - 1 }),
  },
}).createMachine({
  id: "site",
  context: ({ input }) => ({ desk: new SiteDesk(input), outages: 0 }),
  initial: "up",
  on: {
    withdrawal: { actions: "withdraw" },
    "capacity.set": { actions: "setCapacity" },
    "queue-limit.set": { actions: "setQueueLimit" },
  },
  states: {
    up: {
      on: {
        request: { actions: ({ context, event }) => context.desk.take(event.request) },
        "outage.began": { target: "down", actions: "countOutage" },
        removed: "removed",
      },
    },
    down: {
      entry: "refuseAll",
      on: {
        request: { actions: "refuse" },
        "outage.began": { actions: "countOutage" },
        "outage.ended": [
          { guard: "isLastOutage", target: "up", actions: "discountOutage" },
          { actions: "discountOutage" },
        ],
        removed: "removed",
      },
    },
    removed: { entry: "refuseAll", on: { request: { actions: "refuse" } } },
  },
});
