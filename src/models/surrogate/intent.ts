import type { Profile } from "./profile.ts";
import { tellingWords } from "./words.ts";

/** A page that a person visited, as a line of a prompt shows it. */
export interface Visit {
  readonly title: string;
  /** Empty where the line does not say it. */
  readonly page: string;
  /** The host of its address; empty where the line does not say it. */
  readonly site: string;
}

/**
 * What the latest visits have in common, as search words: those of their titles, each weighing what it says, the less
 * the longer ago. Heaviest first; ties by the word.
 */
export function intentOf(visits: readonly Visit[], { pages, words }: Profile["user-agent"]["history"]): string {
  const found = new Map<number, { text: string; weight: number }>();
  visits
    .slice(-pages)
    .reverse()
    .forEach(({ title }, age) => {
      for (const word of new Map(tellingWords(title).map((each) => [each.stem, each])).values()) {
        const known = found.get(word.stem);
        const weight = word.weight / (1 + age);
        if (known === undefined) found.set(word.stem, { text: word.text, weight });
        else known.weight += weight;
      }
    });
  const heaviest = [...found.values()].sort((a, b) => b.weight - a.weight || (a.text < b.text ? -1 : 1));
  return heaviest
    .slice(0, words)
    .map(({ text }) => text)
    .join(" ");
}
