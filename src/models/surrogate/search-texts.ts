import { plainLine } from "../../agents/grammar.ts";
import type { Word } from "./words.ts";

/** Everyday words and what one might write instead. */
const substitutes = new Map(
  Object.entries({
    best: "recommended",
    buy: "purchase",
    cause: "reason",
    causes: "reasons",
    cheap: "affordable",
    children: "kids",
    cost: "price",
    cure: "treatment",
    difference: "comparison",
    doctor: "physician",
    easy: "simple",
    fast: "quick",
    fix: "repair",
    food: "meal",
    guide: "introduction",
    help: "advice",
    history: "origin",
    house: "home",
    illness: "disease",
    job: "career",
    kids: "children",
    learn: "tutorial",
    medicine: "drug",
    movie: "film",
    price: "cost",
    problem: "issue",
    recipe: "how to cook",
    rules: "requirements",
    safe: "safety",
    sign: "symptom",
    signs: "symptoms",
    start: "begin",
    symptoms: "signs",
    trip: "travel",
    treatment: "therapy",
    way: "method",
    work: "employment",
  }),
);

/**
 * The ways to search for one thing. They depend on its words only, never on who searches where, and a shortened text
 * leads to the same further texts as the one it was made from: across all agents that work on one query few texts
 * occur, so that their vectors are shared.
 */
export function searchTexts(text: string, words: readonly Word[]): readonly string[] {
  const byWeight = words.toSorted((a, b) => b.weight - a.weight || (a.text < b.text ? -1 : 1));
  const heaviest = (count: number): Word[] => words.filter((word) => byWeight.indexOf(word) < count);
  const keywords = joined(words);
  const swapped = words.map((word) => substitutes.get(word.text.toLowerCase()) ?? word.text).join(" ");
  const candidates = [
    text,
    keywords,
    joined(heaviest(3)),
    swapped === keywords ? `${keywords} overview` : swapped,
    quotedName(words, byWeight[0]),
    joined(heaviest(2)),
    joined(words.slice(-3)),
    joined(words.slice(0, 3)),
    joined(words.filter((word) => word !== byWeight[0])),
    joined(heaviest(1)),
  ];
  return [...new Set(candidates.map(plainLine).filter((each) => each !== ""))];
}

function joined(words: readonly Word[]): string {
  return words.map((word) => word.text).join(" ");
}

/** The name that a query is about, in quotes: the longest run of capitalised words, else the word that weighs most. */
function quotedName(words: readonly Word[], heaviest: Word | undefined): string {
  if (heaviest === undefined) return "";
  let best: readonly Word[] = [];
  let run: Word[] = [];
  for (const word of words) {
    run = /^\p{Lu}/u.test(word.text) ? [...run, word] : [];
    if (run.length > best.length) best = run;
  }
  const name = best.length === 0 ? [heaviest] : best;
  const rest = words.filter((word) => !name.includes(word));
  return `"${joined(name)}" ${joined(rest.slice(0, 2))}`;
}
