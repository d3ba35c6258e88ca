import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Hit } from "../../src/agents/ports.ts";
import type { Outcome } from "../../src/agents/task.ts";
import { rankingOf } from "../../src/tasks/rankings.ts";
import { webSearch } from "../../src/tasks/web-search.ts";

const hit = (id: string): Hit => ({ id, site: id.split("-")[0] as string, textSha256: "", tokens: 1 });
const topic = { id: "t", query: "q", relevant: { "a-1": 3, "b-1": 1 }, goldSites: ["a", "b"] };

/** What came of a query, by the ids that got to each stage. */
function outcome(stages: {
  asked?: string[];
  found?: string[];
  seen?: string[];
  answer?: string[] | null;
  asksSites?: boolean;
}): Outcome {
  const { asked = [], found = [], seen = [], answer = [], asksSites = true } = stages;
  return {
    answer: answer === null ? null : rankingOf(answer.map(hit)),
    asksSites,
    writes: true,
    contactedSites: new Set(asked),
    found: new Set(found),
    seen: new Map(seen.map((id) => [id, hit(id)])),
    replies: [],
    seenTexts: () => [],
  };
}

function lossOf(stages: Parameters<typeof outcome>[0]): string | undefined {
  const scores = Object.entries(webSearch.score(topic, outcome(stages)));
  const losses = scores.filter(([name, value]) => name.startsWith("loss") && value === 1);
  expect(losses.length).toBeLessThanOrEqual(1);
  return losses[0]?.[0];
}

describe("A web search's score", () => {
  it("is that of the ranking; no answer is worth 0, never missing", () => {
    const scores = webSearch.score(
      topic,
      outcome({ asked: ["b"], found: ["b-1"], seen: ["b-1"], answer: ["c-9", "b-1"] }),
    );
    const ideal = 3 + 1 / Math.log2(3);
    expect(scores["ndcg@3"]).toBeCloseTo(1 / Math.log2(3) / ideal, 12);
    expect(scores).toMatchObject({ "ndcg@1": 0, "recall@1": 0, "recall@3": 0.5, siteRecall: 0.5, sitePrecision: 1 });
    expect(webSearch.score(topic, outcome({ answer: null }))).toMatchObject({
      "ndcg@10": 0,
      "recall@10": 0,
      siteRecall: 0,
    });
  });

  it("has no site measures for a strategy that asks no site", () => {
    const scores = webSearch.score(
      topic,
      outcome({ asksSites: false, found: ["a-1"], seen: ["a-1"], answer: ["a-1"] }),
    );
    expect(scores).toMatchObject({ siteRecall: null, sitePrecision: null, "recall@1": 0.5 });
  });

  it("stays in [0, 1] or is null, and has every measure the task names, whatever happened", () => {
    const ids = fc.uniqueArray(fc.constantFrom("a-1", "a-2", "b-1", "c-1", "c-2"));
    const sites = fc.uniqueArray(fc.constantFrom("a", "b", "c"));
    fc.assert(
      fc.property(sites, ids, ids, fc.option(ids), fc.boolean(), (asked, found, seen, answer, asksSites) => {
        const scores = webSearch.score(topic, outcome({ asked, found, seen, answer, asksSites }));
        for (const name of webSearch.measures) expect(scores).toHaveProperty([name]);
        for (const value of Object.values(scores)) {
          if (value !== null) expect(value >= 0 && value <= 1).toBe(true);
        }
      }),
    );
  });
});

describe("A query loses its relevant pages at the first stage that none of them passes", () => {
  it.each([
    ["none of their sites was asked", { asked: ["c"], answer: ["c-1"] }, "lossNotSelected"],
    ["nobody was asked", { answer: null }, "lossNotSelected"],
    ["no search found one", { asked: ["a"], found: ["a-2"], answer: [] }, "lossNotRetrieved"],
    ["no content agent handed one over", { asked: ["a"], found: ["a-1"], answer: [] }, "lossNotReturned"],
    ["the user agent left it out", { asked: ["a"], found: ["a-1"], seen: ["a-1"], answer: ["c-1"] }, "lossNotRanked"],
    ["there was no answer", { asked: ["a"], found: ["a-1"], seen: ["a-1"], answer: null }, "lossNotRanked"],
    ["no search of all sites found one", { asksSites: false, found: ["c-1"], answer: [] }, "lossNotRetrieved"],
    [
      "nowhere: one is in the answer",
      { asked: ["a"], found: ["a-1"], seen: ["a-1"], answer: ["c-1", "a-1"] },
      undefined,
    ],
  ])("%s", (_, stages, expected) => {
    expect(lossOf(stages)).toBe(expected);
  });
});
