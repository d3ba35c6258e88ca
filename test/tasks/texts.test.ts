import { describe, expect, it } from "vitest";
import type { Judge } from "../../src/agents/judge.ts";
import type { Hit } from "../../src/agents/ports.ts";
import type { Answer, Outcome, Task } from "../../src/agents/task.ts";
import { deepResearch } from "../../src/tasks/deep-research.ts";
import { questionAnswering } from "../../src/tasks/question-answering.ts";
import { rankingOf } from "../../src/tasks/rankings.ts";

const page: Hit = { id: "a-1", site: "a", textSha256: "", tokens: 1 };
const topic = { id: "t", question: "q", answers: ["7"], keyPoints: ["seven"], evidence: ["a-1"], goldSites: ["a"] };
const tasks = [questionAnswering, deepResearch] as unknown as Task<typeof topic>[];

function outcome(writes: boolean, answer: Answer | null): Outcome {
  const seen = new Map([[page.id, page]]);
  return {
    answer,
    writes,
    asksSites: false,
    contactedSites: new Set(),
    found: new Set(seen.keys()),
    seen,
    replies: [],
    seenTexts: () => ["7"],
  };
}

const asksNobody: Judge = () => Promise.reject(new Error("there is nothing to judge"));
const words = ["f1", "exactMatch", "answerContainment", "answerFromEvidence", "keyPointMatch"];
const judged = ["accuracy", "kpr", "clarity", "support"];

async function valuesOf(task: (typeof tasks)[number], of: Outcome) {
  const scores = { ...task.score(topic, of), ...(await task.judge?.(topic, of, asksNobody)) };
  const names = [...task.measures, ...task.judged].filter((name) => [...words, ...judged].includes(name));
  expect(names.length).toBeGreaterThanOrEqual(4);
  return new Set(names.map((name) => scores[name]));
}

describe.each(tasks)("What is measured of the words in $name", (task) => {
  it("is 0, and never missing, for a query that a model leaves unanswered", async () => {
    expect(await valuesOf(task, outcome(true, null))).toEqual(new Set([0]));
  });

  it("is missing where nobody writes, whether pages were handed over or the query failed", async () => {
    for (const answer of [null, rankingOf([page])]) {
      expect(await valuesOf(task, outcome(false, answer))).toEqual(new Set([null]));
    }
  });

  it("does not decide whether pages were lost where nobody writes: the pages do", () => {
    const lost = (answer: Answer | null) => task.score(topic, outcome(false, answer))["lossNotRanked"];
    expect(lost(rankingOf([page]))).toBe(0);
    expect(lost(rankingOf([]))).toBe(1);
    expect(lost(null)).toBe(1);
  });
});

describe("A research question without key points", () => {
  const bare = { ...topic, keyPoints: [] };
  const seven: Judge = () => Promise.resolve({ choice: "7", agreement: 1 });

  it.each([null, { documents: [], citations: [], text: "Seven." }])(
    "has no share of them and divides by nothing; the rest is scored (answer %j)",
    async (answer) => {
      const of = outcome(true, answer);
      const scores = { ...deepResearch.score(bare, of), ...(await deepResearch.judge?.(bare, of, seven)) };
      expect(scores).toMatchObject({ keyPointMatch: null, kpr: null, kpc: null, clarity: answer === null ? 0 : 0.7 });
      expect(Object.values(scores).every((value) => value === null || Number.isFinite(value))).toBe(true);
    },
  );
});
