import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { innerProduct } from "../../src/retrieval/exact-search.ts";
import { ProductMatrix } from "../../src/retrieval/inner-products.ts";

describe("inner products by vector instructions", () => {
  test("equal those of plain JavaScript bit for bit, for any rows in any order", () => {
    const component = fc.integer({ min: -2048, max: 2048 });
    const matrices = fc
      .tuple(
        fc.integer({ min: 1, max: 6 }).map((eights) => 8 * eights),
        fc.integer({ min: 1, max: 20 }),
      )
      .chain(([dimensions, vectors]) =>
        fc.record({
          dimensions: fc.constant(dimensions),
          values: fc.array(component, { minLength: dimensions * vectors, maxLength: dimensions * vectors }),
          query: fc.array(component, { minLength: dimensions, maxLength: dimensions }),
          rows: fc.array(fc.integer({ min: 0, max: vectors - 1 }), { maxLength: vectors }),
        }),
      );
    fc.assert(
      fc.property(matrices, ({ dimensions, values, query, rows }) => {
        const matrix = new ProductMatrix(values.length / dimensions, dimensions);
        matrix.values.set(values);
        const wanted = rows.map((row) => innerProduct(matrix, Int16Array.from(query), row));
        expect([...matrix.products(Int16Array.from(query), Uint32Array.from(rows))]).toEqual(wanted);
      }),
    );
  });

  test("are refused for sizes that vector instructions or 32-bit addresses do not reach", () => {
    expect(ProductMatrix.takes(1000, 12)).toBe(false);
    expect(ProductMatrix.takes(5_000_000, 512)).toBe(false);
    expect(ProductMatrix.takes(1_000_000, 512)).toBe(true);
    expect(() => new ProductMatrix(10, 12)).toThrow("12 dimensions");
  });
});
