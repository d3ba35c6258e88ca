import { type Action, blockJson, plainLine } from "../../agents/grammar.ts";
import { hash32, mix32 } from "../../kernel/random.ts";
import { decisions, happens, weighted } from "./chance.ts";
import type { Malformed } from "./profile.ts";
import type { Situation } from "./situation.ts";

type Kind = keyof Malformed["kinds"];

/** Writes an action as the grammar wants it, or, at the profile's rate, in one of the ways in which models fail to. */
export function write(action: Action, situation: Situation, how: Malformed, seed: number): string {
  const rate = situation.reminders.has("invalid") ? how["rate-after-note"] : how.rate;
  if (!happens(seed, decisions.malformed, rate)) return tagged(action);
  const fitting = { ...how.kinds };
  const asksSites = action.kind === "search" && situation.assignment.search === "websites";
  if (!asksSites && !isJsonAnswer(action, situation)) fitting["broken-json"] = 0;
  if (!asksSites) fitting["sites-not-listed"] = 0;
  return malformed(weighted(mix32(seed, decisions.kindOfMalformed), fitting), action, situation);
}

function isJsonAnswer({ kind }: Action, { assignment }: Situation): boolean {
  return kind === "answer" && (assignment.answer === "page ids" || assignment.answer === "findings");
}

function tagged({ kind, payload }: Action): string {
  return `<${kind}>${payload}</${kind}>`;
}

function malformed(kind: Kind, action: Action, situation: Situation): string {
  switch (kind) {
    case "no-tags":
      return action.payload;
    case "unclosed-tag":
      return `<${action.kind}>${action.payload}`;
    case "two-actions":
      return `${tagged(action)}\n${tagged({ kind: "answer", payload: "[]" })}`;
    case "broken-json":
      return tagged({ kind: action.kind, payload: action.payload.slice(0, -1) });
    case "sites-not-listed":
      return tagged({
        kind: "search",
        payload: blockJson({ query: situation.question.text, websites: [unlistedSite(situation)] }),
      });
    case "prose-only":
      return `I have looked at what is there about ${plainLine(situation.question.text)} and would go on from here.`;
  }
}

/** A site that a model might remember from elsewhere: named after what is asked, and not on the list. */
function unlistedSite({ question, menu }: Situation): string {
  const word = question.words.find(({ text }) => /^[a-z]{4,}$/i.test(text))?.text.toLowerCase() ?? "search";
  const names = [`${word}.com`, `www.${word}.com`, `${word}-${hash32(word)}.com`];
  return names.find((name) => !menu?.position.has(name)) as string;
}
