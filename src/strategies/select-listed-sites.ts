import type { SiteSelection } from "../agents/ports.ts";
import type { SearchContext } from "../agents/strategy.ts";

/**
 * The listed sites that the index selects for a text, `settings.sitesPerSelection` of them. The index still knows the
 * sites that were removed: they are passed over, and more are asked for in their place.
 */
export function selectListedSites(
  query: string,
  by: SiteSelection,
  { sites, settings, index }: SearchContext,
): readonly string[] | Promise<readonly string[]> {
  const wanted = settings.sitesPerSelection;
  const listed = new Set(sites.map(({ id }) => id));
  const selectFrom = (k: number): readonly string[] | Promise<readonly string[]> => {
    const keep = (selected: readonly string[]) => {
      const kept = selected.filter((site) => listed.has(site));
      return kept.length < wanted && selected.length === k ? selectFrom(2 * k) : kept.slice(0, wanted);
    };
    const selected = index.selectSites(query, by, k);
    return selected instanceof Promise ? selected.then(keep) : keep(selected);
  };
  return selectFrom(wanted);
}
