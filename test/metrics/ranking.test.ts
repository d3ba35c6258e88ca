import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import {
  binaryGrades,
  compareUtf8,
  distinctIds,
  exponentialGain,
  type Grades,
  judged,
  linearGain,
  meanOverTopics,
  ndcg,
  normalizedPrecision,
  rankByScore,
  rankStrictly,
  recall,
  siteRecall,
  sitePrecision,
} from "../../src/metrics/index.ts";

// Few ids, so that repeats and hits are common; some of them are never judged.
const id = fc.constantFrom("a", "b", "c", "d", "e", "f", "constructor", "__proto__", "", "é", "😀");
const ids = fc.array(id, { maxLength: 20 });
const grades = fc
  .array(fc.tuple(id, fc.integer({ min: -2, max: 4 })), { maxLength: 12 })
  .map((entries): Grades => new Map(entries));
const cutoff = fc.integer({ min: 0, max: 25 });

const isFraction = (value: number | null) => value === null || (value >= 0 && value <= 1);

describe("ranking measures", () => {
  test("stay within [0, 1] whatever the list: repeats, unknown ids, nothing", () => {
    fc.assert(
      fc.property(ids, grades, cutoff, (list, judgements, k) => {
        const gold = new Set(judgements.keys());
        expect(isFraction(ndcg(list, judgements, k))).toBe(true);
        expect(isFraction(ndcg(list, judgements, k, exponentialGain))).toBe(true);
        expect(isFraction(recall(list, judgements, k))).toBe(true);
        expect(isFraction(judged(list, judgements, k))).toBe(true);
        expect(isFraction(normalizedPrecision(list, judgements, k))).toBe(true);
        expect(isFraction(siteRecall(list, gold))).toBe(true);
        expect(isFraction(sitePrecision(list, gold))).toBe(true);
      }),
    );
  });

  test("NDCG and nP are 1 for the ideal order, at every cutoff and gain", () => {
    const relevant = grades.filter((judgements) => [...judgements.values()].some((grade) => grade > 0));
    fc.assert(
      fc.property(relevant, fc.integer({ min: 1, max: 25 }), (judgements, k) => {
        const ideal = [...judgements.keys()].sort(
          (a, b) => (judgements.get(b) as number) - (judgements.get(a) as number),
        );
        expect(ndcg(ideal, judgements, k, linearGain)).toBe(1);
        expect(ndcg(ideal, judgements, k, exponentialGain)).toBe(1);
        expect(normalizedPrecision(ideal, judgements, k)).toBe(1);
      }),
    );
  });

  test("repeating an id that already stands higher changes nothing", () => {
    fc.assert(
      fc.property(ids, ids, grades, cutoff, (list, repeats, judgements, k) => {
        const padded = [...list, ...repeats.filter((repeat) => list.includes(repeat))];
        expect(ndcg(padded, judgements, k)).toBe(ndcg(list, judgements, k));
        expect(recall(padded, judgements, k)).toBe(recall(list, judgements, k));
        expect(normalizedPrecision(padded, judgements, k)).toBe(normalizedPrecision(list, judgements, k));
      }),
    );
  });

  test("moving a relevant document one place up never lowers NDCG or recall", () => {
    fc.assert(
      fc.property(ids, grades, cutoff, fc.nat(), (list, judgements, k, at) => {
        const order = distinctIds(list);
        if (order.length < 2) return;
        const upper = at % (order.length - 1);
        const [first, second] = [order[upper] as string, order[upper + 1] as string];
        const gradeOf = (document: string) => Math.max(0, judgements.get(document) ?? 0);
        if (gradeOf(second) < gradeOf(first)) return;
        const swapped = order.with(upper, second).with(upper + 1, first);
        expect(ndcg(swapped, judgements, k)).toBeGreaterThanOrEqual(ndcg(order, judgements, k) - 1e-12);
        expect(recall(swapped, judgements, k)).toBeGreaterThanOrEqual(recall(order, judgements, k) - 1e-12);
      }),
    );
  });

  test("recall never falls with k, and the gains agree on binary grades", () => {
    fc.assert(
      fc.property(ids, ids, cutoff, (list, relevant, k) => {
        const judgements = binaryGrades(relevant);
        expect(recall(list, judgements, k + 1)).toBeGreaterThanOrEqual(recall(list, judgements, k));
        expect(ndcg(list, judgements, k, exponentialGain)).toBeCloseTo(ndcg(list, judgements, k), 12);
      }),
    );
  });

  test("do not depend on the order of the judgements", () => {
    fc.assert(
      fc.property(ids, grades, cutoff, (list, judgements, k) => {
        const reversed = new Map([...judgements].reverse());
        expect(ndcg(list, reversed, k)).toBe(ndcg(list, judgements, k));
        expect(recall(list, reversed, k)).toBe(recall(list, judgements, k));
      }),
    );
  });

  test("judged@k counts grade 0 as a judgement and a negative grade as none", () => {
    const judgements = new Map([
      ["a", 0],
      ["b", -1],
      ["c", 2],
    ]);
    expect(judged(["a", "b", "c", "x"], judgements, 4)).toBe(0.5);
    expect(judged(["a", "a", "x"], judgements, 10)).toBe(0.5);
    expect(judged([], judgements, 4)).toBeNull();
  });
});

describe("the order of a scored run", () => {
  test("breaks ties by the UTF-8 bytes of the id, descending", () => {
    const utf8 = (text: string) => Buffer.from(text, "utf8");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }), (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(utf8(a), utf8(b)));
      }),
    );
  });

  test("is the same whatever the order of the lines", () => {
    const line = fc.record({ id, score: fc.constantFrom(-1, -0, 0, 0.5, 2) });
    fc.assert(
      fc.property(fc.array(line), (run) => {
        expect(rankByScore([...run].reverse())).toEqual(rankByScore(run));
      }),
    );
  });

  test("names the document that a run lists twice", () => {
    const run = [
      { id: "doc-7", score: 2 },
      { id: "doc-7", score: 1 },
    ];
    expect(() => rankStrictly(run)).toThrow(InputError);
    expect(() => rankStrictly(run)).toThrow(/doc-7/);
    expect(rankByScore(run)).toEqual(["doc-7", "doc-7"]);
  });
});

describe("federated search", () => {
  test("site recall and precision count each contacted site once", () => {
    const gold = new Set(["a", "b"]);
    expect(siteRecall(["a", "a", "x"], gold)).toBe(0.5);
    expect(sitePrecision(["a", "a", "x"], gold)).toBe(0.5);
    expect(siteRecall([], gold)).toBe(0);
    expect(sitePrecision([], gold)).toBeNull();
    expect(siteRecall(["a"], new Set())).toBeNull();
  });

  test("nP@k compares the merit of the chosen sites with the best choice of as many", () => {
    const merits = new Map([
      ["a", 5],
      ["b", 3],
      ["c", 2],
    ]);
    expect(normalizedPrecision(["c", "a"], merits, 1)).toBe(2 / 5);
    expect(normalizedPrecision(["c", "a"], merits, 2)).toBe(7 / 8);
    expect(normalizedPrecision(["x"], merits, 3)).toBe(0);
  });
});

test("a topic without a value counts zero, or is left out on request", () => {
  const values = new Map([
    ["t1", 1],
    ["t2", 0.5],
    ["other", 9],
  ]);
  expect(meanOverTopics(values, ["t1", "t2", "t3"])).toEqual({ mean: 0.5, n: 3 });
  expect(meanOverTopics(values, ["t1", "t2", "t3"], "skip")).toEqual({ mean: 0.75, n: 2 });
  expect(meanOverTopics(values, [])).toEqual({ mean: null, n: 0 });
});
