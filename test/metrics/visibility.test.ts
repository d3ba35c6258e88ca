import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  agentShares,
  citationNumbers,
  citationNumbersWithGroups,
  citationSpread,
  citedSentences,
  geoWords,
  plainWords,
  reportBody,
  splitSentences,
  visibility,
} from "../../src/metrics/index.ts";

const sentence = fc.record({ words: fc.nat(40), citations: fc.array(fc.nat(9), { maxLength: 4 }) });
const sentences = fc.array(sentence, { maxLength: 12 });
const piece = fc.constantFrom(
  "Rust is fast",
  "[1]",
  "[2][3]",
  "[1, 2]",
  "[3-5]",
  ".",
  "?",
  "\n\n",
  "\n",
  " ",
  "## References",
  "don't",
  "“so”",
  "e.g.",
  "...",
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "binary" }),
);

describe("visibility of sources", () => {
  test("is a share: within [0, 1], with sum 1, for any citations and any number of sources", () => {
    fc.assert(
      fc.property(sentences, fc.nat(8), (report, sources) => {
        const seen = visibility(report, sources);
        for (const { raw, share } of [seen.word, seen.position, seen.overall]) {
          expect(raw).toHaveLength(sources);
          expect(share.every((value) => value >= 0 && value <= 1)).toBe(true);
          if (sources > 0) expect(share.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 10);
        }
        expect(seen.cited.every((source) => source >= 1 && source <= sources)).toBe(true);
      }),
    );
  });

  test("follows the sources when they are renumbered", () => {
    fc.assert(
      fc.property(sentences, (report) => {
        const valid = report.map(({ words, citations }) => ({ words, citations: citations.filter((c) => c > 0) }));
        const mirrored = valid.map(({ words, citations }) => ({ words, citations: citations.map((c) => 10 - c) }));
        const [seen, mirror] = [visibility(valid, 9), visibility(mirrored, 9)];
        expect([...mirror.overall.raw].reverse()).toEqual(seen.overall.raw);
        expect(mirror.cited.map((source) => 10 - source).reverse()).toEqual(seen.cited);
      }),
    );
  });

  test("of agents sums to 1 when all that is cited counts words", () => {
    const seen = visibility(
      [
        { words: 6, citations: [1, 2] },
        { words: 3, citations: [3] },
      ],
      4,
    );
    const shares = agentShares(seen.word, seen.cited, (source) => (source === 3 ? "b.example" : "a.example"));
    expect(Object.fromEntries(shares)).toEqual({ "a.example": 6 / 9, "b.example": 3 / 9 });
  });
});

describe("the spread of citations", () => {
  test("is within [0, 1], and null where nothing is cited", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c", "d")), (agents) => {
        const { citedAgents, noReference, citationEntropy, largestCitationShare } = citationSpread(agents);
        expect(citedAgents).toBe(new Set(agents).size);
        expect(noReference).toBe(agents.length === 0 ? 1 : 0);
        expect(largestCitationShare === null).toBe(agents.length === 0);
        for (const value of [citationEntropy, largestCitationShare]) {
          if (value !== null) expect(value >= 0 && value <= 1).toBe(true);
        }
      }),
    );
    expect(citationSpread(["a", "b", "a", "b"]).citationEntropy).toBe(1);
    expect(citationSpread(["a", "a"]).citationEntropy).toBeNull();
  });
});

describe("the text of a report", () => {
  test("keeps every character that is not white space when it is split", () => {
    const solid = (raw: string) => raw.replace(/\s/gu, "");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const raw = pieces.join("");
        expect(solid(splitSentences(raw).join(""))).toBe(solid(raw));
      }),
    );
  });

  test("any text can be read; the body is a beginning of it; groups find what single markers find", () => {
    fc.assert(
      fc.property(text, (raw) => {
        expect(raw.startsWith(reportBody(raw))).toBe(true);
        for (const { text: one, words, citations } of citedSentences(raw)) {
          expect(words).toBeGreaterThanOrEqual(0);
          expect(plainWords(one)).toBeGreaterThanOrEqual(0);
          expect(citations).toEqual(citationNumbers(one));
        }
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 6 }), (numbers) => {
        const marked = numbers.map((number) => `Fact [${number}].`).join(" ");
        expect(citationNumbers(marked)).toEqual(numbers);
        expect(citationNumbersWithGroups(marked)).toEqual(numbers);
        if (numbers.length > 0) expect(citationNumbersWithGroups(`[${numbers.join(", ")}]`)).toEqual(numbers);
      }),
    );
  });

  test("words in GEO's sense are longer than two characters, brackets and contractions apart", () => {
    expect(geoWords("It isn't an AI [1]; we can't (yet) say more.")).toBe(5);
    expect(plainWords("It isn't an AI [1]; we can't (yet) say more.")).toBe(9);
  });
});
