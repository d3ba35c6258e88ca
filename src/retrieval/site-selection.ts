import { hash32 } from "../kernel/random.ts";
import type { StoredPage } from "./document-store.ts";

/** Pages drawn from each site to stand for it. */
const samplePages = 100;

/** ReDDE's share of all pages, the best ones, that are counted as relevant (the value of Si and Callan). */
const relevantShare = 0.003;

/** Where the vectors of pages are; rows are those of the store's pages. */
export interface PageVectors {
  vector(row: number): Int16Array;
  /** Exact inner products of a query with rows. */
  products(query: Int16Array, rows: Uint32Array): ArrayLike<number>;
}

interface SampledSite {
  readonly id: string;
  /** Pages of the whole site, above 0. */
  readonly pages: number;
  readonly rows: readonly number[];
  /** Of the sample's vectors, component by component. */
  readonly sum: Float64Array;
}

/**
 * Which sites promise the most for a query, by a sample of each one's pages. A page is drawn by a hash of its id, so
 * that a page more or less does not change which others are drawn. All arithmetic is on integers until one last
 * division: the same everywhere. Sites without a page are never selected.
 */
export class SiteSelector {
  readonly #vectors: PageVectors;
  readonly #sites: readonly SampledSite[];
  readonly #rows: Uint32Array;
  /** For each of the rows its site, by its place among the sites. */
  readonly #siteOf: Uint32Array;

  constructor(pages: readonly StoredPage[], vectors: PageVectors) {
    this.#vectors = vectors;
    this.#sites = [...rowsBySite(pages)].map(([id, rows]) => {
      const drawn = drawRows(pages, rows);
      return { id, pages: rows.length, rows: drawn, sum: sumOf(drawn.map((row) => vectors.vector(row))) };
    });
    this.#rows = Uint32Array.from(this.#sites.flatMap(({ rows }) => rows));
    this.#siteOf = Uint32Array.from(this.#sites.flatMap(({ rows }, place) => rows.map(() => place)));
  }

  /**
   * By the inner product of the query's vector with the mean of the sample's vectors: how near the site's pages are on
   * the average (Tool-E of AgentWebBench).
   */
  byVectors(query: Int16Array, k: number): string[] {
    const near = this.#sites.map(({ id, rows, sum }) => ({ id, score: innerProduct(sum, query) / rows.length }));
    near.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    return near.slice(0, k).map(({ id }) => id);
  }

  /**
   * By ReDDE (Si and Callan, SIGIR 2003): every sampled page stands for `pages of its site / pages in its sample`
   * pages. The sample is ranked; those above the share of 0.003 of all pages count as relevant, and a site's worth is
   * what its own stand for. Sites without one of these come after, in the order of their best pages.
   */
  byRedde(query: Int16Array, k: number): string[] {
    const products = this.#vectors.products(query, this.#rows);
    const order = [...this.#rows.keys()];
    order.sort((a, b) => (products[b] as number) - (products[a] as number) || this.#rowAt(a) - this.#rowAt(b));
    const total = this.#sites.reduce((sum, { pages }) => sum + pages, 0);
    const worth = new Map<number, number>();
    let before = 0;
    for (const at of order) {
      const place = this.#siteOf[at] as number;
      const { pages, rows } = this.#sites[place] as SampledSite;
      const weight = pages / rows.length;
      worth.set(place, (worth.get(place) ?? 0) + (before < relevantShare * total ? weight : 0));
      before += weight;
    }
    // A map keeps the order of the first page of each site; the sort is stable.
    const ranked = [...worth].sort(([, one], [, other]) => other - one);
    return ranked.slice(0, k).map(([place]) => (this.#sites[place] as SampledSite).id);
  }

  #rowAt(at: number): number {
    return this.#rows[at] as number;
  }
}

function rowsBySite(pages: readonly StoredPage[]): Map<string, number[]> {
  const bySite = new Map<string, number[]>();
  pages.forEach(({ site }, row) => {
    const rows = bySite.get(site);
    if (rows === undefined) bySite.set(site, [row]);
    else rows.push(row);
  });
  return bySite;
}

function drawRows(pages: readonly StoredPage[], rows: readonly number[]): number[] {
  if (rows.length <= samplePages) return [...rows];
  const lots = rows.map((row) => ({ row, lot: hash32(`site sample ${(pages[row] as StoredPage).id}`) }));
  lots.sort((a, b) => a.lot - b.lot || a.row - b.row);
  return lots
    .slice(0, samplePages)
    .map(({ row }) => row)
    .sort((a, b) => a - b);
}

function sumOf(vectors: readonly Int16Array[]): Float64Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (vector[i] as number);
  }
  return sum;
}

function innerProduct(sum: Float64Array, query: Int16Array): number {
  let total = 0;
  for (let i = 0; i < sum.length; i++) total += (sum[i] as number) * (query[i] as number);
  return total;
}
