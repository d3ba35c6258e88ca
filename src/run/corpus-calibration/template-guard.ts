import { contentWords, wordsOf } from "../../corpora/generator/words.ts";

interface Page {
  readonly site: string;
  readonly text: string;
}

/**
 * How often a naive Bayes classifier on words without content, trained on half of the gold pages, tells each gold page
 * of the other half from another page of the same site: .5 is blind guessing, which is what a corpus should come to.
 */
export function templateGuard(pages: readonly Page[], gold: readonly Page[]): number {
  const bySite = new Map<string, string[]>();
  for (const { site, text } of pages) {
    const texts = bySite.get(site);
    if (texts === undefined) bySite.set(site, [text]);
    else texts.push(text);
  }
  const pairs = gold.map(({ site, text }, at) => {
    const others = bySite.get(site)!;
    return [emptyWords(text), emptyWords(others[(at * 7919) % others.length]!)] as const;
  });
  const half = Math.floor(pairs.length / 2);
  const seen = [new Map<string, number>(), new Map<string, number>()] as const;
  for (const pair of pairs.slice(0, half)) {
    for (const side of [0, 1] as const) {
      for (const word of pair[side]) seen[side].set(word, (seen[side].get(word) ?? 0) + 1);
    }
  }
  const weight = (word: string): number => Math.log(((seen[0].get(word) ?? 0) + 1) / ((seen[1].get(word) ?? 0) + 1));
  const score = (words: ReadonlySet<string>): number => [...words].reduce((sum, word) => sum + weight(word), 0);
  let right = 0;
  for (const [page, other] of pairs.slice(half)) {
    const [a, b] = [score(page), score(other)];
    right += a > b ? 1 : a === b ? 0.5 : 0;
  }
  return right / (pairs.length - half);
}

function emptyWords(text: string): Set<string> {
  const content = new Set(contentWords(text));
  return new Set(wordsOf(text).filter((word) => !content.has(word)));
}
