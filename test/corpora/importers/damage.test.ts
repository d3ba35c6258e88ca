import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { ImportOptions } from "../../../src/corpora/importers/corpus-import.ts";
import { importTable } from "../../../src/corpora/importers/table.ts";
import { InputError } from "../../../src/errors.ts";
import { readCorpus, sourceFolder } from "../../support/source-folder.ts";

const here = sourceFolder();
const load = (name: string, more: Partial<ImportOptions> = {}) =>
  importTable(here.path(name), "jsonl", { out: here.out, name: "t", html: false, map: [], ...more });

/** Two thousand records that do not pack well. */
const records = Array.from({ length: 2000 }, (_, i) => {
  const text = Array.from({ length: 30 }, (_, k) => ((i * 7919 + k * 104_729 + i * k * 31) % 1_000_003).toString(36));
  return `${JSON.stringify({ id: i, text: text.join(" ") })}\n`;
}).join("");

/** A line with one record, packed by bzip2. */
const bzip2 = Buffer.from(
  "425a6839314159265359f9e460cd00000cd9800010500420100664844a2000314c00134226234d347a6a18d28982b74d4804ba0b42ee5be2ee48a70a121f3c8c19a0",
  "hex",
);

describe("a file that breaks off leaves nothing behind", () => {
  test("packed by gzip", async () => {
    here.write({ "cut.jsonl.gz": gzipSync(records).subarray(0, 40_000) });
    await expect(load("cut.jsonl.gz")).rejects.toThrow(
      /cut\.jsonl\.gz:\d+: cannot be read \(unexpected end of file\); fetch/,
    );
    expect(here.made()).toEqual([]);
  });

  test("with bytes changed on the way", async () => {
    const bytes = gzipSync(records);
    bytes.fill(0xff, 20_000, 20_100);
    here.write({ "changed.jsonl.gz": bytes, "not.jsonl.bz2": "BZh9 no blocks", "not.jsonl.gz": "plain" });
    for (const name of ["changed.jsonl.gz", "not.jsonl.bz2", "not.jsonl.gz"]) {
      await expect(load(name)).rejects.toThrow(InputError);
      expect(here.made()).toEqual([]);
    }
  });
});

test("an import that is stopped leaves nothing behind", async () => {
  here.write({ "a.jsonl": records });
  const stop = new AbortController();
  let told = 0;
  const progress = (documents: number): void => {
    told = documents;
    if (documents === 1000) stop.abort();
  };
  await expect(load("a.jsonl", { progress, signal: stop.signal })).rejects.toThrow(/aborted/);
  expect(told).toBe(1000);
  expect(here.made()).toEqual([]);
});

test("a set without a document that can be used is refused, and says why", async () => {
  here.write({ "a.jsonl": '{"text": "no id"}\n{"id": "a b"}\n' });
  await expect(load("a.jsonl")).rejects.toThrow(/no document could be made .* a\.jsonl:1: no document id: ""$/);
  expect(here.made()).toEqual([]);
});

test("lines that are not UTF-8 are refused one by one; a last line needs no line end", async () => {
  here.write({
    "a.jsonl": Buffer.concat([
      Buffer.from('{"id": 1}\r\n{"id": "'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}\n\n{"id": "ü"}'),
    ]),
  });
  const report = await load("a.jsonl");
  expect(report).toMatchObject({
    documents: 2,
    firstBadRecords: [{ record: "a.jsonl:2", reason: "holds bytes that are not UTF-8 text" }],
  });
  expect((await readCorpus(here.out)).documents.map(({ id }) => id)).toEqual(["1", "ü"]);
});

test("of many bad records all are counted and a thousand named", async () => {
  here.write({ "a.jsonl": `${"bad\n".repeat(1500)}{"id": 1}\n` });
  const report = await load("a.jsonl");
  expect(report.badRecords).toBe(1500);
  expect(report.firstBadRecords).toHaveLength(1000);
});

test("the same set gives the same bytes", async () => {
  here.write({ "a.jsonl": records });
  await load("a.jsonl", { sites: 7 });
  await load("a.jsonl", { sites: 7, out: `${here.out}2` });
  for (const name of ["sites.jsonl", "documents.jsonl", "corpus.yaml"]) {
    expect(readFileSync(`${here.out}2/${name}`).equals(readFileSync(`${here.out}/${name}`)), name).toBe(true);
  }
});

test("bzip2 is unpacked", async () => {
  here.write({ "a.jsonl.bz2": bzip2 });
  expect(await load("a.jsonl.bz2")).toMatchObject({ documents: 1, badRecords: 0 });
  here.write({ "cut.jsonl.bz2": bzip2.subarray(0, bzip2.length - 12), "two.jsonl.bz2": Buffer.concat([bzip2, bzip2]) });
  await expect(load("cut.jsonl.bz2", { out: `${here.out}-cut` })).rejects.toThrow(/cut\.jsonl\.bz2:1: cannot be read/);
  // Two files joined unpack as one after the other, as bzip2 itself has it.
  expect(await load("two.jsonl.bz2", { out: `${here.out}-two` })).toMatchObject({ documents: 1, badRecords: 1 });
});
