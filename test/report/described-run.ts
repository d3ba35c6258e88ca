import type { RunDescription } from "../../src/report/run-description.ts";

/** A description of a run of web search with two assistants. */
export function describedRun(changes: Partial<RunDescription> = {}): RunDescription {
  return {
    facts: {
      corpus: { name: "small", version: "1" },
      users: 5,
      untilMs: 3_600_000,
      horizon: "terminating: everything counts",
      arrivals: "a Poisson process, 40 an hour",
      interests: "all topics alike",
      tasks: ["web-search"],
      assistants: [
        { share: 0.5, strategy: "multi-agent", model: "surrogate/qwen3-4b", thinking: true },
        { share: 0.5, strategy: "classic-ir", model: null, thinking: true },
      ],
      siteNames: new Map(),
      identities: { Scenario: "abc", Vectors: null },
    },
    scenario: "s",
    seed: 1,
    replication: 0,
    retrieval: "dense",
    sites: ["a.example", "b.example"],
    measures: ["ndcg@3"],
    gradesOf: () => ({}),
    questionOf: (_, topic) => `what about ${topic}?`,
    relevantTo: () => ["d1"],
    headline: () => ["ndcg@3"],
    judging: () => ({ measures: [], judge: null }),
    isScored: () => true,
    drawFor: () => () => 0.5,
    notices: ["A notice."],
    ...changes,
  };
}
