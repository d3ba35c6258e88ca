import { splitOnSpace, WORD } from "./python-text.ts";

const PUNCTUATION = /[!-/:-@[-`{-~]/g;
const ARTICLES = new RegExp(`(?<![${WORD}])(?:a|an|the)(?![${WORD}])`, "gu");

/**
 * An answer as SQuAD compares it: lower case, without ASCII punctuation and English articles, words joined by one
 * space (`normalize_answer` of the official script).
 */
export function normalizeAnswer(text: string): string {
  return answerTokens(text).join(" ");
}

/** The words of a normalised answer. */
export function answerTokens(text: string): string[] {
  return splitOnSpace(text.toLowerCase().replace(PUNCTUATION, "").replace(ARTICLES, " "));
}

/**
 * Token F1 of a predicted answer against the best of its gold answers, in [0, 1] (SQuAD 2.0). Golds that normalise to
 * nothing are dropped; when none is left the right answer is the empty one.
 */
export function f1(prediction: string, golds: readonly string[]): number {
  return bestOver(golds, (gold) => f1OfPair(prediction, gold));
}

/** 1 when the prediction equals a gold answer after normalisation, else 0 (SQuAD 2.0). */
export function exactMatch(prediction: string, golds: readonly string[]): number {
  return bestOver(golds, (gold) => exactMatchOfPair(prediction, gold));
}

/**
 * 1 when the words of a gold answer stand in the prediction, in order and without a gap, both normalised; else 0. For
 * answers in sentences, where `exactMatch` is too strict. Golds that normalise to nothing match only an empty
 * prediction.
 */
export function answerContainment(prediction: string, golds: readonly string[]): number {
  const text = ` ${normalizeAnswer(prediction)} `;
  return bestOver(golds, (gold) => {
    const wanted = normalizeAnswer(gold);
    return wanted === "" ? exactMatchOfPair(prediction, gold) : text.includes(` ${wanted} `) ? 1 : 0;
  });
}

/** SQuAD 2.0's token F1 of one pair: where either side has no words, 1 if both have none, else 0. */
export function f1OfPair(prediction: string, gold: string): number {
  const [predicted, wanted] = [answerTokens(prediction), answerTokens(gold)];
  if (predicted.length === 0 || wanted.length === 0) return predicted.length === wanted.length ? 1 : 0;
  return overlapF1(predicted, wanted);
}

/** SQuAD 1.1's token F1 against the best gold: 0 whenever no word is shared, also for two empty answers. */
export function squad11F1(prediction: string, golds: readonly string[]): number {
  return maximum(golds.map((gold) => overlapF1(answerTokens(prediction), answerTokens(gold))));
}

/** SQuAD 1.1's exact match against the best gold: no gold is dropped. */
export function squad11ExactMatch(prediction: string, golds: readonly string[]): number {
  return maximum(golds.map((gold) => exactMatchOfPair(prediction, gold)));
}

/** HotpotQA's token F1 against the best gold: as SQuAD 1.1, but yes, no and noanswer must be met exactly. */
export function hotpotF1(prediction: string, golds: readonly string[]): number {
  const closed = new Set(["yes", "no", "noanswer"]);
  return maximum(
    golds.map((gold) => {
      const [predicted, wanted] = [normalizeAnswer(prediction), normalizeAnswer(gold)];
      if (predicted !== wanted && (closed.has(predicted) || closed.has(wanted))) return 0;
      return overlapF1(answerTokens(prediction), answerTokens(gold));
    }),
  );
}

function exactMatchOfPair(prediction: string, gold: string): number {
  return normalizeAnswer(prediction) === normalizeAnswer(gold) ? 1 : 0;
}

function bestOver(golds: readonly string[], score: (gold: string) => number): number {
  const meaningful = golds.filter((gold) => normalizeAnswer(gold) !== "");
  return maximum((meaningful.length === 0 ? [""] : meaningful).map(score));
}

function maximum(values: readonly number[]): number {
  return values.reduce((best, value) => Math.max(best, value), 0);
}

/** The harmonic mean of precision and recall over the words, each counted as often as it stands on both sides. */
function overlapF1(predicted: readonly string[], wanted: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of predicted) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared++;
  }
  return shared === 0 ? 0 : (2 * shared) / (predicted.length + wanted.length);
}
