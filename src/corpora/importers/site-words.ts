/** Titles looked at per site: enough to say what it is about, in bounded memory. */
const titlesPerSite = 10_000;
const wordsShown = 8;

/**
 * Says what sites are about by the words of their pages' titles, for sets that describe no sites: those that are
 * frequent on a site and rare on the others (document frequency times log of the inverse share of sites).
 */
export class SiteWords {
  private readonly counts = new Map<string, { titles: number; words: Map<string, number> }>();

  add(site: string, title: string): void {
    let count = this.counts.get(site);
    if (count === undefined) {
      count = { titles: 0, words: new Map() };
      this.counts.set(site, count);
    }
    if (count.titles >= titlesPerSite) return;
    count.titles += 1;
    for (const word of new Set(wordsOf(title))) count.words.set(word, (count.words.get(word) ?? 0) + 1);
  }

  /** The telling words of each site, the best first, at most eight. */
  telling(): Map<string, string[]> {
    const sitesWith = new Map<string, number>();
    for (const { words } of this.counts.values()) {
      for (const word of words.keys()) sitesWith.set(word, (sitesWith.get(word) ?? 0) + 1);
    }
    const weight = (word: string, count: number): number =>
      count * Math.log((1 + this.counts.size) / (sitesWith.get(word) as number));
    return new Map(
      [...this.counts].map(([site, { words }]) => {
        const ranked = [...words].map(([word, count]) => ({ word, weight: weight(word, count) }));
        ranked.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
        return [site, ranked.slice(0, wordsShown).map(({ word }) => word)];
      }),
    );
  }
}

const wordsOf = (title: string): string[] =>
  (title.toLowerCase().match(/\p{L}[\p{L}\p{N}'-]{2,}/gu) ?? []).filter((word) => !functionWords.has(word));

const functionWords = new Set(
  (
    "about after all also and any are been before between but can could did does for from had has have her his how " +
    "into its may more most new not now off one only other our out over she some than that the their them then there " +
    "these they this those through too two under use used using was were what when where which while who why will " +
    "with without would you your"
  ).split(" "),
);
