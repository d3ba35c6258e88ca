import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import { corpusHashes } from "../corpora/files.ts";
import type { Document, Site } from "../corpora/format.ts";
import { readDocuments, readSites } from "../corpora/read.ts";
import { InputError } from "../errors.ts";
import { Bm25Index, type Bm25Parameters } from "./bm25/bm25-index.ts";
import { wordsVersion } from "./bm25/words.ts";
import { DenseIndex } from "./dense-index.ts";
import { DenseSearch } from "./dense-search.ts";
import type { DocumentIndex, IndexKind } from "./document-index.ts";
import { DocumentStore, type StoredPage } from "./document-store.ts";
import type { Embedder } from "./embedders/embedder.ts";
import { openEmbedder } from "./embedders/open.ts";
import type { Neighbour } from "./exact-search.ts";
import { HybridIndex, type HybridParameters } from "./hybrid-index.ts";
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
  /** The name of a built-in embedder, or one of your own. It is not opened where nothing needs vectors. */
  readonly embedder: string | Embedder;
  /** The indexes to open; the first is searched unless another is named. Without: dense. */
  readonly indexes?: readonly [IndexKind, ...IndexKind[]];
  readonly bm25?: Bm25Parameters;
  readonly hybrid?: HybridParameters;
  /** True where vectors are needed beside the indexes. */
  readonly vectors?: boolean;
  /** False where nobody searches all sites at once: then no graph of all is built, and such a search is slower. */
  readonly central?: boolean;
  /** Sites that the corpus lacks: their pages are searched like all others. Their ids are new ones. */
  readonly added?: readonly AddedSite[];
  readonly progress?: Progress;
}

/** A site beside a corpus, with its pages; `sha256` stands for both. */
export interface AddedSite {
  readonly site: Site;
  readonly documents: readonly Document[];
  readonly sha256: string;
}

/** The values of Lucene and of SQLite. @internal */
export const defaultBm25: Bm25Parameters = { k1: 1.2, b: 0.75 };
/** The rank constant is that of the method's authors. @internal */
export const defaultHybrid: HybridParameters = { rankConstant: 60, depth: 100 };

/** Answers held: a few hundred bytes each. */
const answerLimit = 8192;

/**
 * The search engine of a corpus: its documents, and indexes of one site and of all. What it builds is cached by
 * content, so a second opening only reads. Throws an InputError on a wrong corpus or an unknown embedder.
 */
export async function openRetrieval(corpusDirectory: string, options: RetrievalOptions): Promise<Retrieval> {
  const { cacheDirectory, progress } = options;
  const kinds = options.indexes ?? ["dense"];
  requireWritable(cacheDirectory);
  const added = options.added ?? [];
  const hashes = await corpusHashes(corpusDirectory);
  const corpusSha256 = withAdded(hashes.corpusSha256, added);
  const documentsSha256 = withAdded(hashes.documentsSha256, added);
  const siteList = [...(await readSites(corpusDirectory)), ...added.map(({ site }) => site)];
  const documents = () => allDocuments(corpusDirectory, added);
  const store = await DocumentStore.open(documents, documentsSha256, join(cacheDirectory, "documents"), progress);
  const needsWords = kinds.some((kind) => kind !== "dense");
  const needsVectors = options.vectors === true || kinds.some((kind) => kind !== "bm25");
  let dense: DenseSearch | undefined;
  let bm25: Bm25Index | undefined;
  try {
    if (needsVectors) dense = await openDense(corpusDirectory, hashes.documentsSha256, documentsSha256, store, options);
    if (needsWords) {
      const key = textSha256(`${documentsSha256} ${wordsVersion}`).slice(0, 32);
      const file = join(cacheDirectory, "bm25", `${key}.sqlite`);
      bm25 = await Bm25Index.open(store, file, options.bm25 ?? defaultBm25, progress);
    }
    const indexes = new Map(
      kinds.map((kind) => [kind, indexOf(kind, dense, bm25, options.hybrid ?? defaultHybrid)] as const),
    );
    return new Retrieval(corpusSha256, siteList, store, kinds[0], indexes, dense, bm25);
  } catch (error) {
    dense?.close();
    bm25?.close();
    store.close();
    throw error;
  }
}

function withAdded(sha256: string, added: readonly AddedSite[]): string {
  return added.length === 0 ? sha256 : textSha256([sha256, ...added.map((each) => each.sha256)].join("\n"));
}

async function* allDocuments(corpusDirectory: string, added: readonly AddedSite[]): AsyncGenerator<Document> {
  for await (const { document } of readDocuments(corpusDirectory)) yield document;
  for (const { documents } of added) yield* documents;
}

function indexOf(
  kind: IndexKind,
  dense: DenseSearch | undefined,
  bm25: Bm25Index | undefined,
  hybrid: HybridParameters,
): DocumentIndex {
  if (kind === "dense") return dense as DenseSearch;
  if (kind === "bm25") return bm25 as Bm25Index;
  return new HybridIndex(dense as DenseSearch, bm25 as Bm25Index, hybrid);
}

/** @param ofCorpus stands for the documents of the corpus alone, whose words weigh all vectors */
async function openDense(
  corpusDirectory: string,
  ofCorpus: string,
  documentsSha256: string,
  store: DocumentStore,
  { embedder: wanted, cacheDirectory, central = true, added = [], progress }: RetrievalOptions,
): Promise<DenseSearch> {
  const inCache = (...names: string[]) => join(cacheDirectory, ...names);
  const embedder =
    typeof wanted === "string"
      ? await openEmbedder(
          wanted,
          () => store.texts(new Set(added.map(({ site }) => site.id))),
          inCache("hashing", `${ofCorpus}.counts`),
        )
      : wanted;
  const documents = readVectors(corpusDirectory, "documents", embedder);
  const topics = readVectors(corpusDirectory, "topics", embedder);
  const searches = readVectors(corpusDirectory, "searches", embedder);
  const vectors = new VectorCache(embedder, inCache("vectors"), new Map([...topics.byText, ...searches.byText]));
  try {
    // Part of the key, lest an index of vectors made here stand in for the ones the corpus ships.
    const key = textSha256(`${documentsSha256} ${embedder.identity} ${documents.sha256}`).slice(0, 32);
    const folder = inCache("dense", `${fileSafe(embedder.name)}-${key}`);
    const index = await DenseIndex.open(store, vectors, documents.byText, folder, { central }, progress);
    return new DenseSearch(vectors, index);
  } catch (error) {
    vectors.close();
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
    private readonly defaultKind: IndexKind,
    private readonly indexes: ReadonlyMap<IndexKind, DocumentIndex>,
    private readonly dense: DenseSearch | undefined,
    private readonly bm25: Bm25Index | undefined,
  ) {
    for (const site of siteList) this.countOf.set(site.id, 0);
    for (const { site } of store.pages) this.countOf.set(site, (this.countOf.get(site) ?? 0) + 1);
  }

  get embedder(): Embedder {
    return this.requireDense().vectors.embedder;
  }

  /** Over the ids and vectors of all documents in the order of their ids; null when it was opened without vectors. */
  get vectorsSha256(): string | null {
    return this.dense?.index.vectorsSha256 ?? null;
  }

  /** Names an index, its parameters and what it was made of: equal for indexes that answer alike. */
  indexIdentity(kind: IndexKind = this.defaultKind): string {
    const { identity } = this.requireIndex(kind);
    // Where words are searched, sites may still be selected by vectors.
    return kind === "bm25" && this.dense !== undefined ? `${identity}+${this.dense.identity}` : identity;
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
   * The `k` documents of `site` (null: of all) that an index ranks first, best first, ties by id: at once, or as a
   * promise where the query must be embedded first. Throws an InputError on an unknown site.
   */
  search(
    query: string,
    site: string | null,
    k: number,
    kind: IndexKind = this.defaultKind,
  ): readonly Hit[] | Promise<readonly Hit[]> {
    const key = `${kind} ${k} ${site ?? ""} ${query}`;
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    if (site !== null) this.requireSite(site);
    const answer = (found: readonly Neighbour[]) => {
      const hits = found.map(({ row }) => this.store.pages[row] as Hit);
      if (this.answers.size >= answerLimit) this.answers.delete(this.answers.keys().next().value as string);
      this.answers.set(key, hits);
      return hits;
    };
    const found = this.requireIndex(kind).search(query, site, k);
    return found instanceof Promise ? found.then(answer) : answer(found);
  }

  /**
   * The ids of the `k` sites that promise the most for a query, best first: by the means of the vectors of samples of
   * their pages, or by ReDDE on these samples. Both go by vectors, whatever index searches go by.
   */
  selectSites(query: string, by: "vectors" | "redde", k: number): readonly string[] | Promise<readonly string[]> {
    const { index, vectors } = this.requireDense();
    this.selector ??= new SiteSelector(this.store.pages, index);
    const { selector } = this;
    const answer = (vector: Int16Array) =>
      by === "vectors" ? selector.byVectors(vector, k) : selector.byRedde(vector, k);
    const vector = vectors.vector(query);
    return vector instanceof Int16Array ? answer(vector) : vector.then(answer);
  }

  /** The vector of a text, as the dense index uses it: at once when it was made before, else as a promise. */
  vector(text: string): Int16Array | Promise<Int16Array> {
    return this.requireDense().vectors.vector(text);
  }

  /** The vectors of all documents by the SHA-256 of their text. */
  documentVectors(): Map<string, Int16Array> {
    const { index } = this.requireDense();
    return new Map(this.store.pages.map(({ textSha256 }, row) => [textSha256, index.vector(row)]));
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
    this.dense?.close();
    this.bm25?.close();
    this.store.close();
  }

  private requireIndex(kind: IndexKind): DocumentIndex {
    const index = this.indexes.get(kind);
    if (index === undefined) throw new InputError(`the ${kind} index was not opened`, { field: "indexes" });
    return index;
  }

  private requireDense(): DenseSearch {
    if (this.dense === undefined) throw new InputError("opened without vectors; ask for them", { field: "vectors" });
    return this.dense;
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
