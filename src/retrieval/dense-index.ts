import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { z } from "zod";
import { fileSha256 } from "../corpora/files.ts";
import { InputError } from "../errors.ts";
import { ApproximateIndex, graphSettings } from "./approximate-index.ts";
import type { DocumentStore, StoredPage } from "./document-store.ts";
import { allRows, exactSearch, innerProducts, type Neighbour, type VectorMatrix } from "./exact-search.ts";
import { ProductMatrix } from "./inner-products.ts";
import type { Progress } from "./progress.ts";
import type { VectorCache } from "./vector-cache.ts";
import { int16View } from "./vector-files.ts";

/** Fewer documents, or more results, are searched exactly: below this a look at every vector is as quick as a graph. */
const exactBelow = 1000;

const headSchema = z.object({
  format: z.literal("awesim-dense-index"),
  version: z.literal(1),
  identity: z.string(),
  dimensions: z.number().int().positive(),
  vectorsSha256: z.string(),
});
type Head = z.infer<typeof headSchema>;

/** Documents embedded at a time, and put into a graph between two turns of the event loop. */
const batch = 64;

const matrixFile = "vectors.i16";
const headFile = "head.json";

/** What an index is to be quick for. A search beyond it looks at every vector. */
export interface IndexScope {
  /** Whether searches of all sites at once get a graph: it takes the longest to build. */
  readonly central: boolean;
}

/** Vectors of all documents and, where there are enough of them, a graph for each site and one for all. */
export class DenseIndex {
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
   * SHA-256 of their text), else come from the cache, else are made. What is damaged is built anew.
   */
  static async open(
    store: DocumentStore,
    vectors: VectorCache,
    shipped: ReadonlyMap<string, Int16Array>,
    folder: string,
    { central }: IndexScope,
    progress?: Progress,
  ): Promise<DenseIndex> {
    const index =
      DenseIndex.read(store, vectors.embedder.identity, folder) ??
      (await DenseIndex.build(store, vectors, shipped, folder, progress));
    await index.addGraphs(central, progress);
    return index;
  }

  private static async build(
    store: DocumentStore,
    vectors: VectorCache,
    shipped: ReadonlyMap<string, Int16Array>,
    folder: string,
    progress?: Progress,
  ): Promise<DenseIndex> {
    rmSync(folder, { recursive: true, force: true });
    // Another process may do the same at once: each builds in a folder of its own, and the first one stays.
    const partial = `${folder}.${process.pid}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    try {
      const matrix = await documentVectors(store, vectors, shipped, progress);
      const { identity } = vectors.embedder;
      writeVectors(partial, matrix, { identity, vectorsSha256: vectorsSha256(store.pages, matrix) });
      renameUnlessTaken(partial, folder);
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
    const built = DenseIndex.read(store, vectors.embedder.identity, folder);
    if (built === undefined) throw new InputError("cannot be written whole; is the disk full?", { file: folder });
    return built;
  }

  /** The index in `folder` if its vectors are complete, sound and made of these documents by this embedder. */
  private static read({ pages }: DocumentStore, identity: string, folder: string): DenseIndex | undefined {
    const head = readHead(join(folder, headFile));
    if (head === undefined || head.identity !== identity || !existsSync(join(folder, matrixFile))) return undefined;
    const bytes = readFileSync(join(folder, matrixFile));
    if (bytes.length !== pages.length * head.dimensions * 2) return undefined;
    const matrix = searchMatrix(head.dimensions, int16View(bytes));
    if (vectorsSha256(pages, matrix) !== head.vectorsSha256) return undefined;
    return new DenseIndex(folder, matrix, rowsBySite(pages, matrix), head.vectorsSha256);
  }

  /** Reads the graphs of the sites that are large enough, and the one of all if it is wanted, or builds them. */
  private async addGraphs(central: boolean, progress?: Progress): Promise<void> {
    const wanted = [...this.rowsOf].filter(([site, rows]) => rows.length >= exactBelow && (site !== null || central));
    const missing: typeof wanted = [];
    for (const [site, rows] of wanted) {
      const graph = await readGraph(this.matrix, this.graphFile(site));
      if (graph === undefined) missing.push([site, rows]);
      else this.graphs.set(site, graph);
    }
    const total = missing.reduce((sum, [, rows]) => sum + rows.length, 0);
    let done = 0;
    for (const [site, rows] of missing) {
      const graph = await ApproximateIndex.build(this.matrix, rows, () => {
        done += 1;
        if (done % batch !== 0 && done !== total) return;
        progress?.(done, total, "indexing documents");
        return turn();
      });
      await writeGraph(graph, this.graphFile(site));
      this.graphs.set(site, graph);
    }
  }

  private graphFile(site: string | null): string {
    return join(this.folder, `${site ?? "all"}.hnsw`);
  }

  /** The `k` documents of `site` (null: of all) nearest to the query's vector, as rows of the store's pages. */
  search(query: Int16Array, site: string | null, k: number): Neighbour[] {
    const rows = this.rowsOf.get(site);
    if (rows === undefined) return [];
    const graph = k > exactBelow ? undefined : this.graphs.get(site);
    return graph === undefined ? this.searchExactly(query, site, k) : graph.search(query, k);
  }

  /** As `search`, looking at every document whatever their number. */
  searchExactly(query: Int16Array, site: string | null, k: number): Neighbour[] {
    const rows = this.rowsOf.get(site);
    return rows === undefined ? [] : exactSearch(this.matrix, query, k, rows);
  }

  /** The inner products of a query with rows, exactly. */
  products(query: Int16Array, rows: Uint32Array): Int32Array {
    return innerProducts(this.matrix, query, rows);
  }

  /** The vector of the document of a row. */
  vector(row: number): Int16Array {
    const { values, dimensions } = this.matrix;
    return values.subarray(row * dimensions, (row + 1) * dimensions);
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

function writeVectors(folder: string, matrix: VectorMatrix, head: Pick<Head, "identity" | "vectorsSha256">): void {
  const { dimensions, values } = matrix;
  writeFileSync(join(folder, matrixFile), Buffer.from(values.buffer, values.byteOffset, values.byteLength));
  const whole: Head = { format: "awesim-dense-index", version: 1, dimensions, ...head };
  writeFileSync(join(folder, headFile), `${JSON.stringify(whole)}\n`);
}

/** The graph in a file, if it is the one that was written there, with the settings of today. */
async function readGraph(matrix: VectorMatrix, file: string): Promise<ApproximateIndex | undefined> {
  if (!existsSync(file) || !existsSync(checksumFile(file))) return undefined;
  const isSound = readFileSync(checksumFile(file), "utf8") === (await graphChecksum(file));
  return isSound ? ApproximateIndex.load(matrix, file) : undefined;
}

/** Another process may write the same at once: each file appears whole, the checksum last. */
async function writeGraph(graph: ApproximateIndex, file: string): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  graph.save(partial);
  const checksum = await graphChecksum(partial);
  renameSync(partial, file);
  writeFileSync(partial, checksum);
  renameSync(partial, checksumFile(file));
}

const checksumFile = (file: string): string => `${file}.sha256`;

async function graphChecksum(file: string): Promise<string> {
  return `${graphSettings} ${await fileSha256(file)}\n`;
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
