import { distinctIds, type Grades } from "./ranking.ts";

/**
 * nP@k, the normalised graded precision of a site selection: the merit of the first `k` distinct sites over that of
 * the best `k` sites, in [0, 1]; 0 when no site has merit. A site's merit is, for instance, the relevant documents it
 * holds for the topic (TREC FedWeb 2013, Demeester et al.; Gravano's R_n before it).
 */
export function normalizedPrecision(selection: Iterable<string>, merits: Grades, k: number): number {
  const best = sumOfTop(
    [...merits.values()].sort((a, b) => b - a),
    k,
  );
  if (best === 0) return 0;
  const found = distinctIds(selection).map((site) => merits.get(site) ?? 0);
  return Math.min(1, sumOfTop(found, k) / best);
}

/**
 * The share of the topic's gold sites (those that hold a relevant document) that were contacted, in [0, 1]; null when
 * the topic has no gold site. With one gold site it is whether that site was contacted.
 */
export function siteRecall(contacted: Iterable<string>, gold: ReadonlySet<string>): number | null {
  return gold.size === 0 ? null : hits(contacted, gold) / gold.size;
}

/** The share of the contacted sites that are gold sites, in [0, 1]; null when none was contacted. */
export function sitePrecision(contacted: Iterable<string>, gold: ReadonlySet<string>): number | null {
  const sites = distinctIds(contacted);
  return sites.length === 0 ? null : hits(sites, gold) / sites.length;
}

function hits(sites: Iterable<string>, gold: ReadonlySet<string>): number {
  return distinctIds(sites).filter((site) => gold.has(site)).length;
}

function sumOfTop(merits: readonly number[], k: number): number {
  let sum = 0;
  for (const merit of merits.slice(0, k)) if (merit > 0) sum += merit;
  return sum;
}
