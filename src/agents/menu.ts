import { blockJson } from "./grammar.ts";
import { group, type SegmentGroup, segment } from "./prompt.ts";

/** A site as a user agent may know it. */
export interface ListedSite {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly priors?: { readonly popularity?: number };
}

/** The list of sites in a user agent's prompt: a segment of its own for each. */
export class Menu {
  readonly group: SegmentGroup;
  readonly #ids: ReadonlySet<string>;

  constructor(readonly sites: readonly ListedSite[]) {
    this.group = group(sites.map(({ id, name, description }) => segment(blockJson({ site: id, name, description }))));
    this.#ids = new Set(sites.map(({ id }) => id));
  }

  readonly lists = (site: string): boolean => this.#ids.has(site);

  without(removed: ReadonlySet<string>): Menu {
    return new Menu(this.sites.filter(({ id }) => !removed.has(id)));
  }
}
