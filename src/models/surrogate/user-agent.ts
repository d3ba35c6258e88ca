import { type Action, blockJson } from "../../agents/grammar.ts";
import { hash32, hashUniform, mix32 } from "../../kernel/random.ts";
import { binomial, decisions, happens } from "./chance.ts";
import { nextText, summary, wantsMore, wantsSummary } from "./decisions.ts";
import { type JudgedPage, ranked } from "./judgement.ts";
import type { Menu } from "./menu.ts";
import type { Profile } from "./profile.ts";
import { chooseSites } from "./site-choice.ts";
import type { Situation } from "./situation.ts";

/** What a user agent does next: search, summarise, or answer. */
export function userAgentAction(situation: Situation, profile: Profile, seed: number): Action {
  const how = profile["user-agent"];
  if (wantsSummary(situation, profile, seed)) return summary(situation, how.judgement, seed);
  const payload = wantsMore(situation, how, profile, seed) ? nextSearch(situation, how, seed) : null;
  if (payload !== null) return { kind: "search", payload };
  return ranking(ranked(situation, how.judgement, seed), how.answer);
}

/** The payload of the next search; null when there is nothing left to search for, or nowhere to. */
function nextSearch(situation: Situation, how: Profile["user-agent"], seed: number): string | null {
  const { assignment, menu } = situation;
  if (assignment.search === "none") return null;
  if (assignment.search === "pages") return freshText(situation, how, seed);
  if (menu === null) return null;
  const request = nextRequest(situation, menu, how, seed);
  return request.websites.length > 0 ? blockJson(request) : null;
}

/** A text that was not searched for yet; null when there is none. */
function freshText(situation: Situation, how: Profile["user-agent"], seed: number): string | null {
  return situation.searches.length === 0 ? firstText(situation, how, seed) : nextText(situation, how["search-texts"]);
}

/** The next request: no text goes to one site twice. */
function nextRequest(situation: Situation, menu: Menu, how: Profile["user-agent"], seed: number) {
  const { question, searches, repliedSites } = situation;
  const last = searches.at(-1)?.text;
  const fresh = freshText(situation, how, seed);
  const isNew = fresh !== null && (last === undefined || happens(seed, decisions.newText, how["new-text"]));
  const count = numberOfSites(how["sites-per-search"], seed);
  const again = isNew ? sitesAgain(situation, menu, how["asks-again"], seed).slice(0, count) : [];
  const odds = menu.odds(question, how["choice-of-sites"]);
  const others = chooseSites(menu, odds, seed, count - again.length, (site) => repliedSites.has(site));
  return { query: isNew ? fresh : (last ?? question.text), websites: [...others, ...again] };
}

function firstText({ question: { searchTexts } }: Situation, how: Profile["user-agent"], seed: number): string | null {
  const rewrites = happens(seed, decisions.firstText, how["rewrites-query"]);
  return (rewrites ? searchTexts[1] : undefined) ?? searchTexts[0] ?? null;
}

function numberOfSites({ least, most, mean }: Profile["user-agent"]["sites-per-search"], seed: number): number {
  return most === least
    ? least
    : least + binomial(seed, decisions.numberOfSites, most - least, (mean - least) / (most - least));
}

/** The sites that reported pages and are to be asked for more. */
function sitesAgain({ pages }: Situation, menu: Menu, chance: number, seed: number): string[] {
  const key = mix32(seed, decisions.askAgain);
  const sites = [...new Set(pages.map(({ site }) => site))];
  return sites.filter((site) => menu.position.has(site) && hashUniform(key, hash32(site)) < chance);
}

/** The ids of the pages worth handing over, best first. */
function ranking(
  pages: readonly JudgedPage[],
  { most, "worth-at-least": least }: Profile["user-agent"]["answer"],
): Action {
  const kept = pages.slice(0, most).filter(({ worth }, index) => index === 0 || worth >= least);
  return { kind: "answer", payload: blockJson(kept.map(({ seen }) => seen.id)) };
}
