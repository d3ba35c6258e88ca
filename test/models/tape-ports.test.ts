import { Kernel } from "../../src/kernel/kernel.ts";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Hit, IndexPort, ModelAnswer, ModelPort } from "../../src/agents/ports.ts";
import { group, type ModelRequest, segment } from "../../src/agents/prompt.ts";
import { recordedIndex, recordedModel } from "../../src/models/recording.ts";
import { replayedIndex, replayedModel, TapeMiss } from "../../src/models/replaying.ts";
import { modelRequestKey, searchKey } from "../../src/models/request-key.ts";
import { TapeReader } from "../../src/trace/tape-reader.ts";
import { TapeWriter } from "../../src/trace/tape-writer.ts";

const folder = mkdtempSync(join(tmpdir(), "awesim-tape-ports-"));
afterAll(() => rmSync(folder, { recursive: true }));
const newTape = () => {
  const directory = mkdtempSync(join(folder, "t-"));
  return {
    directory,
    tape: new TapeWriter(directory),
    text: () => readFileSync(join(directory, "tape.jsonl"), "utf8"),
  };
};

function request(...texts: string[]): ModelRequest {
  return { parts: texts.map(segment), parameters: { thinking: true, maxTokens: 100 }, seed: 7 };
}

function saying(text: string): ModelAnswer {
  return { text, finish: "stop", usage: { promptTokens: 1, completionTokens: 2, thoughtTokens: 3 } };
}

const hit = (id: string): Hit => ({ id, site: "a.example", textSha256: `sha of ${id}`, tokens: 4 });

describe("A request's key", () => {
  const base = request("head", "turn");
  const key = modelRequestKey("m", base);

  it("is made of content alone: equal requests have equal keys", () => {
    expect(modelRequestKey("m", request("head", "turn"))).toBe(key);
  });

  it.each<[string, string, ModelRequest]>([
    ["another model", "m2", base],
    ["another seed", "m", { ...base, seed: 8 }],
    ["thinking off", "m", { ...base, parameters: { thinking: false, maxTokens: 100 } }],
    ["another limit", "m", { ...base, parameters: { thinking: true, maxTokens: 101 } }],
    ["another text", "m", request("head", "Turn")],
    ["another order", "m", request("turn", "head")],
    ["a part more", "m", request("head", "turn", "")],
    ["a part less", "m", request("head")],
    ["another group", "m", { ...base, parts: [group([segment("head")]), segment("turn")] }],
  ])("is another for %s", (_, identity, changed) => {
    expect(modelRequestKey(identity, changed)).not.toBe(key);
  });

  it("of searches is another for any other index, query, site or number", () => {
    const part = fc.record({
      index: fc.constantFrom("i", "i2"),
      query: fc.constantFrom("a", "b", 'a","b'),
      site: fc.constantFrom(null, "null", "a.example", ""),
      k: fc.constantFrom(1, 3),
    });
    fc.assert(
      fc.property(part, part, (one, other) => {
        const keyOf = ({ index, query, site, k }: typeof one) => searchKey(index, query, site, k);
        expect(keyOf(one) === keyOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });
});

describe("A recorded model", () => {
  it("has its answer on the tape before anybody has it", async () => {
    const { tape, text } = newTape();
    const now = [1000, 1250.4];
    const model: ModelPort = { identity: "m", ask: () => Promise.resolve(saying("paid words")) };
    const answer = recordedModel(model, tape, true, () => now.shift() as number).ask(request("x"), "c");
    const seen = (answer as Promise<ModelAnswer>).then(() => text());
    expect(await seen).toContain("paid words");
    expect(JSON.parse((await seen).trimEnd().split("\n")[1] as string)).toMatchObject({
      port: "model",
      caller: "c",
      parts: { model: "m", thinking: true, maxTokens: 100, seed: 7 },
      answer: saying("paid words"),
      realMs: 250,
    });
    tape.close();
  });

  it("answers at once where the model does, with no real time on the tape", () => {
    const { tape, text } = newTape();
    const model: ModelPort = { identity: "m", ask: () => saying("free words") };
    expect(recordedModel(model, tape, false, () => 0).ask(request("x"), "c")).toEqual(saying("free words"));
    tape.close();
    expect(text()).toContain("free words");
    expect(text()).not.toContain("realMs");
  });

  it("records no failure", async () => {
    const { tape, text } = newTape();
    const model: ModelPort = { identity: "m", ask: () => Promise.reject(new Error("gone")) };
    await expect(recordedModel(model, tape, true, () => 0).ask(request("x"), "c")).rejects.toThrow("gone");
    tape.close();
    expect(text().trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("A replayed model", () => {
  function recorded() {
    const { directory, tape } = newTape();
    let n = 0;
    const model: ModelPort = { identity: "m", ask: () => saying(`answer ${++n}`) };
    const recording = recordedModel(model, tape, false, () => 0);
    for (let caller = 1; caller <= 20; caller++) void recording.ask(request("same"), `u${caller}/q/user/1`);
    tape.close();
    return new TapeReader(directory);
  }

  it("gives each caller the answer that it got, though all asked the same", () => {
    const reader = recorded();
    const model = replayedModel("m", reader);
    for (const caller of [20, 1, 7, 7]) {
      expect(model.ask(request("same"), `u${caller}/q/user/1`)).toMatchObject({ text: `answer ${caller}` });
    }
    reader.close();
  });

  it.each<[string, string, ModelRequest, RegExp]>([
    ["another prompt", "m", request("other"), /differs in prompt \(from part 1; 1 asked, 1 recorded\)$/],
    [
      "another seed and prompt",
      "m",
      { ...request("same", "more"), seed: 9 },
      /differs in seed \(9 asked, 7 recorded\), prompt \(from part 2; 2 asked, 1 recorded\)$/,
    ],
    ["another model", "n", request("same"), /differs in model \("n" asked, "m" recorded\)$/],
  ])("misses %s, and says so", async (_, identity, asked, expected) => {
    const reader = recorded();
    const model = replayedModel(identity, reader);
    await expect(model.ask(asked, "u1/q/user/1")).rejects.toThrow(TapeMiss);
    await expect(model.ask(asked, "u1/q/user/1")).rejects.toThrow(expected);
    await expect(model.ask(asked, "u99/q/user/1")).rejects.toThrow(
      /u99.*no request of that caller; the nearest is that of u\d+\/q\/user\/1 \(key [0-9a-f]{12}\)/,
    );
    reader.close();
  });

  it("does without an answer that was still under way when the recorded run ended", async () => {
    const reader = recorded();
    const kernel = new Kernel();
    const answers: unknown[] = [];
    kernel.call(1000, replayedModel("m", reader).ask(request("never recorded"), "u1/q/user/7"), (answer) =>
      answers.push(answer),
    );
    await kernel.runUntil(999);
    expect(answers).toEqual([]);
    await expect(kernel.runUntil(1000)).rejects.toThrow(TapeMiss);
    reader.close();
  });
});

describe("A recorded index", () => {
  it("records each search and each selection of sites once, even of two that are under way at once, and replays it", async () => {
    const { directory, tape, text } = newTape();
    const index: IndexPort = {
      search: (query, site, k) =>
        query === "slow" ? Promise.resolve([hit("d1")]) : [hit(`${query}-${site}`), hit("d2")].slice(0, k),
      selectSites: (query, by, k) => [`${by}-${query}`, "b.example"].slice(0, k),
    };
    const recording = recordedIndex(index, "dense", tape);
    await Promise.all([recording.search("slow", "a.example", 3), recording.search("slow", "a.example", 3)]);
    for (const site of ["a.example", null, "a.example"]) void recording.search("q", site, 3);
    void recording.search("q", null, 1);
    for (const by of ["redde", "vectors", "redde"] as const) void recording.selectSites("q", by, 2);
    tape.close();
    expect(text().trimEnd().split("\n")).toHaveLength(1 + 6);
    const reader = new TapeReader(directory);
    const replayed = replayedIndex("dense", reader);
    expect(replayed.search("slow", "a.example", 3)).toEqual([hit("d1")]);
    expect(replayed.search("q", null, 3)).toEqual([hit("q-null"), hit("d2")]);
    expect(replayed.search("q", null, 1)).toEqual([hit("q-null")]);
    expect(replayed.selectSites("q", "vectors", 2)).toEqual(["vectors-q", "b.example"]);
    expect(replayed.selectSites("q", "redde", 2)).toEqual(["redde-q", "b.example"]);
    await expect(replayed.selectSites("q", "redde", 1)).rejects.toThrow(
      /no selection of sites for "q" by redde \(k 1\)/,
    );
    await expect(replayed.search("q", "b.example", 3)).rejects.toThrow(/"q" in b\.example \(k 3\)/);
    await expect(replayedIndex("bm25", reader).search("q", null, 3)).rejects.toThrow(TapeMiss);
    reader.close();
  });
});
