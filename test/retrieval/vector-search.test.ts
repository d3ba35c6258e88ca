import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ApproximateIndex } from "../../src/retrieval/approximate-index.ts";
import { unitIntegers } from "../../src/retrieval/embedders/embedder.ts";
import { allRows, exactSearch, innerProduct } from "../../src/retrieval/exact-search.ts";
import { clusteredMatrix } from "./clustered.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "awesim-index-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const rowOf = ({ values, dimensions }: ReturnType<typeof clusteredMatrix>, row: number) =>
  values.subarray(row * dimensions, (row + 1) * dimensions);
const build = (matrix: ReturnType<typeof clusteredMatrix>) =>
  ApproximateIndex.build(matrix, allRows(matrix), () => undefined);

describe("exact search", () => {
  test("is sorting all rows by inner product, then row", () => {
    const matrix = fc
      .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 23 }))
      .chain(([dimensions, rows]) =>
        fc.record({
          dimensions: fc.constant(dimensions),
          values: fc
            .array(fc.integer({ min: -3, max: 3 }), { minLength: dimensions * rows, maxLength: dimensions * rows })
            .map((values) => Int16Array.from(values)),
          query: fc
            .array(fc.integer({ min: -3, max: 3 }), { minLength: dimensions, maxLength: dimensions })
            .map((values) => Int16Array.from(values)),
        }),
      );
    fc.assert(
      fc.property(matrix, fc.integer({ min: 0, max: 30 }), fc.boolean(), (matrix, k, odd) => {
        const rows = allRows(matrix).filter((row) => !odd || row % 2 === 1);
        const sorted = Array.from(rows, (row) => {
          const values = Array.from(rowOf(matrix, row));
          return { row, score: values.reduce((sum, value, i) => sum + value * (matrix.query[i] as number), 0) };
        }).sort((a, b) => b.score - a.score || a.row - b.row);
        expect(exactSearch(matrix, matrix.query, k, rows)).toEqual(sorted.slice(0, k));
      }),
    );
  });

  test("no inner product of unit vectors leaves what 32-bit floats hold exactly", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 512, maxLength: 512 }),
        (values) => {
          const vector = unitIntegers(values);
          const squares = vector.reduce((sum, value) => sum + value * value, 0);
          expect(squares).toBeLessThan(2 ** 24);
        },
      ),
    );
  });
});

describe("approximate search", () => {
  test("native scores are the integers of plain code, bit for bit", async () => {
    const matrix = clusteredMatrix(500, 10);
    const index = await build(matrix);
    for (let row = 0; row < 500; row += 7) {
      const query = rowOf(matrix, row);
      for (const found of index.nativeSearch(query, 20)) {
        expect(found.score).toBe(innerProduct(matrix, query, found.row));
      }
    }
  });

  test("finds at least 95 of 100 of the ten nearest among clustered vectors, in the exact order", async () => {
    const matrix = clusteredMatrix(3000, 40);
    const index = await build(matrix);
    let found = 0;
    for (let row = 0; row < 3000; row += 30) {
      const query = rowOf(matrix, row);
      const exact = exactSearch(matrix, query, 10);
      const approximate = index.search(query, 10);
      found += exact.filter((each) => approximate.some(({ row }) => row === each.row)).length;
      expect(approximate).toEqual([...approximate].sort((a, b) => b.score - a.score || a.row - b.row));
    }
    expect(found / 1000).toBeGreaterThanOrEqual(0.95);
  });

  test("built twice or saved and loaded it is the same", async () => {
    const matrix = clusteredMatrix(600, 10);
    const [first, second] = [await build(matrix), await build(matrix)];
    first.save(join(folder, "a"));
    second.save(join(folder, "b"));
    expect(readFileSync(join(folder, "a")).equals(readFileSync(join(folder, "b")))).toBe(true);
    const loaded = ApproximateIndex.load(matrix, join(folder, "a"));
    for (let row = 0; row < 600; row += 11) {
      expect(loaded.search(rowOf(matrix, row), 10)).toEqual(first.search(rowOf(matrix, row), 10));
    }
  });

  test("gives all when asked for more than there are", async () => {
    const matrix = clusteredMatrix(12, 3);
    const found = (await build(matrix)).search(rowOf(matrix, 0), 300);
    expect(found).toEqual(exactSearch(matrix, rowOf(matrix, 0), 12));
  });
});
