import type { Fact } from "../../trace/facts.ts";

/** What happened to one query in both runs, a line an event. */
export interface Timelines {
  readonly query: string;
  readonly baseline: readonly string[];
  readonly variant: readonly string[];
}

/** A query's facts as lines: when, who to whom, what. */
export function timeline(facts: readonly Fact[]): string[] {
  const startMs = facts[0]?.t ?? 0;
  return facts.flatMap((fact) => {
    const text = told(fact);
    return text === null ? [] : `${`+${((fact.t - startMs) / 1000).toFixed(1)} s`.padStart(10)}  ${text}`;
  });
}

function told(fact: Fact): string | null {
  switch (fact.type) {
    case "query.arrived":
      return `${fact.user} asks ${fact.strategy} about ${fact.topic}`;
    case "message.sent":
      return fact.kind === "request" ? `asks ${fact.to}` : null;
    case "site.queued":
      return `waits at ${fact.site}`;
    case "site.answered":
      return `${fact.site}: ${fact.outcome}${list(fact.documents)}`;
    case "search.answered":
      return fact.agent === "user" ? `finds${list(fact.documents)}` : null;
    case "query.completed":
      return `${fact.outcome}${typeof fact.answer === "string" ? `, text ${fact.answer.slice(0, 12)}` : list(fact.answer)}`;
    default:
      return null;
  }
}

function list(documents: readonly string[]): string {
  return documents.length === 0 ? "" : ` ${documents.join(", ")}`;
}
