import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDocuments } from "../../src/corpora/read.ts";
import { Bm25Index, type Bm25Parameters } from "../../src/retrieval/bm25/bm25-index.ts";
import { Words } from "../../src/retrieval/bm25/words.ts";
import { DocumentStore } from "../../src/retrieval/document-store.ts";
import { openRetrieval, type RetrievalOptions } from "../../src/retrieval/retrieval.ts";
import { hostileText } from "../support/small-web.ts";
import { type Page, temporaryFolders, writePages } from "./written-corpus.ts";

const folder = temporaryFolders();
const page = (id: string, text: string, site = "a.example"): Page => ({ id, site, text });

/** What a search gives: ids with scores. */
async function ranker(pages: readonly Page[], parameters: Bm25Parameters = { k1: 1.2, b: 0.75 }) {
  const directory = folder();
  const corpus = writePages(directory, pages);
  const documents = async function* () {
    for await (const { document } of readDocuments(corpus)) yield document;
  };
  const store = await DocumentStore.open(documents, "store", join(directory, "cache"));
  const index = await Bm25Index.open(store, join(directory, "words.sqlite"), parameters);
  return {
    search: (query: string, site: string | null = null, k = 10) =>
      index.search(query, site, k).map(({ row, score }) => ({ id: store.pages[row]?.id as string, score })),
    close() {
      index.close();
      store.close();
    },
  };
}

/** The formula, looking at every page. Its words are such that neither a stem nor a stop word is among them. */
function naive(pages: readonly Page[], query: string, { k1, b }: Bm25Parameters) {
  const wordsOf = (text: string) => text.split(" ").filter((word) => word !== "");
  const bags = pages.map(({ id, text }) => ({ id, words: wordsOf(text) }));
  const average = bags.reduce((sum, { words }) => sum + words.length, 0) / bags.length;
  const found = bags.map(({ id, words }) => {
    let score = 0;
    for (const word of wordsOf(query).sort()) {
      const holders = bags.filter((bag) => bag.words.includes(word)).length;
      const often = words.filter((each) => each === word).length;
      if (often === 0) continue;
      const idf = Math.log(1 + (bags.length - holders + 0.5) / (holders + 0.5));
      score += (idf * often * (k1 + 1)) / (often + k1 * (1 - b + (b * words.length) / average));
    }
    return { id, score };
  });
  return found.filter(({ score }) => score > 0);
}

describe("BM25", () => {
  const three = [page("d1", "cat cat dog"), page("d2", "dog fox"), page("d3", "owl")];

  test("gives the scores of a calculation by hand", async () => {
    const { search, close } = await ranker(three);
    // cat: idf ln(1 + 2.5 / 1.5); of length 3 where 2 is the average: 2.2 * 2 / (2 + 1.2 * (0.25 + 0.75 * 1.5))
    expect(search("cat")).toEqual([{ id: "d1", score: expect.closeTo(1.1823697, 6) }]);
    // dog: idf ln(1 + 1.5 / 2.5); d2 is of average length
    const dog = [
      { id: "d2", score: expect.closeTo(0.4700036, 6) },
      { id: "d1", score: expect.closeTo(0.3901917, 6) },
    ];
    expect(search("dog")).toEqual(dog);
    // A word that the query has twice counts twice.
    expect(search("dog dog")[0]?.score).toBeCloseTo(2 * 0.4700036, 6);
    expect(search("dog cat").map(({ id }) => id)).toEqual(["d1", "d2"]);
    expect(search("wolf")).toEqual([]);
    expect(search("dog", null, 1)).toEqual(dog.slice(0, 1));
    expect(search("dog", null, 0)).toEqual([]);
    close();
  });

  test("goes by its parameters: without k1 a word counts once, without b no length counts", async () => {
    const binary = await ranker(three, { k1: 0, b: 0.75 });
    expect(binary.search("dog").map(({ id }) => id)).toEqual(["d1", "d2"]);
    expect(binary.search("cat")[0]?.score).toBeCloseTo(Math.log(8 / 3), 12);
    binary.close();
    const flat = await ranker(three, { k1: 1.2, b: 0 });
    expect(new Set(flat.search("dog").map(({ score }) => score)).size).toBe(1);
    flat.close();
  });

  const word = fc.constantFrom("cat", "dog", "fox", "hen", "owl", "pig");
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
  const site = fc.constantFrom("a.example", "b.example", "c.example");
  const somePages = fc
    .array(fc.record({ site, text }), { minLength: 1, maxLength: 12 })
    .map((list) => list.map((each, i) => ({ id: `d${(i * 7) % 13}`, ...each })));
  const parameters = fc.record({ k1: fc.double({ min: 0, max: 3, noNaN: true }), b: fc.constantFrom(0, 0.4, 0.75, 1) });

  test("agrees with a search that looks at every page by the formula", async () => {
    await fc.assert(
      fc.asyncProperty(somePages, text, parameters, async (pages, query, chosen) => {
        const { search, close } = await ranker(pages, chosen);
        const found = search(query, null, 100);
        close();
        const expected = new Map(naive(pages, query, chosen).map(({ id, score }) => [id, score]));
        expect(found.map(({ id }) => id).toSorted()).toEqual([...expected.keys()].toSorted());
        found.forEach(({ id, score }, i) => {
          expect(score).toBeCloseTo(expected.get(id) as number, 9);
          const before = found[i - 1];
          if (before === undefined) return;
          expect(before.score > score || (before.score === score && before.id < id)).toBe(true);
        });
      }),
      { numRuns: 40 },
    );
  });

  test("searches a site as an engine of that site alone would", async () => {
    await fc.assert(
      fc.asyncProperty(somePages, text, async (pages, query) => {
        const all = await ranker(pages);
        for (const one of new Set(pages.map((each) => each.site))) {
          const alone = await ranker(pages.filter((each) => each.site === one));
          expect(all.search(query, one)).toEqual(alone.search(query));
          alone.close();
        }
        all.close();
      }),
      { numRuns: 15 },
    );
  });

  test("a word that is rare in a site counts there for more than over all sites", async () => {
    const pages = [
      page("a1", "fox"),
      page("a2", "hen"),
      page("a3", "hen"),
      ...[1, 2, 3, 4].map((n) => page(`b${n}`, "fox", "b.example")),
    ];
    const { search, close } = await ranker(pages);
    expect(search("fox hen", "a.example").map(({ id }) => id)).toEqual(["a1", "a2", "a3"]);
    expect(search("fox hen").map(({ id }) => id)).toEqual(["a2", "a3", "a1", "b1", "b2", "b3", "b4"]);
    expect(search("fox", "b.example").map(({ id }) => id)).toEqual(["b1", "b2", "b3", "b4"]);
    expect(search("hen", "b.example")).toEqual([]);
    close();
  });

  test("orders equals by id, over sites as well, whatever the order of the file", async () => {
    const ids = ["d10", "d9", "d2", "D1", "d1"];
    const { search, close } = await ranker(ids.map((id, i) => page(id, "same cat", i % 2 ? "a.example" : "b.example")));
    expect(search("cat").map(({ id }) => id)).toEqual(["D1", "d1", "d10", "d2", "d9"]);
    expect(search("cat", null, 2).map(({ id }) => id)).toEqual(["D1", "d1"]);
    close();
  });

  test("pages without words, and a corpus of them, are never found", async () => {
    const some = await ranker([page("d1", ""), page("d2", "the of"), page("d3", "cat")]);
    expect(some.search("the cat").map(({ id }) => id)).toEqual(["d3"]);
    some.close();
    const none = await ranker([page("d1", "?!")]);
    expect(none.search("cat ?!")).toEqual([]);
    none.close();
  });

  const hostile = [
    "",
    " ",
    "\u0000",
    "cat\u0000dog",
    '"',
    "'; DROP TABLE postings; --",
    "cat AND",
    "NEAR(cat dog, 5)",
    "text : cat",
    "cat*",
    "^cat",
    "-cat",
    "{a b} : (",
    "\ud83e",
    "\u202e",
    "a".repeat(200_000),
    "cat ".repeat(50_000),
    hostileText,
  ];
  test("no query is syntax", async () => {
    const { search, close } = await ranker(three);
    for (const query of hostile) expect(search(query).length).toBeLessThanOrEqual(3);
    for (const query of ["cat AND", '"cat', "cat*", "^cat", "-cat", "cat\u0000"])
      expect(search(query)[0]?.id).toBe("d1");
    fc.assert(fc.property(fc.string({ unit: "binary" }), (query) => search(query).length <= 3));
    expect(search("cat")).toHaveLength(1);
    close();
  });

  test("hostile pages are indexed like others", async () => {
    const { search, close } = await ranker(hostile.map((text, i) => page(`d${i}`, text)));
    expect(search("forged").map(({ id }) => id)).toEqual([`d${hostile.length - 1}`]);
    close();
  });
});

describe("words", () => {
  const words = new Words({ onDisk: false });
  const of = (text: string) => [...words.of(text)].flatMap(([word, often]) => Array<string>(often).fill(word));

  test("are Porter's stems, folded, of letters and digits", () => {
    expect(of("caresses ponies relational hopping controlling electricity")).toEqual([
      "caress",
      "control",
      "electr",
      "hop",
      "poni",
      "relat",
    ]);
    expect(of("ZÜRICH Zurich; B-12, b12")).toEqual(["12", "b", "b12", "zurich", "zurich"]);
    expect(of("日本語 テキスト")).toEqual(["テキスト", "日本語"]);
  });

  test("leave out stop words, but not words that only share a stem with one", () => {
    expect(of("The cat, and THE dog; it's not an owl's")).toEqual(["cat", "dog", "owl"]);
    expect(of("one ore we ate")).toEqual(["at", "on", "or", "we"]);
    expect(of("à the̊ foráb")).toHaveLength(3);
  });
});

describe("the cache of words", () => {
  const pages = [page("d1", "cat cat dog"), page("d2", "dog fox", "b.example")];
  const corpus = writePages(folder(), pages);
  const cacheDirectory = folder();
  const bm25Files = () => readdirSync(join(cacheDirectory, "bm25")).map((name) => join(cacheDirectory, "bm25", name));
  const labels: string[] = [];
  async function search(options: Partial<RetrievalOptions> = {}) {
    labels.length = 0;
    const retrieval = await openRetrieval(corpus, {
      cacheDirectory,
      embedder: "transformers/there-is-none",
      indexes: ["bm25"],
      progress: (_done, _total, label) => labels.push(label),
      ...options,
    });
    const hits = await retrieval.search("dog", null, 5);
    const { vectorsSha256 } = retrieval;
    const identity = retrieval.indexIdentity();
    retrieval.close();
    return { ids: hits.map(({ id }) => id), vectorsSha256, identity };
  }

  test("needs no embedder, is built once and serves all parameters", async () => {
    const first = await search();
    expect(first).toMatchObject({ ids: ["d2", "d1"], vectorsSha256: null });
    expect(first.identity).toMatch(/^bm25\/k1=1\.2,b=0\.75\/[0-9a-f]{16}$/);
    expect(labels).toContain("reading words");
    const other = await search({ bm25: { k1: 2, b: 0 } });
    expect(labels).toEqual([]);
    expect(other.identity).toBe(first.identity.replace("k1=1.2,b=0.75", "k1=2,b=0"));
    expect(bm25Files()).toHaveLength(2);
  });

  test("is made anew when a file of it is damaged, cut, foreign or gone", async () => {
    const expected = await search();
    for (const file of bm25Files()) {
      const size = statSync(file).size;
      for (const content of ["", "not what it was", Buffer.alloc(size, 7)]) {
        writeFileSync(file, content);
        expect(await search()).toEqual(expected);
        expect(labels).toContain("reading words");
      }
    }
    await search();
    expect(labels).toEqual([]);
  });

  test("another corpus has another identity", async () => {
    const changed = writePages(folder(), [...pages, page("d3", "hen")]);
    const retrieval = await openRetrieval(changed, { cacheDirectory, embedder: "hashing", indexes: ["bm25"] });
    expect(retrieval.indexIdentity()).not.toBe((await search()).identity);
    expect(() => retrieval.vector("x")).toThrow(/without vectors/);
    expect(() => retrieval.search("x", null, 1, "dense")).toThrow(/dense index was not opened/);
    retrieval.close();
  });
});
