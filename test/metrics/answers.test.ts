import fc from "fast-check";
import { keyPointMatch } from "../../src/metrics/key-points.ts";
import { describe, expect, test } from "vitest";
import {
  answerContainment,
  exactMatch,
  f1,
  f1OfPair,
  hotpotF1,
  keyPointRates,
  meanKeyPointRates,
  normalizeAnswer,
  parseAnswerIds,
  reportQuality,
  squad11ExactMatch,
  squad11F1,
} from "../../src/metrics/index.ts";

const word = fc.constantFrom("the", "a", "cat", "Dog", "U.S.", "naïve", "東京", "...", "no", "yes", "\u0085", "_");
const answer = fc.oneof(
  fc.array(word, { maxLength: 6 }).map((words) => words.join(" ")),
  fc.string({ unit: "binary" }),
);
const golds = fc.array(answer, { maxLength: 4 });

describe("answer measures", () => {
  test("stay within [0, 1] whatever the texts", () => {
    fc.assert(
      fc.property(answer, golds, (prediction, wanted) => {
        for (const measure of [f1, exactMatch, answerContainment, squad11F1, squad11ExactMatch, hotpotF1]) {
          const value = measure(prediction, wanted);
          expect(value >= 0 && value <= 1).toBe(true);
        }
      }),
    );
  });

  test("a gold answer scores 1, an exact match is contained, and what is contained shares words", () => {
    fc.assert(
      fc.property(answer, golds, (prediction, wanted) => {
        expect(f1OfPair(prediction, prediction)).toBe(1);
        if (exactMatch(prediction, wanted) === 1) expect(answerContainment(prediction, wanted)).toBe(1);
        if (answerContainment(prediction, wanted) === 1) expect(f1(prediction, wanted)).toBeGreaterThan(0);
        expect(f1(prediction, wanted)).toBeGreaterThanOrEqual(exactMatch(prediction, wanted));
      }),
    );
  });

  test("F1 is symmetric, and another gold answer never lowers it below an informative one", () => {
    fc.assert(
      fc.property(answer, answer, answer, (one, other, third) => {
        expect(f1OfPair(one, other)).toBe(f1OfPair(other, one));
        if (normalizeAnswer(other) === "") return;
        expect(f1(one, [other, third])).toBeGreaterThanOrEqual(f1(one, [other]));
      }),
    );
  });

  test("normalising twice gives what normalising once gives, for plain words", () => {
    const plain = fc.array(fc.constantFrom("cat", "The", "dog!", "(a)", "É"), { maxLength: 8 });
    fc.assert(
      fc.property(plain, (words) => {
        const once = normalizeAnswer(words.join(" "));
        expect(normalizeAnswer(once)).toBe(once);
      }),
    );
  });

  test("containment wants whole words in order", () => {
    expect(answerContainment("It was built in Paris, France.", ["paris france"])).toBe(1);
    expect(answerContainment("It was built in Parisian style", ["Paris"])).toBe(0);
    expect(answerContainment("France and Paris", ["Paris and France"])).toBe(0);
    expect(answerContainment("no idea", [""])).toBe(0);
    expect(answerContainment("", ["..."])).toBe(1);
  });
});

describe("ids in an answer", () => {
  test("a JSON list of strings comes back as it is, whatever it holds", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 5 }), (ids) => {
        expect(parseAnswerIds(JSON.stringify(ids))).toEqual(ids);
      }),
    );
  });

  test("any text gives a list and no error", () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string().map((inner) => `[${inner}]`),
    );
    fc.assert(
      fc.property(text, (raw) => {
        expect(Array.isArray(parseAnswerIds(raw))).toBe(true);
      }),
    );
  });

  test("nested values are written as Python writes them", () => {
    const text = String.raw`[{"k": [1, 2.50, -0, 1e5, 123456789012345680000.0, 1.5e-7]}, ["it's", "\"", "a\n\\", "\u00e9\u200b"]]`;
    expect(parseAnswerIds(text)).toEqual([
      "{'k': [1, 2.5, 0, 100000.0, 1.2345678901234568e+20, 1.5e-07]}",
      String.raw`["it's", '"', 'a\n\\', 'é\u200b']`,
    ]);
  });
});

describe("reports", () => {
  test("the shares of supported, omitted and contradicted key points never exceed 1 in sum", () => {
    const label = fc.constantFrom("Supported", "Omitted", "Contradicted", "supported", "?");
    const labels = fc.array(fc.record({ point: fc.nat(5), label }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(labels, { maxLength: 6 }), (reports) => {
        const rates = reports.map(keyPointRates);
        for (const one of [...rates, meanKeyPointRates(rates), meanKeyPointRates(rates, "skip")]) {
          if (one === null) continue;
          expect(Math.min(one.kpr, one.omitted, one.kpc)).toBeGreaterThanOrEqual(0);
          expect(one.kpr + one.omitted + one.kpc).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
    );
  });

  test("make no key point without words, and no more than all", () => {
    expect(keyPointMatch("Anything at all.", ["", " ... ", "anything"])).toBe(1 / 3);
  });

  test("quality is a fraction of the best rating, and null without a rating", () => {
    expect(reportQuality({ Clarity: 10, Depth: 5 })).toBe(0.75);
    expect(reportQuality({})).toBeNull();
  });
});
