import { wordsOf } from "../../src/corpora/generator/words.ts";
import { innerProduct, type VectorMatrix } from "../../src/retrieval/exact-search.ts";

/** A page to be ranked. */
export interface RankedPage {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** BM25 with k1 1.2 and b 0.75 over words, without stemming or stop words: the reference to compare with. */
export class ReferenceBm25 {
  private readonly postings = new Map<string, { rows: number[]; counts: number[] }>();
  private readonly lengths: number[] = [];
  private meanLength = 0;

  constructor(private readonly pages: readonly RankedPage[]) {
    for (const [row, { title, text }] of pages.entries()) {
      const counts = new Map<string, number>();
      const words = wordsOf(`${title}\n\n${text}`);
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      this.lengths.push(words.length);
      for (const [word, count] of counts) {
        let posting = this.postings.get(word);
        if (posting === undefined) {
          posting = { rows: [], counts: [] };
          this.postings.set(word, posting);
        }
        posting.rows.push(row);
        posting.counts.push(count);
      }
    }
    this.meanLength = this.lengths.reduce((sum, length) => sum + length, 0) / this.lengths.length;
  }

  /** The scores of all pages, by row. */
  scores(query: string): Float64Array {
    const scores = new Float64Array(this.pages.length);
    const n = this.pages.length;
    for (const word of new Set(wordsOf(query))) {
      const posting = this.postings.get(word);
      if (posting === undefined) continue;
      const df = posting.rows.length;
      const idf = Math.log(1 + (n - df + 0.5) / (df + 0.5));
      for (const [i, row] of posting.rows.entries()) {
        const count = posting.counts[i]!;
        const norm = 1.2 * (1 - 0.75 + (0.75 * this.lengths[row]!) / this.meanLength);
        scores[row]! += (idf * count * 2.2) / (count + norm);
      }
    }
    return scores;
  }
}

/** The ids of the best `k` pages by score, ties by id. */
export function best(scores: ArrayLike<number>, pages: readonly RankedPage[], k: number): string[] {
  const before = (a: number, b: number): boolean =>
    scores[a]! > scores[b]! || (scores[a]! === scores[b]! && pages[a]!.id < pages[b]!.id);
  const rows: number[] = [];
  for (let row = 0; row < pages.length; row++) {
    if (rows.length === k && !before(row, rows[k - 1]!)) continue;
    let place = rows.length;
    while (place > 0 && before(row, rows[place - 1]!)) place--;
    rows.splice(place, 0, row);
    if (rows.length > k) rows.pop();
  }
  return rows.map((row) => pages[row]!.id);
}

/** The inner products of all rows with a query. */
export function denseScores(matrix: VectorMatrix, query: Int16Array): Float64Array {
  return Float64Array.from({ length: matrix.values.length / matrix.dimensions }, (_, row) =>
    innerProduct(matrix, query, row),
  );
}

/** Scores less their mean, over their deviation: what the two rankings are added in. */
export function standardised(scores: Float64Array): Float64Array {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const variance = scores.reduce((sum, score) => sum + (score - mean) * (score - mean), 0) / scores.length;
  const deviation = Math.sqrt(variance) || 1;
  return scores.map((score) => (score - mean) / deviation);
}

/** The paper's measures of one ranked list: NDCG and recall with binary gains, and whether the first is relevant. */
export function measures(list: readonly string[], relevant: ReadonlySet<string>): Record<string, number> {
  const values: Record<string, number> = { "hit@1": relevant.has(list[0] ?? "") ? 1 : 0 };
  for (const k of [3, 5]) {
    let gain = 0;
    let ideal = 0;
    let found = 0;
    for (let i = 0; i < k; i++) {
      const discount = 1 / Math.log2(i + 2);
      if (relevant.has(list[i] ?? "")) {
        gain += discount;
        found++;
      }
      if (i < relevant.size) ideal += discount;
    }
    values[`ndcg@${k}`] = gain / ideal;
    values[`recall@${k}`] = found / relevant.size;
  }
  return values;
}
