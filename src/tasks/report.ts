import type { Hit } from "../agents/ports.ts";
import type { Answer, Outcome } from "../agents/task.ts";
import { citationNumbersWithGroups, referenceList, reportBody } from "../metrics/report-text.ts";

/** What a number of a report refers to: a site, and the pages that its entry names (none: the site as a whole). */
export interface Source {
  readonly site: string;
  readonly documents: readonly Hit[];
}

/** What separates words of a reference's entry; page ids and host names hold none of these. */
const separators = /[\s,;()<>[\]"'`*]+/;

/**
 * The sources of a report by number: entries of its reference list that name a page that was shown, by its id, or a
 * site that showed one, by its name or an address of it. Entries that name neither are no sources: what nobody showed
 * cannot be cited. The first site that an entry names counts.
 */
export function sourcesOf(text: string, seen: ReadonlyMap<string, Hit>): Map<number, Source> {
  const sites = new Set([...seen.values()].map(({ site }) => site));
  const sources = new Map<number, Source>();
  for (const [number, entry] of referenceList(text)) {
    const words = entry.split(separators).flatMap((word) => [word, word.replace(/[.:]+$/, "")]);
    const pages = [...new Set(words.flatMap((word) => (seen.has(word) ? (seen.get(word) as Hit) : [])))];
    const site = pages[0]?.site ?? words.map(hostOf).find((host) => sites.has(host));
    if (site !== undefined) sources.set(number, { site, documents: pages.filter((page) => page.site === site) });
  }
  return sources;
}

function hostOf(word: string): string {
  return word.replace(/^https?:\/\//, "").replace(/\/.*$/, "");
}

/**
 * Reads a report: any text that is not blank. Its citations are the distinct sites that numbers in the body refer to;
 * its documents are the pages cited, and of a site cited as a whole all its pages that were shown.
 */
export function readReport(payload: string, seen: ReadonlyMap<string, Hit>): Answer | null {
  if (payload === "") return null;
  const sources = sourcesOf(payload, seen);
  const cited = citationNumbersWithGroups(reportBody(payload)).flatMap((number) => sources.get(number) ?? []);
  const pagesOf = ({ site, documents }: Source): readonly Hit[] =>
    documents.length > 0 ? documents : [...seen.values()].filter((hit) => hit.site === site);
  return {
    documents: [...new Set(cited.flatMap(pagesOf))],
    citations: [...new Set(cited.map(({ site }) => site))].map((site) => ({ site })),
    text: payload,
  };
}

/** Whether an answer rests on one of the pages that answer the question. */
export function holdsEvidence(evidence: readonly string[], { answer }: Outcome): boolean {
  return answer?.documents.some(({ id }) => evidence.includes(id)) ?? false;
}
