import type { Hit, IndexPort } from "./ports.ts";

/**
 * Searches the index over all sites for pages of those that the asker may have. The index holds the pages of sites
 * that are not listed, or block the asker, as well: they are passed over, and more are asked for in their place.
 */
export function searchOpenSites(
  index: IndexPort,
  isOpen: (site: string) => boolean,
  query: string,
  documents: number,
): readonly Hit[] | Promise<readonly Hit[]> {
  const searchFor = (k: number): readonly Hit[] | Promise<readonly Hit[]> => {
    const keep = (hits: readonly Hit[]) => {
      const open = hits.filter(({ site }) => isOpen(site));
      return open.length < documents && hits.length === k ? searchFor(2 * k) : open.slice(0, documents);
    };
    const hits = index.search(query, null, k);
    return hits instanceof Promise ? hits.then(keep) : keep(hits);
  };
  return searchFor(documents);
}
