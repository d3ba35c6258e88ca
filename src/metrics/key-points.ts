import { answerTokens } from "./answers.ts";
import { splitSentences } from "./report-text.ts";

/** The share of a key point's telling words that two sentences must hold to make it. */
const ENOUGH = 0.7;

const FUNCTION_WORDS = new Set(
  (
    "about above after all also am and any are as at be because been before being below between both but by can could " +
    "did do does doing during each few for from had has have having he her here hers him his how i if in into is it " +
    "its itself may me might more most much must my no nor not of off on once only or other our ours out over own " +
    "same she should so some such than that their theirs them then there these they this those through to too under " +
    "until up upon us very was we were what when where which while who whom whose why will with would you your"
  ).split(" "),
);

/** The distinct words of a text that say something, compared as SQuAD compares answers. */
function tellingWords(text: string): Set<string> {
  const words = answerTokens(text);
  const telling = words.filter((word) => !FUNCTION_WORDS.has(word));
  return new Set(telling.length === 0 ? words : telling);
}

/**
 * The share of key points that a report makes, by words alone: a key point is made where one sentence of the report,
 * or two that follow each other, hold at least 70 % of its telling words. In [0, 1]; null without key points. A
 * stand-in of its own for key point recall: it knows no synonyms and does not notice a contradiction.
 */
export function keyPointMatch(report: string, keyPoints: readonly string[]): number | null {
  if (keyPoints.length === 0) return null;
  const sentences = splitSentences(report).map(tellingWords);
  const made = keyPoints.filter((point) => {
    const wanted = [...tellingWords(point)];
    if (wanted.length === 0) return false; // a point without words says nothing that could be made
    return sentences.some((words, i) => {
      const next = sentences[i + 1];
      const held = wanted.filter((word) => words.has(word) || next?.has(word) === true).length;
      return held >= ENOUGH * wanted.length;
    });
  });
  return made.length / keyPoints.length;
}
