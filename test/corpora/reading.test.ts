import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { corpusHashes } from "../../src/corpora/files.ts";
import type { Document, Site } from "../../src/corpora/format.ts";
import { readCoveredTopics, readDocuments, readHead, readSites, readTopics } from "../../src/corpora/read.ts";
import { CorpusWriter } from "../../src/corpora/write.ts";
import { InputError } from "../../src/errors.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "awesim-corpus-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const site = (id: string): Site => ({
  id,
  name: id,
  description: "",
  topics: [],
  priors: { authority: 0.5, popularity: 0 },
});
const document = (id: string, text = `text of ${id}`): Document => ({
  id,
  site: "one.example",
  url: `https://one.example/${id}`,
  title: id,
  text,
});

function writeCorpus(name: string, documents: Document[], gzip = false): string {
  const writer = new CorpusWriter(join(folder, name), { gzip });
  writer.writeHead({ name, version: "1", language: "en", world: { seed: 3 } });
  writer.writeSite(site("one.example"));
  for (const each of documents) writer.writeDocument(each);
  writer.writeTopic("web-search", { id: "t1", query: "q", relevant: { a: 2 } });
  writer.writeTopic("web-search", { id: "t2", query: "q", relevant: { a: 2, gone: 1 } });
  writer.writeTopic("web-search", { id: "t3", query: "q", relevant: {} });
  writer.finish();
  return join(folder, name);
}

async function documentsOf(directory: string): Promise<Document[]> {
  const found = [];
  for await (const each of readDocuments(directory)) found.push(each.document);
  return found;
}

describe("a corpus that was written", () => {
  test.each([false, true])("reads back the same, gzipped: %s", async (gzip) => {
    const documents = [
      document("a", "line\u2028separator\n\u{1F989}"),
      document("b"),
      document("c", "x".repeat(2 << 20)),
    ];
    const directory = writeCorpus("c", documents, gzip);
    expect(await documentsOf(directory)).toEqual(documents);
    expect(await readSites(directory)).toEqual([site("one.example")]);
    expect(readHead(directory)).toMatchObject({ name: "c", version: "1", world: { seed: 3 } });
    expect(readdirSync(folder)).toEqual(["c"]);
  });

  test("leaves nothing when given up, and never overwrites", () => {
    const writer = new CorpusWriter(join(folder, "c"));
    writer.writeDocument(document("a"));
    writer.abort();
    expect(readdirSync(folder)).toEqual([]);
    writeCorpus("c", []);
    expect(() => new CorpusWriter(join(folder, "c"))).toThrow(InputError);
  });

  test("takes away what killed writers left of the same corpus, and what others write stays", () => {
    const gone = spawnSync(process.execPath, ["--version"]).pid;
    for (const name of [`.c.${gone}.partial`, `.c.${process.ppid}.partial`, `.d.${gone}.partial`]) {
      mkdirSync(join(folder, name));
    }
    writeCorpus("c", []);
    expect(readdirSync(folder).sort()).toEqual([`.c.${process.ppid}.partial`, `.d.${gone}.partial`, "c"].sort());
  });

  test("topics without their documents are left out and counted", async () => {
    const covered = await readCoveredTopics(writeCorpus("c", []), "web-search", (id) => id === "a");
    expect(covered.topics.map((topic) => topic.id)).toEqual(["t1"]);
    expect(covered.uncovered).toBe(2);
  });

  test("an edited topic changes the corpus hash and not that of its documents", async () => {
    const directory = writeCorpus("c", [document("a")]);
    const before = await corpusHashes(directory);
    writeFileSync(join(directory, "tasks/web-search.jsonl"), "");
    const after = await corpusHashes(directory);
    expect(after.documentsSha256).toBe(before.documentsSha256);
    expect(after.corpusSha256).not.toBe(before.corpusSha256);
  });
});

describe("a wrong corpus is named by file, line and field", () => {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  test.each<[string, string, RegExp]>([
    ["no JSON", `${line(document("a"))}{"id": \n`, /documents\.jsonl:2: is not a JSON object/],
    ["missing field", line({ ...document("a"), title: undefined }), /documents\.jsonl:1: title: .*expected string/],
    ["repeated id", line(document("a")) + line(document("a")), /documents\.jsonl:2: id: "a" stands on line 1/],
    [
      "unknown site",
      line({ ...document("a"), site: "two.example" }),
      /documents\.jsonl:1: site: no site "two.example"/,
    ],
    ["empty id", line({ ...document("a"), id: "" }), /documents\.jsonl:1: id/],
  ])("%s", async (_, text, message) => {
    const directory = writeCorpus("c", []);
    writeFileSync(join(directory, "documents.jsonl"), text);
    await expect(documentsOf(directory)).rejects.toThrow(message);
    await expect(documentsOf(directory)).rejects.toBeInstanceOf(InputError);
  });

  test("bytes that are no text, a torn gzip file, a missing file", async () => {
    const directory = writeCorpus("c", [document("a")]);
    writeFileSync(join(directory, "documents.jsonl"), Buffer.from([0x7b, 0xff, 0xfe, 0x0a]));
    await expect(documentsOf(directory)).rejects.toThrow(/documents\.jsonl:1: holds bytes that are not UTF-8/);
    rmSync(join(directory, "documents.jsonl"));
    await expect(documentsOf(directory)).rejects.toThrow(/holds no documents\.jsonl/);
    const whole = gzipSync(JSON.stringify(document("a")));
    writeFileSync(join(directory, "documents.jsonl.gz"), whole.subarray(0, whole.length - 9));
    await expect(documentsOf(directory)).rejects.toThrow(/documents\.jsonl\.gz:1: cannot be read/);
    await expect(readTopics(directory, "deep-research").next()).rejects.toThrow(/deep-research\.jsonl: there is no/);
  });

  test("a grade out of range and a head without a name", async () => {
    const directory = writeCorpus("c", []);
    writeFileSync(join(directory, "tasks/web-search.jsonl"), line({ id: "t", query: "q", relevant: { a: 4 } }));
    await expect(readTopics(directory, "web-search").next()).rejects.toThrow(/web-search\.jsonl:1: relevant\.a/);
    writeFileSync(join(directory, "corpus.yaml"), "version: 1\n");
    expect(() => readHead(directory)).toThrow(/corpus\.yaml: name/);
    writeFileSync(join(directory, "corpus.yaml"), 'name: "red \\e[31m"\nversion: 1\n');
    expect(() => readHead(directory)).toThrow(/corpus\.yaml: name: .*without control characters/);
    writeFileSync(join(directory, "corpus.yaml"), "a: [1\nb: 2\n");
    expect(() => readHead(directory)).toThrow(/corpus\.yaml:\d+: is not YAML/);
  });

  test("a site id that is no host name, a directory that is none", async () => {
    const directory = writeCorpus("c", []);
    writeFileSync(join(directory, "sites.jsonl"), line(site("Not a host")));
    await expect(readSites(directory)).rejects.toThrow(/sites\.jsonl:1: id: a host name/);
    await expect(readSites(join(folder, "none"))).rejects.toThrow(/none: there is no such directory/);
    mkdirSync(join(folder, "empty"));
    await expect(readSites(join(folder, "empty"))).rejects.toThrow(/sites\.jsonl: there is no such file/);
  });

  test("the head is plain YAML that people can read", () => {
    expect(readFileSync(join(writeCorpus("c", []), "corpus.yaml"), "utf8")).toMatch(/^name: c\nversion: "1"\n/);
  });
});
