import { blockJson } from "../../agents/grammar.ts";

/** A search that was made: its text, and the sites it went to where there is a choice. */
export interface Search {
  readonly text: string;
  readonly sites: readonly string[];
}

/** A page: where it was found, how well it matched, and, where words matter, what it says. */
export interface KeptPage {
  readonly id: string;
  readonly site: string;
  readonly match: number;
  readonly quote?: string;
}

/** What the surrogate writes into its own summaries and reads again: one line of JSON. */
export interface Kept {
  readonly searches: readonly Search[];
  readonly pages: readonly KeptPage[];
}

export function keptLine(kept: Kept): string {
  return blockJson({ kept });
}

/** The memory in a line of JSON; null when it holds none. */
export function keptOf(value: Record<string, unknown>): Kept | null {
  const kept = value["kept"] as { searches?: unknown; pages?: unknown } | null | undefined;
  if (typeof kept !== "object" || kept === null) return null;
  if (!Array.isArray(kept.searches) || !Array.isArray(kept.pages)) return null;
  return { searches: kept.searches.filter(isSearch), pages: kept.pages.filter(isKeptPage) };
}

function isSearch(value: unknown): value is Search {
  const { text, sites } = (value ?? {}) as Partial<Record<keyof Search, unknown>>;
  return typeof text === "string" && Array.isArray(sites) && sites.every((each) => typeof each === "string");
}

function isKeptPage(value: unknown): value is KeptPage {
  const { id, site, match, quote = "" } = (value ?? {}) as Partial<Record<keyof KeptPage, unknown>>;
  return typeof id === "string" && typeof site === "string" && typeof match === "number" && typeof quote === "string";
}
