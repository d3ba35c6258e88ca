import { createHash, type Hash } from "node:crypto";
import type { Fact, FactOf } from "../trace/facts.ts";

/** What one query did and got, as far as two runs are compared by it. */
export interface QueryFigures {
  readonly query: string;
  readonly topic: string;
  readonly task: string;
  readonly strategy: string;
  readonly model: string | null;
  /** Equal for queries whose sequences of (t, type, from, to, kind, action, documents, outcome) are equal. */
  readonly digest: string;
  /** Sites that it asked, or that a page it was shown is from. */
  readonly met: readonly string[];
  /** Its outcome and its answer, as one text. */
  readonly outcome: string;
  /** The sites it asked, and those of the pages it was shown, each as often as it was. */
  readonly contacts: readonly string[];
  readonly documents: readonly string[];
  /** The sites it cited, best first. */
  readonly citations: readonly string[];
  /** Null for a query that is not scored. */
  readonly measures: Readonly<Record<string, number | null>> | null;
}

interface OpenQuery {
  readonly arrived: FactOf<"query.arrived">;
  readonly hash: Hash;
  readonly contacts: string[];
  readonly documents: string[];
  readonly shown: Set<string>;
  readonly citations: string[];
  outcome: string;
}

/** Follows the queries of a run, live or from its trace. */
export class QueryFiguresCollector {
  readonly #open = new Map<string, OpenQuery>();
  readonly #closed: QueryFigures[] = [];

  readonly listen = (fact: Fact): void => {
    if (!("query" in fact)) return;
    if (fact.type === "query.arrived") this.#open.set(fact.query, newQuery(fact));
    const open = this.#open.get(fact.query);
    if (open === undefined) return;
    if (fact.type === "query.scored") this.#close(open, fact.measures);
    else note(open, fact);
  };

  /** The queries that were scored, in the order of their ends, then those that were not. */
  end(): readonly QueryFigures[] {
    for (const open of [...this.#open.values()]) this.#close(open, null);
    return this.#closed;
  }

  #close(open: OpenQuery, measures: QueryFigures["measures"]): void {
    const { query, topic, task, strategy, model } = open.arrived;
    this.#open.delete(query);
    const { contacts, documents, citations, outcome } = open;
    const met = [...new Set([...contacts, ...documents])].sort();
    const digest = open.hash.digest("base64");
    this.#closed.push({
      query,
      topic,
      task,
      strategy,
      model,
      digest,
      met,
      outcome,
      contacts,
      documents,
      citations,
      measures,
    });
  }
}

function newQuery(arrived: FactOf<"query.arrived">): OpenQuery {
  return {
    arrived,
    hash: createHash("sha256"),
    contacts: [],
    documents: [],
    shown: new Set(),
    citations: [],
    outcome: "",
  };
}

function note(open: OpenQuery, fact: Exclude<Extract<Fact, { query: string }>, { type: "query.scored" }>): void {
  open.hash.update(JSON.stringify(essence(fact)));
  switch (fact.type) {
    case "site.contacted":
      open.contacts.push(fact.site);
      break;
    case "site.answered":
      for (const id of fact.documents) show(open, id, fact.site);
      break;
    case "search.answered":
      fact.sites?.forEach((site, index) => show(open, fact.documents[index] as string, site));
      break;
    case "citation.made":
      open.citations.push(fact.site);
      break;
    case "query.completed":
      open.outcome = JSON.stringify([fact.outcome, fact.answer]);
      break;
    default: // is no traffic
  }
}

/** A document counts once a query, however often it is shown. */
function show({ shown, documents }: OpenQuery, id: string, site: string): void {
  if (shown.has(id)) return;
  shown.add(id);
  documents.push(site);
}

/** What must be equal for two facts to be the same; tokens are not. */
function essence(fact: Exclude<Extract<Fact, { query: string }>, { type: "query.scored" }>): unknown[] {
  const { t, type } = fact;
  switch (type) {
    case "message.sent":
    case "message.received":
      return [t, type, fact.from, fact.to, fact.kind];
    case "action.taken":
      return [t, type, fact.agent, fact.turn, fact.kind, fact.valid];
    case "search.answered":
      return [t, type, fact.agent, fact.site, fact.documents];
    case "site.contacted":
    case "site.queued":
      return [t, type, fact.site];
    case "site.answered":
      return [t, type, fact.site, fact.outcome, fact.documents];
    case "citation.made":
    case "site.visited":
      return [t, type, fact.site, fact.document];
    case "query.completed":
      return [t, type, fact.outcome, fact.answer];
    case "query.arrived":
      return [t, type, fact.topic, fact.user, fact.strategy, fact.model];
    case "model.asked":
    case "model.answered":
      return [t, type, fact.agent, fact.turn];
  }
}
