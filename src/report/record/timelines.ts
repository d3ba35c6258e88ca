import type { Fact } from "../../trace/facts.ts";

/**
 * A step of a query as the report's explorer shows it: milliseconds since the arrival, who acts (`user`, a site, or
 * `index`), what is done, and to what it comes.
 */
export type Step = readonly [afterMs: number, who: string, what: string, detail: string];

export interface Timeline {
  readonly steps: readonly Step[];
  /** Steps beyond the most that are kept. */
  readonly left: number;
}

/** A query of many sites takes some hundred steps. */
const mostSteps = 240;
const mostDocuments = 5;

/** Keeps what was stated of each query in flight. */
export class Timelines {
  readonly #open = new Map<string, Fact[]>();

  listen(fact: Fact): void {
    if (fact.type === "query.arrived") this.#open.set(fact.query, [fact]);
    else if ("query" in fact) this.#open.get(fact.query)?.push(fact);
  }

  /** The facts of a query that is done; they are forgotten here. */
  take(query: string): readonly Fact[] {
    const facts = this.#open.get(query) ?? [];
    this.#open.delete(query);
    return facts;
  }
}

/** A query's facts, its arrival first, as steps to read. */
export function timelineOf(facts: readonly Fact[]): Timeline {
  const startMs = facts[0]?.t ?? 0;
  const tokens = new Map<string, string>();
  const steps: Step[] = [];
  for (const fact of facts) {
    if (fact.type === "model.answered") {
      const { agent, promptTokens, completionTokens, thoughtTokens } = fact;
      tokens.set(agent, `${promptTokens} tokens read, ${completionTokens + thoughtTokens} written`);
      continue;
    }
    const step = stepOf(fact, tokens);
    if (step !== null) steps.push([fact.t - startMs, ...step]);
  }
  return { steps: steps.slice(0, mostSteps), left: Math.max(0, steps.length - mostSteps) };
}

/** Who does what, and to what it comes; null where it is shown as a figure of the query, or said by another fact. */
function stepOf(fact: Fact, tokens: ReadonlyMap<string, string>): [who: string, what: string, detail: string] | null {
  switch (fact.type) {
    case "action.taken": {
      const problem = fact.problem === undefined ? "" : ` (${fact.problem})`;
      const action = fact.valid ? fact.kind : `invalid turn${problem}`;
      return [agentName(fact.agent), action, tokens.get(fact.agent) ?? ""];
    }
    case "search.answered":
      return [fact.site ?? "index", "found", documentList(fact.documents)];
    case "site.contacted":
      return ["user", "asks", fact.site];
    case "site.queued":
      return [fact.site, "waits", `${fact.waiting} in the queue`];
    case "site.answered":
      return [fact.site, `replies: ${fact.outcome}`, documentList(fact.documents)];
    case "citation.made":
      return ["user", "cites", fact.document === undefined ? fact.site : `${fact.document} of ${fact.site}`];
    default:
      return null;
  }
}

/** `<site>/<request>` is the content agent of a site. */
function agentName(agent: string): string {
  const slash = agent.lastIndexOf("/");
  return slash < 0 ? agent : agent.slice(0, slash);
}

function documentList(documents: readonly string[]): string {
  if (documents.length === 0) return "nothing";
  const rest = documents.length - mostDocuments;
  return `${documents.slice(0, mostDocuments).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
