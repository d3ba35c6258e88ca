import { InputError } from "../errors.ts";

/**
 * The judgements of one topic: document id to grade. A grade above 0 is relevant, 0 is judged not relevant, and a
 * negative grade counts as unjudged, as trec_eval has it.
 */
export type Grades = ReadonlyMap<string, number>;

/** The gain of a relevant grade. */
export type Gain = (grade: number) => number;

/** trec_eval's gain: the grade itself. */
export const linearGain: Gain = (grade) => grade;

/** Burges' gain 2^grade - 1 (2005), the same as linear for grades 0 and 1. */
export const exponentialGain: Gain = (grade) => Math.expm1(grade * Math.LN2);

/** Binary grades: every id of the list is relevant with grade 1. */
export function binaryGrades(relevant: Iterable<string>): Grades {
  return new Map(Array.from(relevant, (id) => [id, 1]));
}

/** The ids in their order, each one once: the first occurrence stays and the gap closes. */
export function distinctIds(ids: Iterable<string>): string[] {
  return [...new Set(ids)];
}

/**
 * Normalised discounted cumulative gain of the first `k` distinct ids, in [0, 1]; 0 for a topic without a relevant
 * document. DCG is the sum of gain / log2(rank + 1), and the ideal list is made of all judged grades (Järvelin and
 * Kekäläinen 2002; trec_eval's `ndcg_cut`). Repeated ids score once.
 */
export function ndcg(ranking: Iterable<string>, grades: Grades, k: number, gain: Gain = linearGain): number {
  const ideal = [...grades.values()].sort((a, b) => b - a);
  const best = discountedGain(ideal, k, gain);
  if (best === 0) return 0;
  const found = distinctIds(ranking).map((id) => grades.get(id) ?? 0);
  return Math.min(1, discountedGain(found, k, gain) / best);
}

/**
 * The share of the topic's relevant documents among the first `k` distinct ids, in [0, 1]; 0 for a topic without a
 * relevant document (trec_eval's `recall`).
 */
export function recall(ranking: Iterable<string>, grades: Grades, k: number): number {
  const isRelevant = (id: string) => (grades.get(id) ?? 0) > 0;
  const relevant = [...grades.keys()].filter(isRelevant).length;
  if (relevant === 0) return 0;
  return distinctIds(ranking).slice(0, k).filter(isRelevant).length / relevant;
}

/**
 * judged@k: the share of the first `k` distinct ids that have a judgement, in [0, 1]; null for an empty list. Low
 * values say that a score rests on few judgements.
 */
export function judged(ranking: Iterable<string>, grades: Grades, k: number): number | null {
  const top = distinctIds(ranking).slice(0, k);
  if (top.length === 0) return null;
  return top.filter((id) => (grades.get(id) ?? -1) >= 0).length / top.length;
}

function discountedGain(grades: readonly number[], k: number, gain: Gain): number {
  let sum = 0;
  for (let i = 0; i < grades.length && i < k; i++) {
    const grade = grades[i] as number;
    if (grade > 0) sum += gain(grade) / Math.log2(i + 2);
  }
  return sum;
}

/** One line of a run: a document and its retrieval score. */
export interface ScoredId {
  readonly id: string;
  readonly score: number;
}

/**
 * The ids of a scored run in trec_eval's order: score descending, ties by id descending in UTF-8 bytes. Any rank that
 * the run carries is ignored, as trec_eval does. Repeated ids stay; the measures count the first of each.
 */
export function rankByScore(run: Iterable<ScoredId>): string[] {
  return [...run].sort((a, b) => b.score - a.score || compareUtf8(b.id, a.id)).map((line) => line.id);
}

/** As `rankByScore`, but refuses a repeated id with an `InputError`, as trec_eval does. */
export function rankStrictly(run: Iterable<ScoredId>): string[] {
  const ids = rankByScore(run);
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw new InputError(`the run lists document ${id} twice; every document may appear once`);
    seen.add(id);
  }
  return ids;
}

/**
 * Compares two strings as their UTF-8 bytes would compare. JavaScript compares UTF-16 units, which puts the
 * surrogates of characters beyond U+FFFF before U+E000..U+FFFF; in UTF-8 they come after.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return utf8Weight(x) - utf8Weight(y);
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;
const utf8Weight = (unit: number) => (isSurrogate(unit) ? unit + 0x10000 : unit);

/**
 * The mean of one value per topic, over the topics of a collection. A topic without a value counts 0 (`"zero"`:
 * trec_eval -c, and the rule here that an unanswered request is a failure) or is left out (`"skip"`: trec_eval
 * without -c, and AgentWebBench's missing result files). Values of other topics are ignored.
 */
export function meanOverTopics(
  values: ReadonlyMap<string, number>,
  topics: Iterable<string>,
  missing: "zero" | "skip" = "zero",
): { mean: number | null; n: number } {
  let sum = 0;
  let n = 0;
  for (const topic of new Set(topics)) {
    const value = values.get(topic);
    if (value === undefined && missing === "skip") continue;
    sum += value ?? 0;
    n++;
  }
  return { mean: n === 0 ? null : sum / n, n };
}
