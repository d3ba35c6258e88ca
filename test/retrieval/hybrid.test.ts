import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DocumentIndex } from "../../src/retrieval/document-index.ts";
import { HybridIndex } from "../../src/retrieval/hybrid-index.ts";
import { openRetrieval } from "../../src/retrieval/retrieval.ts";
import { temporaryFolders, writePages } from "./written-corpus.ts";

const folder = temporaryFolders();

/** An index that always ranks the same rows. */
const fixed = (identity: string, rows: readonly number[]): DocumentIndex => ({
  identity,
  search: (_query, _site, k) => rows.slice(0, k).map((row, i) => ({ row, score: -i })),
});

describe("reciprocal rank fusion", () => {
  test("gives the scores of a calculation by hand, ties by row", () => {
    const hybrid = new HybridIndex(fixed("one", [7, 3, 5]), fixed("other", [3, 9, 7, 1]), {
      rankConstant: 60,
      depth: 100,
    });
    expect(hybrid.search("q", null, 10)).toEqual([
      { row: 3, score: 1 / 62 + 1 / 61 },
      { row: 7, score: 1 / 61 + 1 / 63 },
      { row: 9, score: 1 / 62 },
      { row: 5, score: 1 / 63 },
      { row: 1, score: 1 / 64 },
    ]);
    const tied = new HybridIndex(fixed("one", [8, 2]), fixed("other", [2, 8]), { rankConstant: 60, depth: 100 });
    expect((tied.search("q", null, 1) as { row: number }[]).map(({ row }) => row)).toEqual([2]);
    expect(hybrid.identity).toBe("hybrid/rank-constant=60,depth=100/one+other");
  });

  test("looks no deeper than told, unless more are wanted", () => {
    const hybrid = new HybridIndex(fixed("one", [1, 2, 3]), fixed("other", [3, 4, 5]), { rankConstant: 60, depth: 1 });
    const rows = (k: number) => (hybrid.search("q", null, k) as { row: number }[]).map(({ row }) => row);
    expect(rows(1)).toEqual([1]);
    expect(rows(3)).toEqual([3, 1, 2]);
  });

  test("a list fused with itself, or with an empty one, keeps its order", () => {
    const distinct = fc.uniqueArray(fc.nat(1000), { maxLength: 40 });
    fc.assert(
      fc.property(distinct, fc.nat(100), (rows, rankConstant) => {
        for (const other of [rows, []]) {
          const hybrid = new HybridIndex(fixed("a", rows), fixed("b", other), { rankConstant, depth: 50 });
          expect((hybrid.search("q", null, 50) as { row: number }[]).map(({ row }) => row)).toEqual(rows);
        }
      }),
    );
  });
});

test("three indexes of one corpus are opened together, and hybrid fuses the other two", async () => {
  const site = "a.example";
  const subjects = ["night trains", "apple trees", "plum jam", "hay fever", "owl calls", "tide tables"];
  const pages = subjects.flatMap((subject, i) => [
    { id: `d${i}`, site, text: `All about ${subject}, when and how.` },
    { id: `e${i}`, site, text: `A letter that mentions ${subject} once.` },
  ]);
  const corpus = writePages(folder(), pages);
  const retrieval = await openRetrieval(corpus, {
    cacheDirectory: folder(),
    embedder: "hashing",
    indexes: ["hybrid", "dense", "bm25"],
  });
  for (const query of ["plum jam", "letter on trains", "fever"]) {
    const dense = await retrieval.search(query, site, 12, "dense");
    const bm25 = await retrieval.search(query, site, 12, "bm25");
    const score = (id: string) =>
      [dense, bm25]
        .map((list) => list.findIndex((hit) => hit.id === id))
        .reduce((sum, place) => sum + (place < 0 ? 0 : 1 / (61 + place)), 0);
    const expected = dense.map(({ id }) => id).sort((a, b) => score(b) - score(a) || (a < b ? -1 : 1));
    expect((await retrieval.search(query, site, 12)).map(({ id }) => id)).toEqual(expected);
    expect(bm25.length).toBeLessThan(12);
  }
  const identity = retrieval.indexIdentity();
  expect(identity).toContain(
    `hybrid/rank-constant=60,depth=100/${retrieval.indexIdentity("dense")}+bm25/k1=1.2,b=0.75/`,
  );
  retrieval.close();
});
