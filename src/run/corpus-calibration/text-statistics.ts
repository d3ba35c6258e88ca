import { wordsOf } from "../../corpora/generator/words.ts";

/**
 * Heaps' law, vocabulary = k tokens^beta, fitted by least squares on logarithms at forty points of the text; and the
 * exponent of Zipf's law over the ranks 10 to 1,000, fitted the same way: descriptions, not estimates.
 */
export function heapsAndZipf(texts: readonly string[]): { beta: number; zipf: number; vocabulary: number } {
  const counts = new Map<string, number>();
  const growth: [number, number][] = [];
  let tokens = 0;
  const step = Math.max(1, Math.floor(texts.length / 40));
  for (const [at, text] of texts.entries()) {
    for (const word of wordsOf(text)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      tokens++;
    }
    if (at % step === step - 1) growth.push([Math.log(tokens), Math.log(counts.size)]);
  }
  const ranked = [...counts.values()].sort((a, b) => b - a);
  const zipf = ranked.slice(9, 1000).map((count, at): [number, number] => [Math.log(at + 10), Math.log(count)]);
  return { beta: slope(growth), zipf: -slope(zipf), vocabulary: counts.size };
}

/** The share of runs of n words that stand on another page too. */
export function repeatedNgrams(texts: readonly string[], n: number): number {
  const firstPage = new Map<string, number>();
  const repeated = new Set<string>();
  const runs = texts.map((text) => {
    const words = wordsOf(text);
    return words.slice(0, Math.max(0, words.length - n + 1)).map((_, at) => words.slice(at, at + n).join(" "));
  });
  for (const [page, list] of runs.entries()) {
    for (const run of list) {
      const first = firstPage.get(run);
      if (first === undefined) firstPage.set(run, page);
      else if (first !== page) repeated.add(run);
    }
  }
  let total = 0;
  let shared = 0;
  for (const list of runs) {
    total += list.length;
    for (const run of list) if (repeated.has(run)) shared++;
  }
  return shared / total;
}

function slope(points: readonly (readonly [number, number])[]): number {
  const mx = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const my = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const sxy = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return sxy / points.reduce((sum, [x]) => sum + (x - mx) * (x - mx), 0);
}
