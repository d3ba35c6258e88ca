import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { z } from "zod";
import { fileSha256 } from "../corpora/files.ts";
import { InputError } from "../errors.ts";
import { ApproximateIndex, graphSettings } from "./approximate-index.ts";
import type { DocumentStore, StoredPage } from "./document-store.ts";
import type { Embedder } from "./embedders/embedder.ts";
import { allRows, exactSearch, type Neighbour, type VectorMatrix } from "./exact-search.ts";
import { ProductMatrix } from "./inner-products.ts";
import type { Progress } from "./progress.ts";
import type { VectorCache } from "./vector-cache.ts";
import { int16View } from "./vector-files.ts";

/** Fewer documents, or more results, are searched exactly: below this a look at every vector is as quick as a graph. */
const exactBelow = 1000;

/** What an index of documents answers, whatever it goes by. */
export interface DocumentIndex {
  readonly name: string;
  /** The `k` documents of `site` (null: of all) nearest to the query's vector, as rows of the store's pages. */
  search(query: Int16Array, site: string | null, k: number): Neighbour[];
}

const headSchema = z.object({
  format: z.literal("awesim-dense-index"),
  version: z.literal(1),
  settings: z.literal(graphSettings),
  identity: z.string(),
  dimensions: z.number().int().positive(),
  vectorsSha256: z.string(),
  /** SHA-256 by file name. */
  graphs: z.record(z.string(), z.string()),
});
type Head = z.infer<typeof headSchema>;

/** Documents embedded at a time, and put into a graph between two turns of the event loop. */
const batch = 64;

const matrixFile = "vectors.i16";
const graphFile = (site: string | null): string => `${site ?? "all"}.hnsw`;

/** Vectors of all documents and, where there are enough of them, a graph for each site and one for all. */
export class DenseIndex implements DocumentIndex {
  readonly name = "dense";
  private readonly graphs = new Map<string | null, ApproximateIndex>();

  private constructor(
    private readonly folder: string,
    private readonly matrix: VectorMatrix,
    private readonly rowsOf: ReadonlyMap<string | null, Uint32Array>,
    /** Over the ids and vectors of the documents in the order of their ids. */
    readonly vectorsSha256: string,
  ) {}

  /**
   * Reads the index of a store's documents in `folder`, or builds it there: vectors are the `shipped` ones (by the
   * SHA-256 of their text), else come from the cache, else are made. A damaged index is built anew.
   */
  static async open(
    store: DocumentStore,
    vectors: VectorCache,
    shipped: ReadonlyMap<string, Int16Array>,
    folder: string,
    progress?: Progress,
  ): Promise<DenseIndex> {
    const found = await DenseIndex.read(store, vectors.embedder.identity, folder);
    if (found !== undefined) return found;
    rmSync(folder, { recursive: true, force: true });
    // Another process may do the same at once: each builds in a folder of its own, and the first one stays.
    const partial = `${folder}.${process.pid}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    try {
      await buildIndex(
        store.pages,
        await documentVectors(store, vectors, shipped, progress),
        vectors.embedder,
        partial,
        progress,
      );
      renameUnlessTaken(partial, folder);
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
    const built = await DenseIndex.read(store, vectors.embedder.identity, folder);
    if (built === undefined) throw new InputError("cannot be written whole; is the disk full?", { file: folder });
    return built;
  }

  /** The index in `folder` if it is complete, sound and made of these documents by this embedder. */
  private static async read(
    { pages }: DocumentStore,
    identity: string,
    folder: string,
  ): Promise<DenseIndex | undefined> {
    const head = readHead(join(folder, "head.json"));
    if (head === undefined || head.identity !== identity || !existsSync(join(folder, matrixFile))) return undefined;
    const bytes = readFileSync(join(folder, matrixFile));
    if (bytes.length !== pages.length * head.dimensions * 2) return undefined;
    const matrix = searchMatrix(head.dimensions, int16View(bytes));
    if (vectorsSha256(pages, matrix) !== head.vectorsSha256) return undefined;
    const rowsOf = rowsBySite(pages, matrix);
    for (const [site] of graphed(rowsOf)) {
      const file = join(folder, graphFile(site));
      if (!existsSync(file) || (await fileSha256(file)) !== head.graphs[graphFile(site)]) return undefined;
    }
    return new DenseIndex(folder, matrix, rowsOf, head.vectorsSha256);
  }

  search(query: Int16Array, site: string | null, k: number): Neighbour[] {
    const rows = this.rowsOf.get(site);
    if (rows === undefined) return [];
    const exact = rows.length < exactBelow || k > exactBelow;
    return exact ? this.searchExactly(query, site, k) : this.graph(site).search(query, k);
  }

  /** As `search`, looking at every document whatever their number. */
  searchExactly(query: Int16Array, site: string | null, k: number): Neighbour[] {
    const rows = this.rowsOf.get(site);
    return rows === undefined ? [] : exactSearch(this.matrix, query, k, rows);
  }

  /** The vector of the document of a row. */
  vector(row: number): Int16Array {
    const { values, dimensions } = this.matrix;
    return values.subarray(row * dimensions, (row + 1) * dimensions);
  }

  private graph(site: string | null): ApproximateIndex {
    let graph = this.graphs.get(site);
    if (graph === undefined) {
      graph = ApproximateIndex.load(this.matrix, join(this.folder, graphFile(site)));
      this.graphs.set(site, graph);
    }
    return graph;
  }
}

/** The documents' vectors as rows; those that are not known are made in batches, equal texts once. */
async function documentVectors(
  store: DocumentStore,
  vectors: VectorCache,
  shipped: ReadonlyMap<string, Int16Array>,
  progress?: Progress,
): Promise<VectorMatrix> {
  const { dimensions } = vectors.embedder;
  const values = new Int16Array(store.pages.length * dimensions);
  const rowsOfMissing = new Map<string, number[]>();
  store.pages.forEach(({ textSha256 }, row) => {
    const known = shipped.get(textSha256) ?? vectors.lookUp(textSha256);
    if (known !== undefined) return values.set(known, row * dimensions);
    const rows = rowsOfMissing.get(textSha256);
    if (rows === undefined) rowsOfMissing.set(textSha256, [row]);
    else rows.push(row);
  });
  const missing = [...rowsOfMissing];
  for (let done = 0; done < missing.length; done += batch) {
    progress?.(done, missing.length, "embedding documents");
    const part = missing.slice(done, done + batch);
    const made = await vectors.embedAll(part.map(([sha256]) => ({ sha256, text: store.text(sha256) })));
    part.forEach(([, rows], i) => {
      for (const row of rows) values.set(made[i] as Int16Array, row * dimensions);
    });
    await turn();
  }
  if (missing.length > 0) progress?.(missing.length, missing.length, "embedding documents");
  return { dimensions, values };
}

async function buildIndex(
  pages: readonly StoredPage[],
  matrix: VectorMatrix,
  embedder: Embedder,
  folder: string,
  progress?: Progress,
): Promise<void> {
  const graphs = graphed(rowsBySite(pages, matrix));
  const total = graphs.reduce((sum, [, rows]) => sum + rows.length, 0);
  let done = 0;
  const head: Head = {
    format: "awesim-dense-index",
    version: 1,
    settings: graphSettings,
    identity: embedder.identity,
    dimensions: matrix.dimensions,
    vectorsSha256: vectorsSha256(pages, matrix),
    graphs: {},
  };
  for (const [site, rows] of graphs) {
    const graph = await ApproximateIndex.build(matrix, rows, () => {
      done += 1;
      if (done % batch !== 0 && done !== total) return;
      progress?.(done, total, "indexing documents");
      return turn();
    });
    const file = join(folder, graphFile(site));
    graph.save(file);
    head.graphs[graphFile(site)] = await fileSha256(file);
  }
  writeFileSync(join(folder, matrixFile), Buffer.from(matrix.values.buffer));
  writeFileSync(join(folder, "head.json"), `${JSON.stringify(head)}\n`);
}

/** The vectors where products of many of them are found fastest. */
function searchMatrix(dimensions: number, values: Int16Array): VectorMatrix {
  const vectors = values.length / dimensions;
  if (!ProductMatrix.takes(vectors, dimensions)) return { dimensions, values };
  const matrix = new ProductMatrix(vectors, dimensions);
  matrix.values.set(values);
  return matrix;
}

/** Rows of each site, and of all under null, ascending. */
function rowsBySite(pages: readonly StoredPage[], matrix: VectorMatrix): Map<string | null, Uint32Array> {
  const bySite = new Map<string | null, number[]>();
  pages.forEach(({ site }, row) => {
    const rows = bySite.get(site);
    if (rows === undefined) bySite.set(site, [row]);
    else rows.push(row);
  });
  return new Map<string | null, Uint32Array>([
    [null, allRows(matrix)],
    ...[...bySite].map(([site, rows]) => [site, Uint32Array.from(rows)] as const),
  ]);
}

/** Those that get a graph. */
function graphed(rowsOf: ReadonlyMap<string | null, Uint32Array>): [site: string | null, rows: Uint32Array][] {
  return [...rowsOf].filter(([, rows]) => rows.length >= exactBelow);
}

function vectorsSha256(pages: readonly StoredPage[], { values, dimensions }: VectorMatrix): string {
  const hash = createHash("sha256");
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  pages.forEach(({ id }, row) => {
    hash.update(`${id}\n`).update(bytes.subarray(row * dimensions * 2, (row + 1) * dimensions * 2));
  });
  return hash.digest("hex");
}

function readHead(file: string): Head | undefined {
  try {
    return headSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

/** A folder that is not empty cannot be renamed onto: then another process was first, with the same content. */
function renameUnlessTaken(partial: string, folder: string): void {
  try {
    renameSync(partial, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
