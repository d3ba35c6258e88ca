import type { Hit } from "./ports.ts";

/** A search of a user agent that names the sites to ask. */
export interface SiteSearch {
  readonly query: string;
  readonly sites: readonly string[];
  /** Known sites beyond the most that one search may ask, and names that are on no list: reported back, not asked. */
  readonly tooMany: readonly string[];
  readonly unknown: readonly string[];
}

/**
 * Reads `{"query": "...", "websites": ["...", ...]}`. Repeated sites are asked once, in the order of their first
 * mention; a payload of another shape, an empty query, or a list without one known site is no search (null), so that
 * nothing is ever searched beyond the sites that were named.
 */
export function readSiteSearch(payload: string, isListed: (site: string) => boolean, limit: number): SiteSearch | null {
  const value = parseJson(payload);
  if (typeof value !== "object" || value === null) return null;
  const { query, websites } = value as { query?: unknown; websites?: unknown };
  if (typeof query !== "string" || query.trim() === "" || !Array.isArray(websites)) return null;
  const named = new Set(websites.flatMap((each) => (typeof each === "string" ? each.trim() || [] : [])));
  const known = [...named].filter(isListed);
  if (known.length === 0) return null;
  return {
    query: query.trim(),
    sites: known.slice(0, limit),
    tooMany: known.slice(limit),
    unknown: [...named].filter((each) => !isListed(each)),
  };
}

/** What a content agent answers: `{"summary": "...", "documents": ["id", ...]}`. */
export interface Findings {
  readonly summary: string;
  readonly documents: readonly Hit[];
}

/**
 * Reads a content agent's answer. Documents count only if the agent retrieved them in this session; repeats are
 * dropped; at most `limit` are kept, in the order given. Null when the payload is not such an object.
 */
export function readFindings(payload: string, retrieved: ReadonlyMap<string, Hit>, limit: number): Findings | null {
  const value = parseJson(payload);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { summary, documents } = value as { summary?: unknown; documents?: unknown };
  if (typeof summary !== "string" || !Array.isArray(documents)) return null;
  return { summary: summary.trim(), documents: retrievedOnly(documents, retrieved).slice(0, limit) };
}

/**
 * Reads a ranked answer: a JSON array of document ids, best first. Ids that were never retrieved and repeats are
 * dropped. Null when the payload is not an array.
 */
export function readRanking(payload: string, retrieved: ReadonlyMap<string, Hit>): readonly Hit[] | null {
  const value = parseJson(payload);
  return Array.isArray(value) ? retrievedOnly(value, retrieved) : null;
}

/** A short answer in words, and the pages that it names. */
export interface ShortAnswer {
  readonly text: string;
  readonly documents: readonly Hit[];
}

const brackets = /\[([^[\]]*)\]/g;

/**
 * Reads a short answer: words, and after or among them `[page id]` or `[page id, page id]`. Brackets whose ids were
 * all retrieved name pages and are taken out of the words; other brackets are words. Null when no words are left.
 */
export function readShortAnswer(payload: string, retrieved: ReadonlyMap<string, Hit>): ShortAnswer | null {
  const named: string[] = [];
  const text = payload.replace(brackets, (bracket, inside: string) => {
    const ids = inside.split(",").map((id) => id.trim());
    if (!ids.every((id) => retrieved.has(id))) return bracket;
    named.push(...ids);
    return " ";
  });
  const words = text.replace(/\s+/g, " ").trim();
  return words === "" ? null : { text: words, documents: retrievedOnly(named, retrieved) };
}

function retrievedOnly(ids: readonly unknown[], retrieved: ReadonlyMap<string, Hit>): Hit[] {
  const kept = new Map<string, Hit>();
  for (const id of ids) {
    const hit = typeof id === "string" ? retrieved.get(id) : undefined;
    if (hit !== undefined) kept.set(hit.id, hit);
  }
  return [...kept.values()];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
