import type { Action } from "../../agents/grammar.ts";
import { decisions, happens } from "./chance.ts";
import { bestWorth, ranked } from "./judgement.ts";
import { keptLine } from "./kept.ts";
import type { SeenPage } from "./page.ts";
import type { Judgement, Profile } from "./profile.ts";
import type { Question } from "./question.ts";
import type { Situation } from "./situation.ts";

/** Pages that a summary keeps. */
const keptPages = 20;

/** What both kinds of agent have of the parameters that say how long they search. */
interface Stopping {
  readonly judgement: Judgement;
  readonly "satisfied-at": number;
  readonly persistence: { readonly satisfied: number; readonly unsatisfied: number };
}

/** Whether an agent wants to search on, given what its best page is worth to it. */
export function wantsMore(situation: Situation, how: Stopping, profile: Profile, seed: number): boolean {
  const { reminders, searches } = situation;
  if (reminders.has("last-turn")) return false;
  if (searches.length === 0) return true;
  if (reminders.has("come-to-an-end") && happens(seed, decisions.endWhenReminded, profile["ends-when-reminded"])) {
    return false;
  }
  const { satisfied, unsatisfied } = how.persistence;
  const isSatisfied = bestWorth(situation, how.judgement, seed) >= how["satisfied-at"];
  return happens(seed, decisions.searchOn, isSatisfied ? satisfied : unsatisfied);
}

/** Whether an agent follows the note to summarise a history that has become long. */
export function wantsSummary({ reminders }: Situation, profile: Profile, seed: number): boolean {
  if (!reminders.has("long-history") || reminders.has("last-turn")) return false;
  return happens(seed, decisions.summarise, profile["summarises-when-reminded"]);
}

/** The searches and the best pages, as one line that can be read again. */
export function summary(situation: Situation, how: Judgement, seed: number): Action {
  const { assignment, question, searches } = situation;
  const best = ranked(situation, how, seed).slice(0, keptPages);
  const keepsWords = assignment.answer === "short answer" || assignment.answer === "report";
  const pages = best.map(({ seen }) => ({
    id: seen.id,
    site: seen.site,
    match: seen.matchWith(question),
    ...(keepsWords ? { quote: bestSentence(seen, question) } : {}),
  }));
  return { kind: "summary", payload: keptLine({ searches, pages }) };
}

function bestSentence({ sentences }: SeenPage, question: Question): string {
  const best = sentences.toSorted((a, b) => b.relevanceTo(question) - a.relevanceTo(question))[0];
  return best?.text ?? "";
}

/** The first of the known search texts that was not searched for yet; null when there is none. */
export function nextText({ question, searches }: Situation, known: number): string | null {
  const texts = question.searchTexts;
  for (let index = 0; index < texts.length && index < known; index++) {
    const text = texts[index] as string;
    if (!searches.some((search) => search.text === text)) return text;
  }
  return null;
}
