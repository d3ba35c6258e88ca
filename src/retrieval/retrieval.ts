import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import { corpusHashes } from "../corpora/files.ts";
import type { Document, Site } from "../corpora/format.ts";
import { readSites } from "../corpora/read.ts";
import { InputError } from "../errors.ts";
import { DenseIndex } from "./dense-index.ts";
import { DocumentStore, type StoredPage } from "./document-store.ts";
import type { Embedder } from "./embedders/embedder.ts";
import { openEmbedder } from "./embedders/open.ts";
import { textSha256 } from "./page-text.ts";
import type { Progress } from "./progress.ts";
import { SiteSelector } from "./site-selection.ts";
import { VectorCache } from "./vector-cache.ts";
import { fileSafe, readVectors } from "./vector-files.ts";

/** A page found: what an agent needs to read it by. */
export type Hit = StoredPage;

export interface RetrievalOptions {
  /** Where stores, vectors and indexes are kept; made when absent. */
  readonly cacheDirectory: string;
  /** The name of a built-in embedder, or one of your own. */
  readonly embedder: string | Embedder;
  /** False where nobody searches all sites at once: then no graph of all is built, and such a search is slower. */
  readonly central?: boolean;
  readonly progress?: Progress;
}

/** Answers held: a few hundred bytes each. */
const answerLimit = 8192;

/**
 * The search engine of a corpus: its documents, their vectors, an index a site and one of all. What it builds is
 * cached by content, so a second opening only reads. Throws an InputError on a wrong corpus or an unknown embedder.
 */
export async function openRetrieval(corpusDirectory: string, options: RetrievalOptions): Promise<Retrieval> {
  const { cacheDirectory, progress } = options;
  requireWritable(cacheDirectory);
  const { corpusSha256, documentsSha256 } = await corpusHashes(corpusDirectory);
  const sites = await readSites(corpusDirectory);
  const inCache = (...names: string[]) => join(cacheDirectory, ...names);

  const store = await DocumentStore.open(corpusDirectory, documentsSha256, inCache("documents"), progress);
  let vectors: VectorCache | undefined;
  try {
    const embedder =
      typeof options.embedder === "string"
        ? await openEmbedder(options.embedder, () => store.texts(), inCache("hashing", `${documentsSha256}.counts`))
        : options.embedder;
    const documents = readVectors(corpusDirectory, "documents", embedder);
    const topics = readVectors(corpusDirectory, "topics", embedder);
    const searches = readVectors(corpusDirectory, "searches", embedder);
    vectors = new VectorCache(embedder, inCache("vectors"), new Map([...topics.byText, ...searches.byText]));
    // Part of the key, lest an index of vectors made here stand in for the ones the corpus ships.
    const key = textSha256(`${documentsSha256} ${embedder.identity} ${documents.sha256}`).slice(0, 32);
    const folder = inCache("dense", `${fileSafe(embedder.name)}-${key}`);
    const index = await DenseIndex.open(
      store,
      vectors,
      documents.byText,
      folder,
      { central: options.central ?? true },
      progress,
    );
    return new Retrieval(corpusSha256, sites, store, vectors, index);
  } catch (error) {
    vectors?.close();
    store.close();
    throw error;
  }
}

/** See `openRetrieval`. */
export class Retrieval {
  private readonly countOf = new Map<string, number>();
  private readonly answers = new Map<string, readonly Hit[]>();
  private selector: SiteSelector | undefined;

  constructor(
    /** Over all files of the corpus. */
    readonly corpusSha256: string,
    private readonly siteList: readonly Site[],
    private readonly store: DocumentStore,
    private readonly vectors: VectorCache,
    private readonly index: DenseIndex,
  ) {
    for (const site of siteList) this.countOf.set(site.id, 0);
    for (const { site } of store.pages) this.countOf.set(site, (this.countOf.get(site) ?? 0) + 1);
  }

  get embedder(): Embedder {
    return this.vectors.embedder;
  }

  /** Over the ids and vectors of all documents in the order of their ids. */
  get vectorsSha256(): string {
    return this.index.vectorsSha256;
  }

  /** The sites of the corpus in the order of their file. */
  sites(): readonly Site[] {
    return this.siteList;
  }

  /** How many documents a site has, or all sites have. Throws an InputError on an unknown site. */
  documentCount(site?: string): number {
    return site === undefined ? this.store.pages.length : this.requireSite(site);
  }

  /**
   * The `k` documents of `site` (null: of all) that are nearest to the query, best first, ties by id: at once when the
   * query's vector was made before, else as a promise. Throws an InputError on an unknown site.
   */
  search(query: string, site: string | null, k: number): readonly Hit[] | Promise<readonly Hit[]> {
    const key = `${k} ${site ?? ""} ${query}`;
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    if (site !== null) this.requireSite(site);
    const vector = this.vectors.vector(query);
    const answer = (vector: Int16Array) => {
      const hits = this.index.search(vector, site, k).map(({ row }) => this.store.pages[row] as Hit);
      if (this.answers.size >= answerLimit) this.answers.delete(this.answers.keys().next().value as string);
      this.answers.set(key, hits);
      return hits;
    };
    return vector instanceof Int16Array ? answer(vector) : vector.then(answer);
  }

  /**
   * The ids of the `k` sites that promise the most for a query, best first: by the means of the vectors of samples of
   * their pages, or by ReDDE on these samples. Both go by vectors, whatever index searches go by.
   */
  selectSites(query: string, by: "vectors" | "redde", k: number): readonly string[] | Promise<readonly string[]> {
    this.selector ??= new SiteSelector(this.store.pages, this.index);
    const { selector } = this;
    const answer = (vector: Int16Array) =>
      by === "vectors" ? selector.byVectors(vector, k) : selector.byRedde(vector, k);
    const vector = this.vectors.vector(query);
    return vector instanceof Int16Array ? answer(vector) : vector.then(answer);
  }

  /** The vector of a text, as `search` uses it: at once when it was made before, else as a promise. */
  vector(text: string): Int16Array | Promise<Int16Array> {
    return this.vectors.vector(text);
  }

  /** The vectors of all documents by the SHA-256 of their text. */
  documentVectors(): Map<string, Int16Array> {
    return new Map(this.store.pages.map(({ textSha256 }, row) => [textSha256, this.index.vector(row)]));
  }

  /** The text of a hit: title, blank line, body. Throws an InputError when the corpus has no such text. */
  text(textSha256: string): string {
    return this.store.text(textSha256);
  }

  /** The document of an id, or undefined. */
  document(id: string): Document | undefined {
    return this.store.document(id);
  }

  close(): void {
    this.vectors.close();
    this.store.close();
  }

  private requireSite(site: string): number {
    const count = this.countOf.get(site);
    if (count === undefined) throw new InputError(`the corpus has no site "${site}"`, { field: "site" });
    return count;
  }
}

function requireWritable(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw new InputError(`cannot be used as the cache directory (${(error as Error).message}); choose another`, {
      file: directory,
    });
  }
}
