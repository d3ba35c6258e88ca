import type { Fact, FactOf, QueryOutcome } from "../trace/facts.ts";

/** What a completed query came to. Times are in virtual ms, tokens as the model's answers count them. */
export interface QueryRow {
  readonly query: string;
  readonly topic: string;
  readonly task: string;
  readonly strategy: string;
  readonly model: string | null;
  readonly thinking: boolean | null;
  readonly user: string;
  readonly arrivedMs: number;
  readonly completedMs: number;
  readonly outcome: QueryOutcome;
  /** Turns of the user agent, and those whose output was a valid action. */
  readonly turns: number;
  readonly validTurns: number;
  /** Distinct sites asked, in the order of the first request. */
  readonly sites: readonly string[];
  readonly requests: number;
  /** Turns of all content agents, and their requests that came back with documents. */
  readonly contentTurns: number;
  readonly nonEmptyReturns: number;
  readonly promptTokens: number;
  /** Thoughts included. */
  readonly completionTokens: number;
  /** Ids of documents, best first, or the text's hash. */
  readonly answer: readonly string[] | string;
  /** Null for a query that is not scored: of a warm-up or cool-down. */
  readonly measures: Readonly<Record<string, number | null>> | null;
}

type OpenRow = { -readonly [K in keyof QueryRow]: QueryRow[K] } & { sites: string[] };

/** Follows each query from its arrival to its score and hands over what came of it. It holds open queries only. */
export class QueryLedger {
  readonly #open = new Map<string, OpenRow>();
  readonly #isScored: (arrivedMs: number) => boolean;
  readonly #onRow: (row: QueryRow) => void;

  /** @param isScored whether a query of that arrival time will be scored */
  constructor(isScored: (arrivedMs: number) => boolean, onRow: (row: QueryRow) => void) {
    this.#isScored = isScored;
    this.#onRow = onRow;
  }

  /** Queries that have arrived and are not completed. */
  get inFlight(): number {
    return this.#open.size;
  }

  readonly listen = (fact: Fact): void => {
    if (fact.type === "query.arrived") this.#open.set(fact.query, newRow(fact));
    if (!("query" in fact)) return;
    const row = this.#open.get(fact.query);
    if (row !== undefined) this.#note(row, fact);
  };

  #note(row: OpenRow, fact: Fact): void {
    switch (fact.type) {
      case "model.answered":
        row.promptTokens += fact.promptTokens;
        row.completionTokens += fact.completionTokens + fact.thoughtTokens;
        if (fact.retry !== undefined) break;
        if (fact.agent === "user") row.turns++;
        else row.contentTurns++;
        break;
      case "action.taken":
        if (fact.agent === "user" && fact.valid) row.validTurns++;
        break;
      case "site.contacted":
        row.requests++;
        if (!row.sites.includes(fact.site)) row.sites.push(fact.site);
        break;
      case "site.answered":
        if (fact.documents.length > 0) row.nonEmptyReturns++;
        break;
      case "query.completed":
        row.completedMs = fact.t;
        row.outcome = fact.outcome;
        row.answer = fact.answer;
        if (!this.#isScored(row.arrivedMs)) this.#close(row);
        break;
      case "query.scored":
        row.measures = fact.measures;
        this.#close(row);
        break;
      default: // says nothing about what the query came to
    }
  }

  #close(row: OpenRow): void {
    this.#open.delete(row.query);
    this.#onRow(row);
  }
}

function newRow({ query, topic, task, strategy, model, thinking, user, t }: FactOf<"query.arrived">): OpenRow {
  return {
    query,
    topic,
    task,
    strategy,
    model,
    thinking,
    user,
    arrivedMs: t,
    completedMs: t,
    outcome: "failed",
    turns: 0,
    validTurns: 0,
    sites: [],
    requests: 0,
    contentTurns: 0,
    nonEmptyReturns: 0,
    promptTokens: 0,
    completionTokens: 0,
    answer: [],
    measures: null,
  };
}
