import { type Action, blockJson, plainLine } from "../../agents/grammar.ts";
import { nextText, summary, wantsMore, wantsSummary } from "./decisions.ts";
import { bestWorth, type JudgedPage, judge, ranked } from "./judgement.ts";
import type { Profile } from "./profile.ts";
import type { Situation } from "./situation.ts";

/** What a content agent does next: search its site, summarise, or hand over what it found. */
export function contentAgentAction(situation: Situation, profile: Profile, seed: number): Action {
  const how = profile["content-agent"];
  const pages = judge(situation.pages, situation.question, how.judgement, seed);
  if (wantsSummary(situation, profile, seed)) return summary(situation, pages);
  const text = nextText(situation, how["search-texts"]);
  if (text !== null && wantsMore(situation, bestWorth(pages), how, profile, seed)) {
    return { kind: "search", payload: text };
  }
  const { most, "worth-at-least": least } = how.answer;
  return findings(ranked(pages.filter(({ worth }) => worth >= least)).slice(0, most));
}

/** The pages that help, best first, and a few sentences in their own words. */
function findings(pages: readonly JudgedPage[]): Action {
  const sentences = pages.slice(0, 2).map(({ seen }) => plainLine(seen.page?.firstSentence ?? ""));
  const words = pages.length === 0 ? "None of the pages found here helps with the query." : sentences.join(" ").trim();
  return { kind: "answer", payload: blockJson({ summary: words, documents: pages.map(({ seen }) => seen.id) }) };
}
