import type { DenseIndex } from "./dense-index.ts";
import type { DocumentIndex } from "./document-index.ts";
import type { Neighbour } from "./exact-search.ts";
import type { VectorCache } from "./vector-cache.ts";

/** Ranks documents by the inner product of their vectors with the query's. */
export class DenseSearch implements DocumentIndex {
  readonly identity: string;

  constructor(
    readonly vectors: VectorCache,
    readonly index: DenseIndex,
  ) {
    this.identity = `dense/${vectors.embedder.name}/${index.vectorsSha256.slice(0, 16)}`;
  }

  search(query: string, site: string | null, k: number): Neighbour[] | Promise<Neighbour[]> {
    const vector = this.vectors.vector(query);
    if (vector instanceof Promise) return vector.then((made) => this.index.search(made, site, k));
    return this.index.search(vector, site, k);
  }

  close(): void {
    this.vectors.close();
  }
}
