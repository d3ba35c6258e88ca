import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { packageRoot } from "../../src/package-root.ts";
import type { Embedder } from "../../src/retrieval/embedders/embedder.ts";
import { exactSearch } from "../../src/retrieval/exact-search.ts";
import { pageText } from "../../src/retrieval/page-text.ts";
import { openRetrieval, type Retrieval } from "../../src/retrieval/retrieval.ts";
import { shipVectors } from "../../src/retrieval/ship-vectors.ts";
import { clusteredEmbedder, writeClusteredCorpus } from "./clustered.ts";

let folder: string;
let corpus: string;
let cacheDirectory: string;
const opened: Retrieval[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "awesim-retrieval-"));
  corpus = writeClusteredCorpus(folder);
  cacheDirectory = join(folder, "cache");
});
afterEach(() => {
  for (const retrieval of opened.splice(0)) retrieval.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(embedder: Embedder | string = clusteredEmbedder()): Promise<Retrieval> {
  const retrieval = await openRetrieval(corpus, { cacheDirectory, embedder });
  opened.push(retrieval);
  return retrieval;
}
const idsOf = async (retrieval: Retrieval, query: string, site: string | null, k: number) =>
  (await retrieval.search(query, site, k)).map((hit) => hit.id);
const cacheFiles = () =>
  (readdirSync(cacheDirectory, { recursive: true }) as string[])
    .map((name) => join(cacheDirectory, name))
    .filter((file) => statSync(file).isFile());

describe("a corpus opened for searching", () => {
  test("tells its sites, documents and texts", async () => {
    const retrieval = await open();
    expect(retrieval.sites().map((site) => site.id)).toEqual(["large.example", "small.example", "empty.example"]);
    expect(retrieval.documentCount()).toBe(1070);
    expect(retrieval.documentCount("small.example")).toBe(20);
    expect(retrieval.documentCount("empty.example")).toBe(0);
    expect(retrieval.document("d5")).toMatchObject({ site: "small.example", title: "page", text: "5 text" });
    expect(retrieval.document("none")).toBeUndefined();
    const [hit] = await retrieval.search("5 query", "small.example", 1);
    expect(retrieval.text(hit?.textSha256 as string)).toBe(pageText(retrieval.document(hit?.id as string) as never));
    expect(hit?.tokens).toBe(Math.ceil(retrieval.text(hit?.textSha256 as string).length / 4));
    expect(() => retrieval.text("0".repeat(64))).toThrow(InputError);
    expect(() => retrieval.search("x", "other.example", 1)).toThrow(/no site "other.example"/);
    expect(await retrieval.search("x", "empty.example", 3)).toEqual([]);
  });

  test("searches small sites, and any with many results, exactly, with ties by id", async () => {
    const retrieval = await open();
    const embedder = clusteredEmbedder();
    for (const [site, k] of [
      ["small.example", 5],
      ["large.example", 1001],
      [null, 1070],
    ] as const) {
      const ids = Array.from({ length: 1070 }, (_, i) => `d${i}`).sort();
      const own = ids.filter((id) => site === null || retrieval.document(id)?.site === site);
      const values = new Int16Array(own.length * embedder.dimensions);
      for (const [row, id] of own.entries()) {
        values.set(await embedder.embed(pageText(retrieval.document(id) as never)), row * embedder.dimensions);
      }
      const query = await embedder.embed("3 query");
      const expected = exactSearch({ dimensions: embedder.dimensions, values }, query, k).map(({ row }) => own[row]);
      expect(await idsOf(retrieval, "3 query", site, k)).toEqual(expected);
    }
    const all = await idsOf(retrieval, "10 text", null, 1070);
    expect(all.indexOf("d11") - all.indexOf("d10")).toBe(1);
  });

  test("answers at once when it has met the query, and each text is embedded once", async () => {
    const embedder = clusteredEmbedder();
    const retrieval = await open(embedder);
    const before = embedder.embedded.length;
    expect(before).toBe(963);
    const [first, second] = [retrieval.search("9 query", null, 3), retrieval.search("9 query", "large.example", 3)];
    expect(first).toBeInstanceOf(Promise);
    await Promise.all([first, second]);
    expect(embedder.embedded.length).toBe(before + 1);
    expect(retrieval.search("9 query", null, 3)).toEqual(await first);
    expect(retrieval.search("9 query", "small.example", 2)).toBeInstanceOf(Array);
  });

  test("empty and strange queries find something and harm nothing", async () => {
    const retrieval = await open("hashing");
    for (const query of ["", " ", "\u0000", "?!", "\ud83e", "x".repeat(100_000)]) {
      expect(await retrieval.search(query, null, 3)).toHaveLength(3);
      expect(await retrieval.search(query, "small.example", 3)).toHaveLength(3);
    }
    expect(await retrieval.search("page", null, 0)).toEqual([]);
  });
});

describe("the cache", () => {
  test("opens the second time without embedding, the same", async () => {
    const first = await open();
    const embedder = clusteredEmbedder();
    const second = await open(embedder);
    expect(embedder.embedded).toEqual([]);
    expect(second.vectorsSha256).toBe(first.vectorsSha256);
    for (const query of ["3 query", "8 query"]) {
      expect(await idsOf(second, query, null, 10)).toEqual(await idsOf(first, query, null, 10));
    }
  });

  test("is made anew when any of its files is damaged, cut or foreign", async () => {
    const expected = await (async () => {
      const retrieval = await open();
      const ids = await idsOf(retrieval, "3 query", null, 10);
      opened.pop()?.close();
      return { ids, vectors: retrieval.vectorsSha256 };
    })();
    const files = cacheFiles();
    expect(files.length).toBeGreaterThanOrEqual(5);
    for (const file of files) {
      for (const content of ["", "not what it was", Buffer.alloc(5000, 7)]) {
        writeFileSync(file, content);
        const retrieval = await open();
        expect(await idsOf(retrieval, "3 query", null, 10), file).toEqual(expected.ids);
        expect(retrieval.vectorsSha256).toBe(expected.vectors);
        opened.pop()?.close();
      }
    }
  });

  test("a text that was changed in the store is an input error, not another text", async () => {
    await open();
    opened.pop()?.close();
    const file = cacheFiles().find((name) => name.includes("documents")) as string;
    const database = new Database(file);
    database.exec("UPDATE documents SET text = 'forged' WHERE id = 'd5'");
    database.close();
    const retrieval = await open();
    const hits = await retrieval.search("5 text", "small.example", 20);
    const forged = hits.find(({ id }) => id === "d5");
    expect(() => retrieval.text(forged?.textSha256 as string)).toThrow(/is damaged .*delete the file/);
  });

  test("a changed document changes the vectors' hash, and only its own vector is made", async () => {
    const before = (await open()).vectorsSha256;
    const file = join(corpus, "documents.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").replace('"5 text"', '"5 another text"'));
    const embedder = clusteredEmbedder();
    const after = await open(embedder);
    expect(embedder.embedded).toEqual(["page\n\n5 another text"]);
    expect(after.vectorsSha256).not.toBe(before);
  });

  test("two processes at once leave one valid cache", async () => {
    const script = join(packageRoot, "test/retrieval/open-retrieval-process.ts");
    const run = () => promisify(execFile)(process.execPath, ["--import", "tsx", script, corpus, cacheDirectory]);
    const [first, second] = await Promise.all([run(), run()]);
    expect(first.stdout).toBe(second.stdout);
    expect(cacheFiles().filter((file) => file.includes("partial"))).toEqual([]);
    const embedder = clusteredEmbedder();
    const retrieval = await open(embedder);
    expect(embedder.embedded).toEqual([]);
    const { vectors, hits } = JSON.parse(first.stdout) as { vectors: string; hits: unknown };
    expect(retrieval.vectorsSha256).toBe(vectors);
    expect(await retrieval.search("3 query", null, 10)).toEqual(hits);
  });

  test("a cache directory that cannot be is an input error", async () => {
    writeFileSync(join(folder, "file"), "");
    cacheDirectory = join(folder, "file");
    await expect(open()).rejects.toThrow(/cannot be used as the cache directory/);
  });

  test("a wrong corpus leaves nothing half-made", async () => {
    writeFileSync(join(corpus, "documents.jsonl"), '{"id": "a"}\n');
    await expect(open()).rejects.toThrow(/documents\.jsonl:1: site/);
    expect(cacheFiles()).toEqual([]);
    await expect(openRetrieval(corpus, { cacheDirectory, embedder: "nosuch" })).rejects.toThrow(InputError);
  });
});

describe("vectors that a corpus ships", () => {
  async function ship(identity?: string): Promise<void> {
    const embedder = clusteredEmbedder();
    const maker = { ...embedder, identity: identity ?? embedder.identity };
    await shipVectors(corpus, { cacheDirectory, embedder: maker });
    rmSync(cacheDirectory, { recursive: true });
  }

  test("are used, and nothing is embedded, topics included", async () => {
    await ship();
    const embedder = clusteredEmbedder();
    const retrieval = await open(embedder);
    expect(retrieval.search("7 query", null, 3)).toBeInstanceOf(Array);
    expect(embedder.embedded).toEqual([]);
    const { corpusSha256, vectorsSha256 } = retrieval;
    rmSync(join(corpus, "vectors"), { recursive: true });
    const other = await open();
    expect({ corpusSha256, vectorsSha256 }).toEqual({
      corpusSha256: other.corpusSha256,
      vectorsSha256: other.vectorsSha256,
    });
  });

  test("of another embedder's making are passed over", async () => {
    await ship("clustered, another version");
    const embedder = clusteredEmbedder();
    await open(embedder);
    expect(embedder.embedded).toHaveLength(963);
  });

  test("that are damaged are an input error", async () => {
    await ship();
    writeFileSync(join(corpus, "vectors/clustered.documents.i16"), Buffer.alloc(10));
    await expect(open()).rejects.toThrow(/clustered\.documents\.i16: does not hold what its head says/);
    rmSync(join(corpus, "vectors/clustered.documents.i16"));
    await expect(open()).rejects.toThrow(InputError);
    mkdirSync(join(corpus, "vectors"), { recursive: true });
    writeFileSync(join(corpus, "vectors/clustered.documents.json"), "{");
    await expect(open()).rejects.toThrow(/is not JSON/);
  });
});
