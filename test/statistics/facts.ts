import { FactStream } from "../../src/trace/fact-stream.ts";
import type { Fact, FactBody } from "../../src/trace/facts.ts";

/** States facts, each at its time in ms, to a listener. */
export function state(listen: (fact: Fact) => void, facts: readonly (readonly [tMs: number, body: FactBody])[]): void {
  let now = 0;
  const stream = new FactStream(() => now);
  stream.listen(listen);
  for (const [tMs, body] of facts) {
    now = tMs;
    stream.state(body);
  }
}

export function arrived(query: string, changes: { topic?: string; model?: string | null } = {}): FactBody {
  const { topic = "t1", model = "m" } = changes;
  return {
    type: "query.arrived",
    query,
    topic,
    user: "u1",
    task: "web-search",
    strategy: "multi-agent",
    model,
    thinking: model === null ? null : true,
  };
}

export function contacted(query: string, site: string, request: number): FactBody {
  return { type: "site.contacted", query, site, request };
}

export function siteAnswered(query: string, site: string, request: number, documents: readonly string[]): FactBody {
  return {
    type: "site.answered",
    query,
    site,
    request,
    outcome: documents.length > 0 ? "answered" : "empty",
    documents,
  };
}

export function cited(query: string, site: string, document: string): FactBody {
  return { type: "citation.made", query, site, document };
}

export function completed(query: string, answer: readonly string[] = []): FactBody {
  return { type: "query.completed", query, outcome: "answered", turns: 2, answer };
}

export function scored(query: string, measures: Readonly<Record<string, number | null>>): FactBody {
  return { type: "query.scored", query, measures };
}
