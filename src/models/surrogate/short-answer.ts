import { type AnswerKind, answerKindOf, spanOf } from "./answer-kind.ts";
import { decisions, happens, logistic } from "./chance.ts";
import { focusOf, tells } from "./focus.ts";
import { recall, somethingKnown } from "./general-knowledge.ts";
import type { JudgedPage } from "./judgement.ts";
import type { Profile } from "./profile.ts";
import type { Question } from "./question.ts";

/** What is answered where nothing is known; prompts say so. */
const cannotTell = "unknown";

/** Pages whose sentences are read for a short answer. */
const pagesRead = 5;

/** How much a sentence counts, of itself and its page together: its page says what it is about. */
const sentenceShare = 0.6;

/**
 * A short answer: what is known without the web; else the words of the right kind in the best sentence of the best
 * pages, if it is worth enough; else, by chance, a guess; else that it cannot tell.
 */
export function shortAnswer(
  pages: readonly JudgedPage[],
  question: Question,
  how: Profile["user-agent"],
  seed: number,
): string {
  const kind = answerKindOf(question.text, focusOf(question)?.property.text ?? "");
  const known = recall(question, kind, how["parametric-knowledge"]);
  if (known !== null) return known;
  const read = bestSpan(pages, question, kind, how, seed);
  if (read !== null && read.worth >= how["short-answer"]["worth-at-least"]) return named(read);
  if (!happens(seed, decisions.guess, how["short-answer"].guesses)) return cannotTell;
  return read === null ? (somethingKnown(question, kind, seed) ?? cannotTell) : named(read);
}

interface Span {
  readonly text: string;
  readonly page: string;
  readonly worth: number;
}

function bestSpan(
  pages: readonly JudgedPage[],
  question: Question,
  kind: AnswerKind,
  how: Profile["user-agent"],
  seed: number,
): Span | null {
  let best: Span | null = null;
  for (const { seen } of pages.slice(0, pagesRead)) {
    for (const sentence of seen.sentences) {
      const match = sentenceShare * tells(sentence, question) + (1 - sentenceShare) * seen.matchWith(question);
      const worth = match + how.judgement.noise * logistic(seed, sentence.key);
      if (best !== null && worth <= best.worth) continue;
      const text = spanOf(sentence, question, kind);
      if (text !== null) best = { text, page: seen.id, worth };
    }
  }
  return best;
}

/** The words without brackets of their own, and the page they come from. */
function named({ text, page }: Span): string {
  return `${text.replace(/[[\]]/g, " ").trim()} [${page.replace(/[\r\n\u2028\u2029<>]/g, " ")}]`;
}
