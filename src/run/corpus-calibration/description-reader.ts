import type { SitePlan } from "../../corpora/generator/sites.ts";

/**
 * Chooses sites by their descriptions, as a perfect reader would who knows the variety that a query is about: those
 * that name it, the more popular first, then the others, ties by id.
 */
export class DescriptionReader {
  constructor(private readonly plan: SitePlan) {}

  /** The ids of `k` sites for a variety, by its label. */
  bestSites(label: string, k: number): string[] {
    return this.plan.sites
      .map(({ site }) => ({ ...site, names: site.description.includes(label) }))
      .sort(
        (a, b) =>
          Number(b.names) - Number(a.names) || b.priors.popularity - a.priors.popularity || (a.id < b.id ? -1 : 1),
      )
      .slice(0, k)
      .map(({ id }) => id);
  }
}
