import { type Action, blockJson } from "../../agents/grammar.ts";
import { hash32, hashUniform, mix32 } from "../../kernel/random.ts";
import { type Step, steps } from "./assignment.ts";
import { binomial, decisions, happens } from "./chance.ts";
import { nextText, summary, wantsMore, wantsSummary } from "./decisions.ts";
import { type JudgedPage, ranked } from "./judgement.ts";
import type { Menu } from "./menu.ts";
import type { Profile } from "./profile.ts";
import { report } from "./report.ts";
import { shortAnswer } from "./short-answer.ts";
import { chooseSites } from "./site-choice.ts";
import type { Situation } from "./situation.ts";

/** What a user agent does next: plan, search, summarise, or answer. */
export function userAgentAction(situation: Situation, profile: Profile, seed: number): Action {
  const how = profile["user-agent"];
  const step = nextStep(situation);
  if (step !== null) return { kind: step, payload: stepPayload(step, situation, how["search-texts"]) };
  if (wantsSummary(situation, profile, seed)) return summary(situation, how.judgement, seed);
  const payload = wantsMore(situation, how, profile, seed) ? nextSearch(situation, how, seed) : null;
  return payload === null ? answer(situation, how, seed) : { kind: "search", payload };
}

/** A step before the first search that the prompt offers and that was not taken yet. */
function nextStep({ assignment, stepsTaken, reminders }: Situation): Step | null {
  if (reminders.has("last-turn")) return null;
  return steps.find((step) => assignment.steps.has(step) && !stepsTaken.has(step)) ?? null;
}

/** A plan names the sides of the question; scripts are the searches for them. One line, which can be read again. */
function stepPayload(step: Step, { question }: Situation, knownTexts: number): string {
  const sides = question.words.map(({ text }) => text).join(", ");
  if (step === "plan") return `To find out: ${sides === "" ? "what the question means" : sides}.`;
  return question.searchTexts.slice(0, knownTexts).join("; ") || "None.";
}

function answer(situation: Situation, how: Profile["user-agent"], seed: number): Action {
  const pages = ranked(situation, how.judgement, seed);
  switch (situation.assignment.answer) {
    case "short answer":
      return { kind: "answer", payload: shortAnswer(pages, situation.question, how, seed) };
    case "report":
      return { kind: "answer", payload: report(pages, situation, how) };
    default:
      return ranking(
        pages.filter(({ seen }) => !situation.visitedPages.has(seen.id)),
        how.answer,
      );
  }
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
  const odds = menu.odds(question, how["choice-of-sites"], situation.visitedSites);
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
