import type { Fact, FactBody } from "../../src/trace/facts.ts";

export const dayMs = 86_400_000;

const sites = Array.from({ length: 40 }, (_, i) => `site-${String(i).padStart(2, "0")}.example`);

/**
 * The facts of a made-up day: a query each 18 s of virtual time, which asks three sites and cites one. The sites asked
 * follow from the query's number, lower ones more often; site 3 is down from hour 8 to hour 10.
 */
export function* syntheticDay(queries = 4800): Generator<Fact> {
  let seq = 0;
  const fact = (t: number, body: FactBody): Fact => ({ seq: seq++, t, ...body });
  const stepMs = dayMs / queries;
  for (let i = 0; i < queries; i++) {
    const t = Math.floor(i * stepMs);
    const query = `q${i}`;
    if (i === Math.floor(queries / 3)) {
      const intervention = { kind: "outage", atMs: t, sites: [sites[3]!], forMs: 7_200_000 };
      yield fact(t, { type: "intervention.applied", intervention });
      yield fact(t, { type: "site.changed", site: sites[3]!, change: "outage began" });
    }
    const group = { task: "web-search", strategy: "multi-agent", model: "surrogate/gemini-3-flash", thinking: true };
    yield fact(t, { type: "query.arrived", query, topic: `topic-${i % 300}`, user: `u${i % 500}`, ...group });
    yield fact(t, message(query, 1, `u${i % 500}`, `u${i % 500}/agent`, "question"));
    for (let j = 0; j < 3; j++) {
      const site = sites[((i * (j + 7)) % 41) % ((i % 40) + 1)]!;
      yield fact(t, { type: "site.contacted", query, site, request: j + 1 });
      yield fact(t, message(query, 2 + 2 * j, `u${i % 500}/agent`, site, "request"));
      yield fact(t, { type: "site.answered", query, site, request: j + 1, outcome: "answered", documents: [] });
      yield fact(t, message(query, 3 + 2 * j, site, `u${i % 500}/agent`, "reply"));
      if (j === 0) yield fact(t, { type: "citation.made", query, site });
    }
    yield fact(t, message(query, 8, `u${i % 500}/agent`, `u${i % 500}`, "answer"));
    yield fact(t, {
      type: "query.completed",
      query,
      outcome: i % 10 === 0 ? "unanswered" : "answered",
      turns: 4,
      answer: [],
    });
    const hit = i % 10 === 0 ? 0 : (i % 5) / 4;
    yield fact(t, { type: "query.scored", query, measures: { "ndcg@3": hit, "recall@5": hit / 2 } });
  }
  yield fact(dayMs, { type: "window.closed", startMs: dayMs - 7_200_000, endMs: dayMs });
}

function message(
  query: string,
  n: number,
  from: string,
  to: string,
  kind: "question" | "request" | "reply" | "answer",
) {
  return { type: "message.sent" as const, message: `${query}/${n}`, query, from, to, kind };
}
