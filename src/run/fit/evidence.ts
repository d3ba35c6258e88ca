import { actionKinds, parseAction } from "../../agents/grammar.ts";
import { readSiteSearch } from "../../agents/payloads.ts";
import type { PromptPart } from "../../agents/prompt.ts";
import type { Choice } from "../../metrics/conditional-logit.ts";
import { nextText } from "../../models/surrogate/decisions.ts";
import type { Profile } from "../../models/surrogate/profile.ts";
import { readParts, type Situation } from "../../models/surrogate/situation.ts";

export type Role = keyof Pick<Profile, "user-agent" | "content-agent">;

/** A page that an agent had before it when it decided: what speaks for it, and whether it was handed over. */
export interface PageEvidence {
  readonly match: number;
  /** What trust in the search engine's order adds, for a weight of 1. */
  readonly order: number;
  readonly isHandedOver: boolean;
}

/** Whether an agent searched on, with the pages it had by then. */
export interface ReadingEvidence {
  readonly searches: number;
  readonly searchedOn: boolean;
  readonly pages: readonly PageEvidence[];
  /** False where an answer names no pages, such as a short answer: what was handed over is then unknown. */
  readonly namesPages: boolean;
}

/** What a user agent's search tells. Each field is null where the surrogate would have had no choice. */
export interface SearchEvidence {
  readonly sites: number;
  readonly choices: readonly Choice[];
  /** The sites of the choices, to count by name. */
  readonly chosenSites: readonly string[];
  readonly optionSites: readonly (readonly string[])[];
  /** Whether the first search was not the question as it stands. */
  readonly rewrote: boolean | null;
  /** Whether a further search had another text than the one before. */
  readonly hasNewText: boolean | null;
  /** Sites that had reported pages and could be asked again, and how many were. */
  readonly again: { readonly could: number; readonly were: number } | null;
}

/** One output of a model, as far as it tells something about how the model behaves. */
export interface Evidence {
  readonly query: string;
  readonly role: Role;
  readonly isValid: boolean;
  /** Whether it came right after the note that an output was invalid. */
  readonly afterNote: boolean;
  readonly reading: ReadingEvidence | null;
  readonly search: SearchEvidence | null;
}

/** What the prompt does not show, by site. */
export interface Background {
  /** In [0, 1]. */
  readonly popularity: ReadonlyMap<string, number>;
  readonly goldSites: ReadonlySet<string>;
}

/** What speaks for a site, in this order: the first three are what a profile knows. */
export const siteFeatures = ["match", "named", "broad", "position", "popularity", "relevance"] as const;
export const profileFeatures = 3;

/**
 * Reads an output together with the prompt that it answers.
 * @param profile how the surrogate infers from a history what is asked
 */
export function evidenceOf(
  query: string,
  parts: readonly PromptPart[],
  output: string,
  background: Background,
  profile: Profile,
): Evidence {
  const situation = readParts(parts, profile);
  const role = situation.assignment.answer === "findings" ? "content-agent" : "user-agent";
  const action = validAction(situation, output);
  const isFree = ![...situation.reminders].some((reminder) => reminder !== "invalid");
  return {
    query,
    role,
    isValid: action !== null,
    afterNote: situation.reminders.has("invalid"),
    reading: action === null || !isFree ? null : readingOf(situation, action),
    search: action?.kind === "search" ? searchOf(situation, action, background) : null,
  };
}

type Action =
  | { readonly kind: "search"; readonly text: string; readonly sites: readonly string[] }
  /** `pages` is null for an answer that names none. */
  | { readonly kind: "answer"; readonly pages: ReadonlySet<string> | null }
  | { readonly kind: "other" };

/** What the output does; null where it is no valid action. */
function validAction({ assignment, menu }: Situation, output: string): Action | null {
  const parsed = parseAction(output, actionKinds);
  if ("problem" in parsed) return null;
  const { kind, payload } = parsed.action;
  if (kind === "search") {
    if (assignment.search !== "websites") return payload === "" ? null : { kind, text: payload, sites: [] };
    const search = readSiteSearch(payload, (site) => menu?.position.has(site) === true, Number.MAX_SAFE_INTEGER);
    return search === null ? null : { kind, text: search.query, sites: search.sites };
  }
  if (kind !== "answer") return payload === "" ? null : { kind: "other" };
  if (assignment.answer !== "page ids" && assignment.answer !== "findings") {
    return payload === "" ? null : { kind, pages: null };
  }
  const value = jsonOf(payload) as { documents?: unknown } | null;
  const ids: unknown = assignment.answer === "findings" ? value?.documents : value;
  return Array.isArray(ids) ? { kind, pages: new Set(ids.filter((id) => typeof id === "string")) } : null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Nothing before the first search, which is always made, nor where there is nothing left to search for. */
function readingOf(situation: Situation, action: Action): ReadingEvidence | null {
  const { searches, pages, question, assignment, visitedPages } = situation;
  if (searches.length === 0 || action.kind === "other") return null;
  if (assignment.search === "pages" && nextText(situation, Number.MAX_SAFE_INTEGER) === null) return null;
  const handedOver = action.kind === "answer" ? action.pages : null;
  return {
    searches: searches.length,
    searchedOn: action.kind === "search",
    // A page that its person has been to is not handed over, whatever it is worth.
    namesPages: handedOver !== null && !pages.some(({ id }) => visitedPages.has(id)),
    pages: pages.map((page) => ({
      match: page.matchWith(question),
      order: 1 / (1 + page.rank),
      isHandedOver: handedOver?.has(page.id) === true,
    })),
  };
}

function searchOf(
  situation: Situation,
  { text, sites }: Extract<Action, { kind: "search" }>,
  background: Background,
): SearchEvidence | null {
  const { menu, question, searches, repliedSites, pages, assignment } = situation;
  if (menu === null || assignment.search !== "websites") return null;
  const last = searches.at(-1)?.text;
  const attractions = menu.attractions(question);
  const left = menu.sites
    .map(({ id }, index) => ({ id, row: rowOf(id, index) }))
    .filter(({ id }) => !repliedSites.has(id));
  function rowOf(id: string, index: number): number[] {
    const { match, isNamed, breadth } = attractions[index]!;
    const { popularity, goldSites } = background;
    const position = index / Math.max(1, attractions.length - 1);
    return [match, isNamed ? 1 : 0, breadth, position, popularity.get(id) ?? 0, goldSites.has(id) ? 1 : 0];
  }
  const choices: Choice[] = [];
  const chosenSites: string[] = [];
  const optionSites: string[][] = [];
  for (const site of sites) {
    const chosen = left.findIndex(({ id }) => id === site);
    if (chosen < 0) continue; // asked again: no choice among all
    choices.push({ options: left.map(({ row }) => row), chosen });
    chosenSites.push(site);
    optionSites.push(left.map(({ id }) => id));
    left.splice(chosen, 1);
  }
  const couldBeNew = last !== undefined && nextText(situation, Number.MAX_SAFE_INTEGER) !== null;
  const hasNewText = last === undefined ? null : text !== last;
  const reported = new Set(pages.map(({ site }) => site).filter((site) => menu.position.has(site)));
  // With fewer sites in the search than could be asked again, some may have had no room.
  const hadRoom = hasNewText === true && reported.size > 0 && reported.size <= sites.length;
  return {
    sites: sites.length,
    choices,
    chosenSites,
    optionSites,
    rewrote: last === undefined && question.searchTexts.length > 1 ? text !== question.text : null,
    hasNewText: couldBeNew ? hasNewText : null,
    again: hadRoom ? { could: reported.size, were: sites.filter((site) => reported.has(site)).length } : null,
  };
}
