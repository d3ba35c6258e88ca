import type { SitePlan } from "../../corpora/generator/sites.ts";
import type { Retrieval } from "../../retrieval/retrieval.ts";

/**
 * Chooses sites by their descriptions, as a careful reader would: a site fits a query as well as the best fitting
 * thing that its description names.
 */
export class DescriptionReader {
  private constructor(private readonly sites: readonly { id: string; vectors: readonly Int16Array[] }[]) {}

  static async open({ sites }: SitePlan, retrieval: Retrieval): Promise<DescriptionReader> {
    const read = sites.map(async ({ site: { id, description } }) => {
      const phrases = description.split(/[.,]| and /).map((phrase) => phrase.trim());
      const vectors = phrases.filter((phrase) => phrase !== "").map((phrase) => retrieval.vector(phrase));
      return { id, vectors: await Promise.all(vectors) };
    });
    return new DescriptionReader(await Promise.all(read));
  }

  /** The ids of the sites that fit best, ties by id. */
  bestSites(query: Int16Array, k: number): string[] {
    const product = (vector: Int16Array): number => vector.reduce((sum, value, at) => sum + value * query[at]!, 0);
    return this.sites
      .map(({ id, vectors }) => ({ id, fit: Math.max(...vectors.map(product)) }))
      .sort((a, b) => b.fit - a.fit || (a.id < b.id ? -1 : 1))
      .slice(0, k)
      .map(({ id }) => id);
  }
}
