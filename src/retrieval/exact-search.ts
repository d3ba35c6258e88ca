import { ProductMatrix } from "./inner-products.ts";

/** Vectors of equal length one after the other, in the integers of `unitIntegers`; a vector is known by its row. */
export interface VectorMatrix {
  readonly dimensions: number;
  readonly values: Int16Array;
}

/** A row and its inner product with the query. */
export interface Neighbour {
  readonly row: number;
  readonly score: number;
}

/** The numbers of all rows of a matrix. */
export function allRows({ values, dimensions }: VectorMatrix): Uint32Array {
  return Uint32Array.from({ length: values.length / dimensions }, (_, row) => row);
}

/**
 * The `k` of the ascending `rows` (all when not given) with the greatest inner product with `query`, best first; the
 * order among equals is that of their rows. Every row is looked at.
 */
export function exactSearch(
  matrix: VectorMatrix,
  query: Int16Array,
  k: number,
  rows: Uint32Array = allRows(matrix),
): Neighbour[] {
  return best(rows, innerProducts(matrix, query, rows), k);
}

/** The inner products of `query` with `rows`, exactly. */
export function innerProducts(matrix: VectorMatrix, query: Int16Array, rows: Uint32Array): Int32Array {
  if (matrix instanceof ProductMatrix) return matrix.products(query, rows);
  return Int32Array.from(rows, (row) => innerProduct(matrix, query, row));
}

/** The inner product of `query` with one row, exactly. */
export function innerProduct({ values, dimensions }: VectorMatrix, query: Int16Array, row: number): number {
  let sum = 0;
  for (let i = 0, at = row * dimensions; i < dimensions; i += 1, at += 1) {
    sum = (sum + Math.imul(values[at] as number, query[i] as number)) | 0;
  }
  return sum;
}

/** The `k` rows with the greatest products. */
function best(rows: Uint32Array, products: Int32Array, k: number): Neighbour[] {
  const found: Neighbour[] = [];
  if (k <= 0) return found;
  for (let i = 0; i < products.length; i += 1) {
    const score = products[i] as number;
    if (found.length === k) {
      if (score <= (found[k - 1] as Neighbour).score) continue;
      found.pop();
    }
    let place = found.length;
    while (place > 0 && score > (found[place - 1] as Neighbour).score) place -= 1;
    found.splice(place, 0, { row: rows[i] as number, score });
  }
  return found;
}
