import type { Environment } from "./environment.ts";
import type { Hit } from "./ports.ts";

/** A request to a site's search engine, without a content agent. */
export interface SiteRetrievalOptions {
  readonly environment: Environment;
  readonly site: string;
  readonly query: string;
  /** The n-th request of its query. */
  readonly request: number;
  readonly text: string;
  readonly done: (hits: readonly Hit[]) => void;
}

/**
 * One search of a site's index on behalf of a user agent. It takes the site's time for a search; `done` runs then,
 * never before this returns. Gives back what cancels it.
 */
export function searchSite({ environment, site, query, request, text, done }: SiteRetrievalOptions): () => void {
  const durationMs = environment.siteLatencyMs(site, `${query}/${site}/${request}`);
  const hits = environment.index.search(text, site, environment.settings.documentsPerSearch);
  const pending = environment.kernel.call(durationMs, hits, (found: readonly Hit[]) => {
    const documents = found.map(({ id }) => id);
    environment.facts.state({ type: "search.answered", query, agent: "user", site, documents });
    done(found);
  });
  return () => environment.kernel.cancel(pending);
}
