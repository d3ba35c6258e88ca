import { BestRows } from "../best-rows.ts";
import type { DocumentIndex } from "../document-index.ts";
import type { DocumentStore } from "../document-store.ts";
import type { Neighbour } from "../exact-search.ts";
import type { Progress } from "../progress.ts";
import { type Postings, PostingStore } from "./postings.ts";
import { Words } from "./words.ts";

export interface Bm25Parameters {
  /** How soon a word's further occurrences count for less: 0 or more. */
  readonly k1: number;
  /** How much a document's length counts, from 0 to 1. */
  readonly b: number;
}

/** A run of document numbers that is searched as one collection, with statistics of its own. */
interface Collection {
  readonly first: number;
  /** After the last. */
  readonly end: number;
  /** By document number: k1 (1 - b + b length / average length). */
  readonly norms: Float64Array;
}

/**
 * Ranks documents by the words they share with the query: BM25 (Robertson & Zaragoza, The Probabilistic Relevance
 * Framework, 2009) with the IDF that is never negative, ln(1 + (N - n + 0.5) / (n + 0.5)). Each site is a collection of
 * its own, as if it had its own engine: N, n and the average length are the site's; a search of all sites takes those
 * of all documents. Computed in plain JavaScript, words in ascending order, so that scores are the same everywhere.
 */
export class Bm25Index implements DocumentIndex {
  readonly identity: string;
  private readonly words = new Words({ onDisk: false });
  private readonly collections = new Map<string | null, Collection>();
  /** By document number; 0 between two searches. */
  private readonly scores: Float64Array;
  private readonly touched: Uint32Array;

  private constructor(
    private readonly postings: PostingStore,
    /** Documents are numbered by site, then id; the store's pages, by id. */
    private readonly rowOf: Uint32Array,
    sites: ReadonlyMap<string, readonly [first: number, end: number]>,
    private readonly parameters: Bm25Parameters,
  ) {
    const { k1, b } = parameters;
    this.identity = `bm25/k1=${k1},b=${b}/${postings.sha256.slice(0, 16)}`;
    this.scores = new Float64Array(rowOf.length);
    this.touched = new Uint32Array(rowOf.length);
    const siteNorms = new Float64Array(rowOf.length);
    for (const [site, [first, end]] of sites) {
      writeNorms(siteNorms, postings.lengths, first, end, parameters);
      this.collections.set(site, { first, end, norms: siteNorms });
    }
    const norms = new Float64Array(rowOf.length);
    writeNorms(norms, postings.lengths, 0, rowOf.length, parameters);
    this.collections.set(null, { first: 0, end: rowOf.length, norms });
  }

  /** Reads the words of a store's documents in `file`, or builds them there. What is damaged is built anew. */
  static async open(
    store: DocumentStore,
    file: string,
    parameters: Bm25Parameters,
    progress?: Progress,
  ): Promise<Bm25Index> {
    const { pages } = store;
    const siteOf = (row: number) => (pages[row] as { site: string }).site;
    const rowOf = Uint32Array.from(pages.keys()).sort((a, b) => {
      const [one, other] = [siteOf(a), siteOf(b)];
      return one === other ? a - b : one < other ? -1 : 1;
    });
    const sites = new Map<string, [first: number, end: number]>();
    rowOf.forEach((row, number) => {
      const range = sites.get(siteOf(row));
      if (range === undefined) sites.set(siteOf(row), [number, number + 1]);
      else range[1] = number + 1;
    });
    const textOf = (number: number) =>
      store.text((pages[rowOf[number] as number] as { textSha256: string }).textSha256);
    const postings = await PostingStore.open(file, pages.length, textOf, progress);
    return new Bm25Index(postings, rowOf, sites, parameters);
  }

  search(query: string, site: string | null, k: number): Neighbour[] {
    const collection = this.collections.get(site);
    if (collection === undefined) return [];
    let found = 0;
    for (const [word, often] of this.words.of(query)) {
      const postings = this.postings.get(word);
      if (postings !== undefined) found = this.score(postings, often, collection, found);
    }
    const best = new BestRows(k);
    for (let i = 0; i < found; i += 1) {
      const document = this.touched[i] as number;
      best.offer(this.rowOf[document] as number, this.scores[document] as number);
      this.scores[document] = 0;
    }
    return best.list();
  }

  close(): void {
    this.words.close();
    this.postings.close();
  }

  /** Adds what a word of the query, there `often` times, is worth; gives how many documents have a score by now. */
  private score({ documents, counts }: Postings, often: number, collection: Collection, found: number): number {
    const { scores, touched } = this;
    const { first, end, norms } = collection;
    const from = placeOf(documents, first);
    const to = placeOf(documents, end);
    const holders = to - from;
    const weight = often * (this.parameters.k1 + 1) * Math.log(1 + (end - first - holders + 0.5) / (holders + 0.5));
    for (let i = from; i < to; i += 1) {
      const document = documents[i] as number;
      const count = counts[i] as number;
      const before = scores[document] as number;
      if (before === 0) touched[found++] = document;
      scores[document] = before + (weight * count) / (count + (norms[document] as number));
    }
    return found;
  }
}

function writeNorms(
  norms: Float64Array,
  lengths: Uint32Array,
  first: number,
  end: number,
  { k1, b }: Bm25Parameters,
): void {
  let total = 0;
  for (let document = first; document < end; document += 1) total += lengths[document] as number;
  const average = Math.max(1, total) / (end - first); // at least one word: pages may all be without
  for (let document = first; document < end; document += 1) {
    norms[document] = k1 * (1 - b + (b * (lengths[document] as number)) / average);
  }
}

/** The first place in an ascending list that holds `value` or more. */
function placeOf(list: Uint32Array, value: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
