import type { Fact, FactOf, QueryOutcome, RequestOutcome } from "../trace/facts.ts";

/** The user agent, as a party of a timeline; the others are the user's id, the sites' ids and `index`, the central one. */
export const userAgentParty = "agent";

interface Span {
  /** When it was done, and when it began, in virtual ms. */
  readonly t: number;
  readonly fromMs: number;
}

/** What an agent asked its model and took from the answer: an action, or a problem. */
export interface TurnStep extends Span {
  readonly step: "turn";
  readonly party: string;
  /** As in the facts: `user`, or `<site>/<request>`. */
  readonly agent: string;
  readonly turn: number;
  /** The n-th time that this turn's output was asked for again; 0 is the first time. */
  readonly retry: number;
  /** Null while the answer is awaited, and where the output was thrown away for a retry. */
  readonly action: string | null;
  readonly problem: string | null;
  readonly promptTokens: number;
  /** Thoughts included. */
  readonly completionTokens: number;
}

/** Pages that a search found: of a site by its content agent, or of the central index. */
export interface SearchStep extends Span {
  readonly step: "search";
  readonly party: string;
  readonly agent: string;
  readonly documents: readonly string[];
}

export interface MessageStep extends Span {
  readonly step: "question" | "request" | "reply" | "answer";
  readonly from: string;
  readonly to: string;
  /** Which of the query's requests to sites, from 1; null for the person's question and its answer. */
  readonly request: number | null;
  /** Of a reply: what became of the request. A request that was withdrawn or refused may have no message back. */
  readonly outcome: RequestOutcome | null;
  /** What a reply hands over, or an answer cites. */
  readonly documents: readonly string[];
}

/** A request that waits for a place at a site. */
export interface QueueStep extends Span {
  readonly step: "queue";
  readonly party: string;
  readonly request: number;
  readonly waiting: number;
}

export type TimelineStep = TurnStep | SearchStep | MessageStep | QueueStep;

/** The stages at which a query can lose all its relevant pages, by the measure that is 1 then. */
const lossMeasures = {
  lossNotSelected: "not selected",
  lossNotRetrieved: "not retrieved",
  lossNotReturned: "not returned",
  lossNotRanked: "not ranked",
} as const;
export type LossStage = (typeof lossMeasures)[keyof typeof lossMeasures];

/** One query from its arrival to its score, in steps: what inspect, the live view and exports show of it. */
export interface QueryTimeline {
  readonly query: string;
  readonly topic: string;
  readonly task: string;
  readonly strategy: string;
  readonly model: string | null;
  readonly thinking: boolean | null;
  readonly user: string;
  readonly arrivedMs: number;
  /** Null while it is under way, or where the trace breaks off. */
  readonly completedMs: number | null;
  readonly outcome: QueryOutcome | null;
  /** Turns of the user agent. */
  readonly turns: number;
  readonly requests: number;
  /** Distinct sites asked, in the order of the first request. */
  readonly sites: readonly string[];
  /** Of all its agents. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Ids of documents, best first, or the text's hash. */
  readonly answer: readonly string[] | string | null;
  readonly measures: Readonly<Record<string, number | null>> | null;
  readonly loss: LossStage | null;
  readonly steps: readonly TimelineStep[];
}

type Open = { -readonly [K in keyof QueryTimeline]: QueryTimeline[K] } & { steps: TimelineStep[]; sites: string[] };

/**
 * The timeline of one query from its facts, in their order; facts of others are passed over. Null when the query's
 * arrival is not among them.
 */
export function queryTimeline(query: string, facts: Iterable<Fact>): QueryTimeline | null {
  let builder: Builder | null = null;
  for (const fact of facts) {
    if (!("query" in fact) || fact.query !== query) continue;
    if (fact.type === "query.arrived") builder = new Builder(fact);
    else builder?.note(fact);
  }
  return builder?.timeline() ?? null;
}

/** The stage named by a query's measures; null when it lost nothing, or was not measured. */
export function lossStage(measures: QueryTimeline["measures"]): LossStage | null {
  const names = Object.keys(lossMeasures) as (keyof typeof lossMeasures)[];
  const lost = names.find((name) => measures?.[name] === 1);
  return lost === undefined ? null : lossMeasures[lost];
}

/** A step in a few words. */
export function stepLabel(step: TimelineStep): string {
  switch (step.step) {
    case "turn":
      return `turn ${step.turn}: ${step.problem ?? step.action ?? "thrown away"}`;
    case "search":
      return `found ${step.documents.length} pages`;
    case "queue":
      return `${step.waiting} waiting`;
    case "request":
      return `request ${step.request}`;
    case "reply":
      return `${step.outcome}, ${step.documents.length} pages`;
    default:
      return step.step;
  }
}

class Builder {
  readonly #open: Open;
  /** Turns whose model was asked, requests that were sent, replies on their way. */
  readonly #asked = new Map<string, FactOf<"model.asked">>();
  readonly #sent = new Map<string, number>();
  readonly #requestOf = new Map<string, number>();
  readonly #repliedMs = new Map<number, number>();
  readonly #lastTurn = new Map<string, { -readonly [K in keyof TurnStep]: TurnStep[K] }>();
  #contacted: { site: string; request: number } | null = null;
  readonly #cited: string[] = [];

  constructor({ query, topic, task, strategy, model, thinking, user, t }: FactOf<"query.arrived">) {
    this.#open = {
      query,
      topic,
      task,
      strategy,
      model,
      thinking,
      user,
      arrivedMs: t,
      completedMs: null,
      outcome: null,
      turns: 0,
      requests: 0,
      sites: [],
      promptTokens: 0,
      completionTokens: 0,
      answer: null,
      measures: null,
      loss: null,
      steps: [],
    };
  }

  timeline(): QueryTimeline {
    const { steps, arrivedMs } = this.#open;
    const asked = [...this.#asked.values()].map((fact) => awaitedTurn(fact));
    // What was said last is known only now: the answer's citations.
    const done = steps.map((step) => (step.step === "answer" ? { ...step, documents: this.#cited } : step));
    return { ...this.#open, arrivedMs, steps: [...done, ...asked] };
  }

  note(fact: Fact): void {
    const open = this.#open;
    switch (fact.type) {
      case "model.asked":
        this.#asked.set(turnKey(fact), fact);
        break;
      case "model.answered":
        this.#answered(fact);
        break;
      case "action.taken":
        this.#acted(fact);
        break;
      case "search.answered": {
        const party = fact.site ?? "index";
        const fromMs = this.#lastTurn.get(fact.agent)?.t ?? fact.t;
        open.steps.push({ step: "search", party, agent: fact.agent, t: fact.t, fromMs, documents: fact.documents });
        break;
      }
      case "site.contacted":
        open.requests++;
        if (!open.sites.includes(fact.site)) open.sites.push(fact.site);
        this.#contacted = { site: fact.site, request: fact.request };
        this.#sent.set(`request ${fact.request}`, fact.t);
        break;
      case "message.sent":
        this.#messageSent(fact);
        break;
      case "site.queued":
        open.steps.push({ step: "queue", party: fact.site, t: fact.t, fromMs: fact.t, ...requestOf(fact) });
        break;
      case "site.answered":
        open.steps.push({
          step: "reply",
          t: fact.t,
          fromMs: this.#repliedMs.get(fact.request) ?? fact.t,
          from: fact.site,
          to: userAgentParty,
          request: fact.request,
          outcome: fact.outcome,
          documents: fact.documents,
        });
        break;
      case "citation.made":
        this.#cited.push(fact.document ?? fact.site);
        break;
      case "query.completed":
        open.completedMs = fact.t;
        open.outcome = fact.outcome;
        open.turns = fact.turns;
        open.answer = fact.answer;
        break;
      case "query.scored":
        open.measures = fact.measures;
        open.loss = lossStage(fact.measures);
        break;
      default: // tells nothing new
    }
  }

  #answered(fact: FactOf<"model.answered">): void {
    const { agent, turn, retry = 0, promptTokens } = fact;
    const completionTokens = fact.completionTokens + fact.thoughtTokens;
    const fromMs = this.#asked.get(turnKey(fact))?.t ?? fact.t;
    this.#asked.delete(turnKey(fact));
    const open = this.#open;
    open.promptTokens += promptTokens;
    open.completionTokens += completionTokens;
    if (agent === "user" && retry === 0) open.turns++;
    const head = { step: "turn", party: partyOf(agent), agent, turn, retry, t: fact.t, fromMs } as const;
    const step = { ...head, action: null, problem: null, promptTokens, completionTokens };
    this.#lastTurn.set(agent, step);
    open.steps.push(step);
  }

  #acted({ agent, kind, valid, problem }: FactOf<"action.taken">): void {
    const step = this.#lastTurn.get(agent);
    if (step === undefined) return;
    step.action = kind;
    step.problem = valid ? null : (problem ?? "invalid");
  }

  #messageSent({ t, message, kind, from, to, inReplyTo }: FactOf<"message.sent">): void {
    if (kind === "reply") {
      const request = this.#requestOf.get(inReplyTo ?? "");
      if (request !== undefined) this.#repliedMs.set(request, t);
      return; // the step is what became of the request
    }
    const request = kind === "request" ? (this.#contacted?.request ?? null) : null;
    if (request !== null) this.#requestOf.set(message, request);
    const [sender, receiver] = kind === "question" ? [from, userAgentParty] : [userAgentParty, to];
    this.#open.steps.push({
      step: kind,
      t,
      fromMs: t,
      from: sender,
      to: receiver,
      request,
      outcome: null,
      documents: [],
    });
  }
}

function awaitedTurn({ agent, turn, retry = 0, t, promptTokens }: FactOf<"model.asked">): TurnStep {
  const head = { step: "turn", party: partyOf(agent), agent, turn, retry, t, fromMs: t } as const;
  return {
    ...head,
    action: null,
    problem: "the trace breaks off before the answer",
    promptTokens,
    completionTokens: 0,
  };
}

function turnKey({ agent, turn, retry = 0 }: FactOf<"model.asked"> | FactOf<"model.answered">): string {
  return `${agent} ${turn} ${retry}`;
}

function requestOf({ request, waiting }: FactOf<"site.queued">) {
  return { request, waiting };
}

function partyOf(agent: string): string {
  return agent === "user" ? userAgentParty : agent.slice(0, agent.lastIndexOf("/"));
}
