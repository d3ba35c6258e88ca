import { Menu, type MenuLine, type ListedSite } from "./menu.ts";
import { blockJson } from "./grammar.ts";
import { segment } from "./prompt.ts";
import type { Streams } from "../kernel/random.ts";

/** How the list of sites is shown: to tell position, brand and content apart. */
export interface SiteListSettings {
  /** As the corpus has them, by falling number of pages, or by lot, anew for each query. */
  readonly order: "fixed" | "size" | "shuffled-per-query";
  /** By host name and name, or as `site-<number>`, the number drawn by lot and kept for the whole run. */
  readonly names: "real" | "masked";
  /** As they are, left out, or with the site's own name and host name taken out. */
  readonly descriptions: "full" | "name-only" | "masked";
}

/** Makes the lists of sites that user agents see. Sites that are taken away leave names and lots of others as they are. */
export class SiteList {
  readonly #settings: SiteListSettings;
  readonly #streams: Streams;
  #menu: Menu;
  /** Sites that have a line, or had one. */
  #known: number;

  constructor(sites: readonly ListedSite[], settings: SiteListSettings, streams: Streams) {
    this.#settings = settings;
    this.#streams = streams;
    this.#menu = firstMenu(sites, settings, streams);
    this.#known = sites.length;
  }

  /** The list as the user agent of a query sees it. */
  menuFor(query: string): Menu {
    if (this.#settings.order !== "shuffled-per-query") return this.#menu;
    return new Menu(byLot(this.#menu.lines, ({ site }) => site.id, "site-order", query, this.#streams));
  }

  /** Lists one more site: last, or where its size puts it. Masked, it gets the next number. */
  add(site: ListedSite): void {
    this.#known++;
    const { order, names, descriptions } = this.#settings;
    const lines = [...this.#menu.lines, lineOf(site, names === "masked" ? `site-${this.#known}` : null, descriptions)];
    this.#menu = new Menu(order === "size" ? bySize(lines) : lines);
  }

  remove(sites: readonly string[]): void {
    this.#menu = this.#menu.without(new Set(sites));
  }
}

const knownMenus = new WeakMap<readonly ListedSite[], Map<string, Menu>>();

/** The list before anything is taken away: made once for all simulations of the same sites. */
function firstMenu(sites: readonly ListedSite[], settings: SiteListSettings, streams: Streams): Menu {
  const labels = settings.names === "masked" ? maskedNames(sites, streams) : new Map<string, string>();
  const ofSites = knownMenus.get(sites) ?? new Map<string, Menu>();
  knownMenus.set(sites, ofSites);
  const key = JSON.stringify([settings, [...labels]]);
  const known = ofSites.get(key);
  if (known !== undefined) return known;
  const lines = sites.map((site) => lineOf(site, labels.get(site.id) ?? null, settings.descriptions));
  const made = new Menu(settings.order === "size" ? bySize(lines) : lines);
  ofSites.set(key, made);
  return made;
}

function lineOf(site: ListedSite, mask: string | null, descriptions: SiteListSettings["descriptions"]): MenuLine {
  const label = mask ?? site.id;
  const shown = { site: label, name: mask ?? site.name, description: descriptionOf(site, descriptions) };
  return { site, label, segment: segment(blockJson(shown)) };
}

function descriptionOf({ id, name, description }: ListedSite, how: SiteListSettings["descriptions"]): string {
  if (how === "full") return description;
  if (how === "name-only") return "";
  const own = [id, name].sort((a, b) => b.length - a.length).map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return description.replace(
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${own.join("|")})(?![\\p{L}\\p{N}])`, "giu"),
    "this website",
  );
}

function maskedNames(sites: readonly ListedSite[], streams: Streams): Map<string, string> {
  const width = String(sites.length).length;
  const drawn = byLot(sites, ({ id }) => id, "site-mask", "", streams);
  return new Map(drawn.map(({ id }, index) => [id, `site-${String(index + 1).padStart(width, "0")}`]));
}

function bySize(lines: readonly MenuLine[]): MenuLine[] {
  return [...lines].sort(
    ({ site: a }, { site: b }) => (b.documents ?? 0) - (a.documents ?? 0) || (a.id < b.id ? -1 : 1),
  );
}

function byLot<T>(
  items: readonly T[],
  idOf: (item: T) => string,
  purpose: string,
  entity: string,
  streams: Streams,
): T[] {
  const lots = items.map((item) => ({
    item,
    id: idOf(item),
    lot: streams.seedFor(purpose, `${entity} ${idOf(item)}`),
  }));
  lots.sort((a, b) => a.lot - b.lot || (a.id < b.id ? -1 : 1));
  return lots.map(({ item }) => item);
}
