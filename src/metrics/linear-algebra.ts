/** A square matrix, row by row. */
export type Matrix = readonly (readonly number[])[];

/** The lower factor of Cholesky's decomposition; null unless the symmetric matrix is positive definite. */
function cholesky(matrix: Matrix): number[][] | null {
  const size = matrix.length;
  const lower = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i]![j]!;
      for (let k = 0; k < j; k++) sum -= lower[i]![k]! * lower[j]![k]!;
      if (i === j) {
        // A pivot of rounding errors is none: the matrix has no full rank.
        if (!(sum > 1e-13 * Math.abs(matrix[i]![i]!))) return null;
        lower[i]![i] = Math.sqrt(sum);
      } else {
        lower[i]![j] = sum / lower[j]![j]!;
      }
    }
  }
  return lower;
}

/** The x with `matrix` x = `vector`; null unless the symmetric matrix is positive definite. */
export function solve(matrix: Matrix, vector: readonly number[]): number[] | null {
  const lower = cholesky(matrix);
  return lower === null ? null : substituted(lower, vector);
}

/** The inverse of a symmetric, positive definite matrix; null when it is not. */
export function inverse(matrix: Matrix): number[][] | null {
  const lower = cholesky(matrix);
  if (lower === null) return null;
  // The inverse is symmetric: its columns are its rows.
  return matrix.map((_, row) =>
    substituted(
      lower,
      matrix.map((__, column) => (column === row ? 1 : 0)),
    ),
  );
}

function substituted(lower: Matrix, vector: readonly number[]): number[] {
  const size = vector.length;
  const x = [...vector];
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) x[i]! -= lower[i]![k]! * x[k]!;
    x[i]! /= lower[i]![i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) x[i]! -= lower[k]![i]! * x[k]!;
    x[i]! /= lower[i]![i]!;
  }
  return x;
}
