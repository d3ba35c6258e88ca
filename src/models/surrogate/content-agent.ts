import { type Action, blockJson } from "../../agents/grammar.ts";
import { nextText, summary, wantsMore, wantsSummary } from "./decisions.ts";
import { type JudgedPage, ranked } from "./judgement.ts";
import type { Profile } from "./profile.ts";
import type { Situation } from "./situation.ts";

/** What a content agent does next: search its site, summarise, or hand over what it found. */
export function contentAgentAction(situation: Situation, profile: Profile, seed: number): Action {
  const how = profile["content-agent"];
  if (wantsSummary(situation, profile, seed)) return summary(situation, how.judgement, seed);
  const text = nextText(situation, how["search-texts"]);
  if (text !== null && wantsMore(situation, how, profile, seed)) {
    return { kind: "search", payload: text };
  }
  const { most, "worth-at-least": least } = how.answer;
  const best = ranked(situation, how.judgement, seed).slice(0, most);
  return findings(best.filter(({ worth }) => worth >= least));
}

/** The pages that help, best first, and a few sentences in their own words. */
function findings(pages: readonly JudgedPage[]): Action {
  const sentences = pages.slice(0, 2).map(({ seen }) => seen.page?.quote ?? "");
  const words = pages.length === 0 ? "None of the pages found here helps with the query." : sentences.join(" ").trim();
  return { kind: "answer", payload: blockJson({ summary: words, documents: pages.map(({ seen }) => seen.id) }) };
}
