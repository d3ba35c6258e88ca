import type { Menu } from "./menu.ts";
import type { Hit, IndexPort } from "./ports.ts";

/**
 * Searches the index over all sites for pages of listed sites. The index still holds the pages of sites that were
 * removed: they are passed over, and more are asked for in their place.
 */
export function searchListedSites(
  index: IndexPort,
  menu: Menu,
  query: string,
  documents: number,
): readonly Hit[] | Promise<readonly Hit[]> {
  const searchFor = (k: number): readonly Hit[] | Promise<readonly Hit[]> => {
    const keep = (hits: readonly Hit[]) => {
      const listed = hits.filter(({ site }) => menu.lists(site));
      return listed.length < documents && hits.length === k ? searchFor(2 * k) : listed.slice(0, documents);
    };
    const hits = index.search(query, null, k);
    return hits instanceof Promise ? hits.then(keep) : keep(hits);
  };
  return searchFor(documents);
}
