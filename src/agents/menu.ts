import { blockJson } from "./grammar.ts";
import { group, type Segment, type SegmentGroup, segment } from "./prompt.ts";

/** A site as a user agent may know it. */
export interface ListedSite {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly priors?: { readonly popularity?: number };
  /** How many pages it has. */
  readonly documents?: number;
}

/** A site's line in a list: the name to ask it by, and its segment. */
export interface MenuLine {
  readonly site: ListedSite;
  readonly label: string;
  readonly segment: Segment;
}

/** The list of sites in a user agent's prompt: a segment of its own for each, in the order of the prompt. */
export class Menu {
  readonly sites: readonly ListedSite[];
  readonly group: SegmentGroup;
  readonly #byLabel: ReadonlyMap<string, string>;
  readonly #byId: ReadonlyMap<string, string>;

  constructor(readonly lines: readonly MenuLine[]) {
    this.sites = lines.map(({ site }) => site);
    this.group = group(lines.map((line) => line.segment));
    this.#byLabel = new Map(lines.map(({ site, label }) => [label, site.id]));
    this.#byId = new Map(lines.map(({ site, label }) => [site.id, label]));
  }

  readonly lists = (site: string): boolean => this.#byId.has(site);

  readonly names = (label: string): boolean => this.#byLabel.has(label);

  /** The site that a list's name stands for. */
  siteOf(label: string): string {
    return this.#byLabel.get(label) ?? label;
  }

  /** The list's name of a site. */
  labelOf(site: string): string {
    return this.#byId.get(site) ?? site;
  }

  without(removed: ReadonlySet<string>): Menu {
    return new Menu(this.lines.filter(({ site }) => !removed.has(site.id)));
  }
}

/** The list with every site as it is, asked by its id. */
export function plainMenu(sites: readonly ListedSite[]): Menu {
  return new Menu(
    sites.map((site) => {
      const { id, name, description } = site;
      return { site, label: id, segment: segment(blockJson({ site: id, name, description })) };
    }),
  );
}
