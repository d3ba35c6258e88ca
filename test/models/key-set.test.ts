import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeySet } from "../../src/models/key-set.ts";
import { sha256 } from "../../src/trace/hash.ts";

describe("A set of keys", () => {
  it("says of each key whether it is new, as a set of strings would", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 600 }), (numbers) => {
        const [keys, known] = [new KeySet(), new Set<string>()];
        for (const number of numbers) {
          const key = sha256(String(number));
          expect(keys.add(key)).toBe(!known.has(key));
          known.add(key);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("holds 100,000 keys", () => {
    const keys = new KeySet();
    for (let round = 0; round < 2; round++) {
      const added = Array.from({ length: 100_000 }, (_, number) => keys.add(sha256(String(number))));
      expect(added.every((isNew) => isNew === (round === 0))).toBe(true);
    }
  });

  it("holds keys that begin with zeros", () => {
    const keys = new KeySet();
    const key = (end: string) => `${"0".repeat(24)}${end}${"0".repeat(32)}`;
    expect([key("00000000"), key("00000001"), key("00000000")].map((each) => keys.add(each))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
