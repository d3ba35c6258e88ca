import hnswlib from "hnswlib-node";
import { type Neighbour, innerProduct, type VectorMatrix } from "./exact-search.ts";

/** Links a vector keeps to its neighbours on a layer of the graph. */
const links = 16;
/** Candidates held while a vector is put in. Pages written from one template need this many. */
const buildCandidates = 400;
/** Candidates held while searching: recall@10 against exact search is then 0.975 or more (bench/retrieval). */
const searchCandidates = 192;
/** Taken beyond k, so that the order of ties at the end is ours and not the graph's. */
const spare = 8;
const seed = 100;

/** What a saved graph depends on beside its vectors. */
export const graphSettings = `hnsw ${links} ${buildCandidates} ${seed}`;

/**
 * A graph of neighbours (Malkov & Yashunin, hierarchical navigable small world graphs) over some rows of a matrix, by
 * hnswlib. It finds almost all of the nearest; their order is that of the exact inner products, then of the rows.
 */
export class ApproximateIndex {
  private constructor(
    private readonly graph: hnswlib.HierarchicalNSW,
    private readonly matrix: VectorMatrix,
  ) {}

  /** Puts `rows` into a graph, in their order: the same rows give the same graph. Calls `onRow` after each. */
  static async build(
    matrix: VectorMatrix,
    rows: Uint32Array,
    onRow: () => void | Promise<void>,
  ): Promise<ApproximateIndex> {
    const graph = new hnswlib.HierarchicalNSW("ip", matrix.dimensions);
    graph.initIndex({ maxElements: rows.length, m: links, efConstruction: buildCandidates, randomSeed: seed });
    for (const row of rows) {
      const start = row * matrix.dimensions;
      graph.addPoint(Array.from(matrix.values.subarray(start, start + matrix.dimensions)), row);
      const waited = onRow();
      if (waited !== undefined) await waited;
    }
    return new ApproximateIndex(graph, matrix);
  }

  /** Reads a graph that `save` wrote over the same matrix. The file must be sound: the library does not check it. */
  static load(matrix: VectorMatrix, file: string): ApproximateIndex {
    const graph = new hnswlib.HierarchicalNSW("ip", matrix.dimensions);
    graph.readIndexSync(file);
    return new ApproximateIndex(graph, matrix);
  }

  save(file: string): void {
    this.graph.writeIndexSync(file);
  }

  /** About the `k` rows nearest to `query`, best first; all when there are fewer. */
  search(query: Int16Array, k: number): Neighbour[] {
    return this.nativeSearch(query, Math.min(k + spare, this.graph.getCurrentCount()))
      .map(({ row }) => ({ row, score: innerProduct(this.matrix, query, row) }))
      .sort((a, b) => b.score - a.score || a.row - b.row)
      .slice(0, k);
  }

  /** The library's own answer: its distance is 1 - inner product, exact in 32-bit floats for our integers. */
  nativeSearch(query: Int16Array, k: number): Neighbour[] {
    this.graph.setEf(Math.max(searchCandidates, 2 * k));
    const { neighbors, distances } = this.graph.searchKnn(Array.from(query), k);
    return neighbors.map((row, i) => ({ row, score: 1 - (distances[i] as number) }));
  }
}
