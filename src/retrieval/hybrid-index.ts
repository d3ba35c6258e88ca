import { BestRows } from "./best-rows.ts";
import type { DocumentIndex } from "./document-index.ts";
import type { Neighbour } from "./exact-search.ts";

export interface HybridParameters {
  /** The k of reciprocal rank fusion: the greater, the less the first ranks stand out. */
  readonly rankConstant: number;
  /** How many documents of each list are fused; as many as are wanted when those are more. */
  readonly depth: number;
}

/**
 * Fuses the lists of two indexes: a document's score is the sum of 1 / (rank constant + rank) over the lists that it
 * is in (reciprocal rank fusion; Cormack, Clarke & Büttcher, SIGIR 2009). Ties by row.
 */
export class HybridIndex implements DocumentIndex {
  readonly identity: string;

  constructor(
    private readonly one: DocumentIndex,
    private readonly other: DocumentIndex,
    private readonly parameters: HybridParameters,
  ) {
    const { rankConstant, depth } = parameters;
    this.identity = `hybrid/rank-constant=${rankConstant},depth=${depth}/${one.identity}+${other.identity}`;
  }

  search(query: string, site: string | null, k: number): Neighbour[] | Promise<Neighbour[]> {
    const depth = Math.max(this.parameters.depth, k);
    const second = this.other.search(query, site, depth);
    const first = this.one.search(query, site, depth);
    if (first instanceof Promise || second instanceof Promise) {
      return Promise.all([first, second]).then((lists) => this.fuse(lists, k));
    }
    return this.fuse([first, second], k);
  }

  private fuse(lists: readonly Neighbour[][], k: number): Neighbour[] {
    const scores = new Map<number, number>();
    for (const list of lists) {
      list.forEach(({ row }, place) => {
        scores.set(row, (scores.get(row) ?? 0) + 1 / (this.parameters.rankConstant + place + 1));
      });
    }
    const best = new BestRows(k);
    for (const [row, score] of scores) best.offer(row, score);
    return best.list();
  }
}
