/** What became of a request to a site. */
export type RequestOutcome = "answered" | "empty" | "timeout" | "down" | "blocked";

/** What became of a query. */
export type QueryOutcome = "answered" | "unanswered" | "failed";

/** `question`: person to user agent; `request` and `reply`: user agent and site; `answer`: user agent to person. */
export type MessageKind = "question" | "request" | "reply" | "answer";

interface FactBodies {
  "query.arrived": {
    query: string;
    topic: string;
    user: string;
    task: string;
    strategy: string;
    model: string | null;
    /** Whether the model thinks first; null without a model. */
    thinking: boolean | null;
  };
  /** `retry`: the n-th time that the same turn's output is asked for again; it counts as no turn. */
  "model.asked": { query: string; agent: string; turn: number; retry?: number; promptTokens: number };
  "model.answered": {
    query: string;
    agent: string;
    turn: number;
    retry?: number;
    promptTokens: number;
    completionTokens: number;
    thoughtTokens: number;
  };
  "action.taken": { query: string; agent: string; turn: number; kind: string; valid: boolean; problem?: string };
  "message.sent": { message: string; query: string; from: string; to: string; kind: MessageKind; inReplyTo?: string };
  "message.received": { message: string; query: string; from: string; to: string; kind: MessageKind };
  /** A search of an index: of one site by its content agent, or of the central one (site null) by the user agent. */
  "search.answered": {
    query: string;
    agent: string;
    site: string | null;
    documents: readonly string[];
    /** The sites of the documents, one each; only where they differ from `site`. */
    sites?: readonly string[];
  };
  "site.contacted": { query: string; site: string; request: number };
  "site.queued": { query: string; site: string; request: number; waiting: number };
  "site.answered": {
    query: string;
    site: string;
    request: number;
    outcome: RequestOutcome;
    documents: readonly string[];
  };
  "site.changed": { site: string; change: string };
  "citation.made": { query: string; site: string; document?: string };
  /** A person followed a citation. */
  "site.visited": { query: string; site: string; document?: string };
  "query.completed": {
    query: string;
    outcome: QueryOutcome;
    turns: number;
    answer: readonly string[] | string;
  };
  "query.scored": { query: string; measures: Readonly<Record<string, number | null>> };
  "intervention.applied": { intervention: Readonly<Record<string, unknown>> };
  "window.closed": { startMs: number; endMs: number };
}

export type FactType = keyof FactBodies;

/** A fact as its source states it: a type and that type's fields. */
export type FactBody = { [T in FactType]: { type: T } & FactBodies[T] }[FactType];

/**
 * A fact of the trace: `seq` numbers all facts of a run from 0, `t` is the virtual time in ms and never decreases.
 * Nothing that can differ between a run and its replay is a fact.
 */
export type Fact = { readonly seq: number; readonly t: number } & FactBody;

export type FactOf<T extends FactType> = Extract<Fact, { type: T }>;
