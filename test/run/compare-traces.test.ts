import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { firstDifference } from "../../src/run/compare-traces.ts";

const folder = mkdtempSync(join(tmpdir(), "awesim-compare-"));
afterAll(() => rmSync(folder, { recursive: true }));
const [one, other] = [join(folder, "one"), join(folder, "other")];

function compare(a: string, b: string) {
  writeFileSync(one, a);
  writeFileSync(other, b);
  return firstDifference(one, other);
}

describe("Two traces", () => {
  it("that are byte-identical have no difference", () => {
    const long = `${"x".repeat(3_000_000)}\ny\n`;
    for (const text of ["", "a\n", "a\nb", long]) expect(compare(text, text)).toBeNull();
  });

  it("part at the first line that differs, or where one has ended", () => {
    expect(compare("a\nb\nc\n", "a\nB\nC\n")).toEqual({ line: 2, expected: "b", got: "B" });
    expect(compare("a\nb\n", "a\n")).toEqual({ line: 2, expected: "b", got: null });
    expect(compare("a\n", "a\nb\n")).toEqual({ line: 2, expected: null, got: "b" });
    expect(compare("", "a\n")).toEqual({ line: 1, expected: null, got: "a" });
  });

  it("part at a line that is cut short, if only by its newline", () => {
    expect(compare("a\nb\n", "a\nb")).toEqual({ line: 2, expected: "b", got: "b (cut short: no newline)" });
  });

  it("are equal if and only if their bytes are", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n"), maxLength: 3 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(compare(a, b) === null).toBe(a === b);
      }),
      { numRuns: 300 },
    );
  });
});
