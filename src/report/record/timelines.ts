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

interface OpenTimeline {
  readonly startMs: number;
  readonly steps: Step[];
  left: number;
  /** Tokens of the turn under way, by agent. */
  readonly tokens: Map<string, string>;
}

/** Follows queries in flight step by step. */
export class Timelines {
  readonly #open = new Map<string, OpenTimeline>();

  listen(fact: Fact): void {
    if (fact.type === "query.arrived") {
      this.#open.set(fact.query, { startMs: fact.t, steps: [], left: 0, tokens: new Map() });
      return;
    }
    if (!("query" in fact)) return;
    const open = this.#open.get(fact.query);
    if (open !== undefined) note(open, fact);
  }

  /** The timeline of a query that is done; it is forgotten here. */
  take(query: string): Timeline {
    const { steps, left } = this.#open.get(query) ?? { steps: [], left: 0 };
    this.#open.delete(query);
    return { steps, left };
  }
}

function note(open: OpenTimeline, fact: Fact): void {
  const add = (who: string, what: string, detail = ""): void => {
    if (open.steps.length < mostSteps) open.steps.push([fact.t - open.startMs, who, what, detail]);
    else open.left++;
  };
  switch (fact.type) {
    case "model.answered": {
      const { promptTokens, completionTokens, thoughtTokens } = fact;
      open.tokens.set(fact.agent, `${promptTokens} tokens read, ${completionTokens + thoughtTokens} written`);
      break;
    }
    case "action.taken": {
      const tokens = open.tokens.get(fact.agent) ?? "";
      const problem = fact.problem === undefined ? "" : ` (${fact.problem})`;
      add(agentName(fact.agent), fact.valid ? fact.kind : `invalid turn${problem}`, tokens);
      break;
    }
    case "search.answered":
      add(fact.site ?? "index", "found", documentList(fact.documents));
      break;
    case "site.contacted":
      add("user", "asks", fact.site);
      break;
    case "site.queued":
      add(fact.site, "waits", `${fact.waiting} in the queue`);
      break;
    case "site.answered":
      add(fact.site, `replies: ${fact.outcome}`, documentList(fact.documents));
      break;
    case "citation.made":
      add("user", "cites", fact.document === undefined ? fact.site : `${fact.document} of ${fact.site}`);
      break;
    default: // shown as a figure of the query, or said by another fact
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
