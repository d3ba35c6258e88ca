import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JudgeQuestion } from "../../src/agents/judge.ts";
import { readPrompts } from "../../src/agents/templates.ts";
import { judgeBy, readVote } from "../../src/models/judges/judge.ts";
import { packageRoot } from "../../src/package-root.ts";

const prompts = readPrompts(join(packageRoot, "prompts"));

function judgeThatSays(outputs: readonly string[]) {
  const callers: string[] = [];
  const model = {
    identity: "scripted",
    ask: (_: unknown, caller: string) => {
      callers.push(caller);
      const text = outputs[callers.length - 1] ?? "";
      return { text, finish: "stop", usage: { promptTokens: 1, completionTokens: 1, thoughtTokens: 0 } };
    },
  };
  return { callers, judge: judgeBy({ model, prompts, votes: 3, about: "u1/q1", seedFor: (caller) => caller.length }) };
}

const says = (verdict: unknown): string =>
  `<think>{"verdict":"incorrect"}</think> So {"reason":"r","verdict":${JSON.stringify(verdict)}}`;
const question: JudgeQuestion = {
  item: "answer",
  role: "judge-answer",
  values: { question: "q", gold: "g", answer: "a" },
  choices: ["correct", "incorrect"],
  otherwise: "incorrect",
  combine: "majority",
};

describe("A judge", () => {
  it("decides by the majority of its votes, each a call of its own", async () => {
    const { judge, callers } = judgeThatSays([says("correct"), says("incorrect"), says("Correct")]);
    expect(await judge(question)).toEqual({ choice: "correct", agreement: 1 / 3 });
    expect(new Set(callers)).toEqual(
      new Set(["u1/q1/judge/answer/1/1", "u1/q1/judge/answer/2/1", "u1/q1/judge/answer/3/1"]),
    );
  });

  it("asks again for a vote that cannot be read, twice at most, and then counts it as no", async () => {
    const { judge, callers } = judgeThatSays(["", "correct!", '{"verdict": "maybe"}', "", "", "", "", "", ""]);
    expect(await judge(question)).toEqual({ choice: "incorrect", agreement: 1 });
    expect(callers.length).toBe(9);
  });

  it("counts as no what has no majority, and takes the middle of ratings", async () => {
    const three = { ...question, choices: ["supported", "omitted", "contradicted"], otherwise: "omitted" };
    const split = judgeThatSays([says("supported"), says("contradicted"), says("omitted")]);
    expect((await split.judge(three)).choice).toBe("omitted");
    const ratings = { ...question, choices: ["0", "6", "7", "9"], otherwise: "0", combine: "median" as const };
    const rated = judgeThatSays([says(9), says(6), says("7")]);
    expect(await rated.judge(ratings)).toEqual({ choice: "7", agreement: 1 / 3 });
  });

  it("reads a verdict as JSON only: a word in prose is none", () => {
    expect(readVote("The answer is incorrect.", question.choices)).toBeNull();
    expect(readVote('{"verdict": "correct"} {"verdict": "incorrect"}', question.choices)).toBe("incorrect");
    expect(readVote('```json\n{"reason": "a } b", "verdict": "correct"}\n```', question.choices)).toBe("correct");
  });
});
