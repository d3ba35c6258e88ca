import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clean, cut, fit, width } from "../../src/terminal/clean.ts";

describe("cleaning", () => {
  test.each([
    ["colour", "\u001b[31mred\u001b[0m", "red"],
    ["an 8-bit control sequence", "\u009b2Jwiped", "wiped"],
    ["clearing the screen", "a\u001b[2J\u001b[3J\u001b[Hb", "ab"],
    ["a title", "\u001b]0;evil\u0007site", "site"],
    ["a link", "\u001b]8;;http://x.example\u001b\\text\u001b]8;;\u001b\\", "text"],
    ["a device control string", "\u001bPq#0\u001b\\x", "x"],
    ["a sequence within a sequence", "\u001b\u001b[31m[31mx", "[31mx"],
    ["line ends and tabs", "a\r\nb\tc\u2028d\u0085e", "a b c d e"],
    ["a bell and a backspace", "a\u0007\u0008b", "ab"],
    ["the blanks around what is taken out", "¡ \u0007 x", "¡ x"],
    ["bidi overrides", "abc\u202egnp.exe\u202c\u2066x\u2069\u200f", "abcgnp.exex"],
    ["zero width and soft hyphens", "a\u200bb\u200dc\u2060d\ufeffe\u00adf", "abcdef"],
    ["tags and variation selectors", "a\u{e0041}\ufe0fb", "ab"],
    ["lone surrogates and private use", "a\ud800b\ue000c", "abc"],
    ["fillers that look empty", "a\u3164b\u115fc", "abc"],
    ["stacked marks", `a${"\u0301".repeat(50)}b`, `a${"\u0301".repeat(4)}b`],
  ])("takes out %s", (_, hostile, expected) => {
    expect(clean(hostile)).toBe(expected);
  });

  test.each(["plain.example", "Zürich", "東京.example", "café", "हिन्दी", "🙂"])("leaves %s as it is", (text) => {
    expect(clean(text)).toBe(text);
  });

  test("leaves no control or format character of any text, and cleans nothing twice", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(clean(text)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(clean(clean(text))).toBe(clean(text));
      }),
    );
  });
});

describe("cutting", () => {
  test("counts columns, not characters", () => {
    expect(width("東京")).toBe(4);
    expect(width("e\u0301")).toBe(1);
    expect(cut("東京都.example", 6)).toBe("東京…");
    expect(cut("東京都.example", 5)).toBe("東京…");
    expect(cut("東京都.example", 4)).toBe("東…");
    expect(cut("e\u0301e\u0301e\u0301", 2)).toBe("e\u0301…");
    expect(cut("short", 5)).toBe("short");
    expect(cut("long", 0)).toBe("");
  });

  test("fits any clean text to exactly the columns asked for", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 30 }), (text, columns) => {
        const line = clean(text);
        expect(width(cut(line, columns))).toBeLessThanOrEqual(columns);
        expect(width(fit(line, columns))).toBe(columns);
        expect(width(fit(line, columns, "right"))).toBe(columns);
      }),
    );
  });
});
