import { expect } from "vitest";

// The fields of the golden files are dynamic; each check knows the shape of its own file.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

/** Checks one case of a golden file. */
export type Check = (input: Json, expected: Json) => void;

/** The same check for every kind of case in a file. */
export function sameForAll(kinds: readonly string[], check: Check): Record<string, Check> {
  return Object.fromEntries(kinds.map((kind) => [kind, check]));
}

/**
 * Every value in `want` stands in `got`: numbers within tolerance * max(1, |want|), or tolerance * scale where a scale
 * is given; the rest exactly.
 */
export function expectClose(
  got: Json,
  want: Json,
  { tolerance = 1e-9, scale }: { tolerance?: number; scale?: number } = {},
  path = "value",
): void {
  if (typeof want === "number") {
    expect(typeof got, `${path}: ${String(got)} instead of ${want}`).toBe("number");
    const allowed = tolerance * (scale ?? Math.max(1, Math.abs(want)));
    expect(Math.abs(got - want), `${path}: ${got} instead of ${want}`).toBeLessThanOrEqual(allowed);
  } else if (want !== null && typeof want === "object") {
    expect(got ?? null, path).not.toBeNull();
    if (Array.isArray(want)) expect(got, path).toHaveLength(want.length);
    const options = scale === undefined ? { tolerance } : { tolerance, scale };
    for (const key of Object.keys(want)) expectClose(got[key], want[key], options, `${path}.${key}`);
  } else {
    expect(got, path).toBe(want);
  }
}

/** An object with one value per cutoff. */
export function atCutoffs(ks: readonly number[], value: (k: number) => number): Record<string, number> {
  return Object.fromEntries(ks.map((k) => [String(k), value(k)]));
}
