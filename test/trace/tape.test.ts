import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { InputError } from "../../src/errors.ts";
import { formatTapeLine, parseTapeLine, type TapeLine, tapeAddress } from "../../src/trace/tape-line.ts";
import { readTexts, TapeReader } from "../../src/trace/tape-reader.ts";
import { TapeWriter } from "../../src/trace/tape-writer.ts";

const folder = mkdtempSync(join(tmpdir(), "awesim-tape-"));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

function newDirectory(): string {
  const directory = join(folder, String(count++));
  mkdirSync(directory);
  return directory;
}

const hexadecimal = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 4, maxLength: 8 });
const line = fc.record<TapeLine>(
  {
    key: hexadecimal,
    port: fc.constantFrom("model", "index"),
    caller: fc.string({ unit: "binary" }),
    parts: fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
    answer: fc.jsonValue(),
    realMs: fc.nat(),
  },
  { requiredKeys: ["key", "port", "parts", "answer"] },
);
const modelLine = (caller: string, answer: unknown, key = "k"): TapeLine => ({
  key,
  port: "model",
  caller,
  ordinal: 0,
  parts: { model: "m" },
  answer,
});

function taped(lines: readonly TapeLine[]): string {
  const directory = newDirectory();
  const writer = new TapeWriter(directory);
  for (const each of lines) writer.record(each, false);
  writer.close();
  return directory;
}

describe("A line of a tape", () => {
  it("comes back as it was, and stands on one line", () => {
    fc.assert(
      fc.property(line, (each) => {
        const text = formatTapeLine(each);
        expect(text.indexOf("\n")).toBe(text.length - 1);
        const { crc: _, ...back } = parseTapeLine(text.slice(0, -1)) as TapeLine & { crc: string };
        expect(back).toEqual(JSON.parse(JSON.stringify(each)));
      }),
    );
  });

  it("is known to be damaged when any one character is another", () => {
    fc.assert(
      fc.property(
        line,
        fc.nat(),
        fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
        (each, at, other) => {
          const text = formatTapeLine(each).slice(0, -1);
          const place = at % text.length;
          fc.pre(text[place] !== other);
          expect(parseTapeLine(text.slice(0, place) + other + text.slice(place + 1))).toBeNull();
        },
      ),
    );
  });

  it("is known to be damaged when it is cut short", () => {
    const text = formatTapeLine(modelLine("c", "a")).slice(0, -1);
    for (let length = 0; length < text.length; length++) expect(parseTapeLine(text.slice(0, length))).toBeNull();
  });
});

describe("A tape", () => {
  it("is read by address, in any order, however long its lines are", () => {
    const lengths = [10, 2_000_000, 30, 1 << 20, 5];
    const lines = lengths.map((length, n) => modelLine(`c${n}`, "é".repeat(length)));
    const tape = new TapeReader(taped(lines));
    for (const n of [3, 0, 4, 1, 2, 1]) {
      const found = tape.get(tapeAddress(lines[n] as TapeLine));
      expect(found?.answer).toBe((lines[n] as TapeLine).answer);
    }
    expect([...tape.lines()].map(({ caller }) => caller)).toEqual(lines.map(({ caller }) => caller));
    expect(tape.get("elsewhere")).toBeUndefined();
    tape.close();
  });

  it("keeps equal requests of different callers apart: N requests stay N answers", () => {
    const callers = Array.from({ length: 50 }, (_, n) => `u${n}/q/user/1`);
    const tape = new TapeReader(taped(callers.map((caller) => modelLine(caller, `for ${caller}`))));
    expect(callers.map((caller) => tape.get(tapeAddress(modelLine(caller, null)))?.answer)).toEqual(
      callers.map((caller) => `for ${caller}`),
    );
    tape.close();
  });

  it("has no two addresses for one line and no address for two, whatever callers are called", () => {
    const part = fc.record({ key: hexadecimal, caller: fc.string() });
    fc.assert(
      fc.property(part, part, (one, other) => {
        const same = one.key === other.key && one.caller === other.caller;
        expect(tapeAddress({ ...one, ordinal: 0 }) === tapeAddress({ ...other, ordinal: 0 })).toBe(same);
      }),
    );
  });

  it("names the damaged line by its number", () => {
    const directory = taped([1, 2, 3].map((n) => modelLine(`c${n}`, "answer")));
    const file = join(directory, "tape.jsonl");
    const lines = readFileSync(file, "utf8").split("\n");
    lines[2] = (lines[2] as string).replace("answer", "forged");
    writeFileSync(file, lines.join("\n"));
    expect(() => new TapeReader(directory)).toThrow(`${file}:3: `);
  });

  it.each([
    ["is missing", null, /tape\.jsonl/],
    ["is empty", "", /empty/],
    ["is of another format", '{"format":"awesim-trace","version":1}\n', /awesim-trace/],
    ["is of a later version", '{"format":"awesim-tape","version":2}\n', /version 1/],
  ])("that %s is bad input", (_, text, expected) => {
    const directory = newDirectory();
    if (text !== null) writeFileSync(join(directory, "tape.jsonl"), text);
    expect(() => new TapeReader(directory)).toThrow(InputError);
    expect(() => new TapeReader(directory)).toThrow(expected);
  });
});

describe("Recording", () => {
  it("puts a paid answer and the texts it needs into the files before it returns", () => {
    const directory = newDirectory();
    const writer = new TapeWriter(directory);
    writer.record(modelLine("free", "a"), false);
    writer.recordText("hash", "text");
    writer.record(modelLine("paid", "b"), true);
    const tape = readFileSync(join(directory, "tape.jsonl"), "utf8");
    expect(tape).toContain('"caller":"free"');
    expect(tape.endsWith("\n")).toBe(true);
    expect(tape.trimEnd().split("\n").at(-1)).toContain('"caller":"paid"');
    expect(readTexts(directory)).toEqual(new Map([["hash", "text"]]));
    writer.close();
  });

  it("puts free answers there with the next sync", () => {
    const directory = newDirectory();
    const writer = new TapeWriter(directory);
    writer.record(modelLine("free", "a"), false);
    writer.sync();
    expect(readFileSync(join(directory, "tape.jsonl"), "utf8")).toContain('"caller":"free"');
    writer.close();
  });

  it("after the tape is closed changes nothing: an answer that comes too late harms no other file", () => {
    const directory = newDirectory();
    const writer = new TapeWriter(directory);
    writer.record(modelLine("in time", "a"), true);
    writer.close();
    const before = readFileSync(join(directory, "tape.jsonl"), "utf8");
    const other = join(directory, "other");
    writeFileSync(other, "");
    writer.record(modelLine("late", "b"), true);
    expect(readFileSync(join(directory, "tape.jsonl"), "utf8")).toBe(before);
    expect(readFileSync(other, "utf8")).toBe("");
  });

  it("writes each text once, and damage to the texts is named by its line", () => {
    const directory = newDirectory();
    const writer = new TapeWriter(directory);
    for (const n of [1, 2, 1]) writer.recordText(`h${n}`, `text ${n}\nof two lines`);
    writer.close();
    const file = join(directory, "texts.jsonl");
    expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(2);
    expect(readTexts(directory).get("h2")).toBe("text 2\nof two lines");
    writeFileSync(file, readFileSync(file, "utf8").replace('"sha256":"h2"', '"sha256":2'));
    expect(() => readTexts(directory)).toThrow(`${file}:2: `);
  });
});
