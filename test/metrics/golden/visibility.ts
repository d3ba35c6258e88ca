import {
  agentShares,
  citationNumbers,
  citationNumbersWithGroups,
  citedSentences,
  type CitedSentence,
  geoWords,
  Moments,
  plainWords,
  reportBody,
  type SourceScores,
  splitSentences,
  type Visibility,
  visibility,
} from "../../../src/metrics/index.ts";
import { expect } from "vitest";
import { type Check, expectClose, type Json, sameForAll } from "./comparison.ts";

const sds = (values: Iterable<number>) => {
  const moments = new Moments(values);
  return { population: moments.populationSd, sample: moments.sd };
};

const citedShares = ({ share }: SourceScores, cited: readonly number[]) =>
  cited.map((source) => share[source - 1] as number);

const scoresOf = (seen: Visibility) => ({ word: seen.word, pos: seen.position, overall: seen.overall });

const checkScores: Check = ({ n, sentences, agent_of }, expected) => {
  const seen = visibility(sentences, n);
  const got: Json = { cited: seen.cited, num_cited: seen.cited.length, no_ref: seen.cited.length === 0 };
  const agents: Json = {};
  for (const [name, scores] of Object.entries(scoresOf(seen))) {
    got[name] = {
      raw: scores.raw,
      normalized: scores.share,
      std_cited: sds(citedShares(scores, seen.cited)),
      std_all_n: sds(scores.share),
    };
    if (agent_of === undefined) continue;
    const shares = agentShares(scores, seen.cited, (source) => agent_of[source]);
    agents[name] = { share: Object.fromEntries(shares), std_cited: sds(shares.values()) };
    agents.num_cited_agents = shares.size;
  }
  expectClose({ ...got, agents }, expected);
};

const checkTable: Check = ({ responses }, expected) => {
  const seen: Visibility[] = responses.map(({ n, sentences }: Json) => visibility(sentences, n));
  const cited = seen.filter((response) => response.cited.length > 0);
  const mean = (values: (number | null)[]) => new Moments(values.filter((value) => value !== null)).mean;
  const noReference = mean(seen.map((response) => (response.cited.length === 0 ? 100 : 0)));
  const got: Json = {
    num_responses: seen.length,
    no_ref_pct: noReference,
    avg_cited_over_all: mean(seen.map((response) => response.cited.length)),
    avg_cited_over_cited: mean(cited.map((response) => response.cited.length)),
  };
  for (const name of ["word", "pos", "overall"] as const) {
    const spread = cited.map((response) => sds(citedShares(scoresOf(response)[name], response.cited)));
    got[`${name}_std_population`] = mean(spread.map(({ population }) => population));
    got[`${name}_std_sample_2plus`] = mean(spread.map(({ sample }) => sample));
  }
  expectClose(got, expected);
};

const checkCitations: Check = ({ text }, expected) => {
  expect({
    reference: citationNumbers(text),
    reference_after_sentence_split: splitSentences(text).flatMap(citationNumbers),
    extended: citationNumbersWithGroups(text),
  }).toEqual(expected);
};

/**
 * The golden sentences are Punkt's. Words, citations and scores are checked on them in every case, and our own plain
 * splitting on the cases where the plain rule gives the same sentences; elsewhere it must give its own.
 */
const checkText: Check = ({ text, n }, expected) => {
  const { as_is, body_only, body, simple_split_agrees, simple_split } = expected;
  for (const part of [as_is, body_only]) {
    if (part === undefined) continue;
    const sentences: CitedSentence[] = part.sentences.map((sentence: Json) => {
      const { words, words_ws, citations } = sentence;
      const got = { words: geoWords(sentence.text), citations: citationNumbers(sentence.text) };
      expect({ ...got, words_ws: plainWords(sentence.text) }, sentence.text).toEqual({ words, words_ws, citations });
      return got;
    });
    expectTextScores(sentences, n, part.scores);
  }
  if (body !== undefined) expect(reportBody(text)).toBe(body);
  const own = citedSentences(reportBody(text));
  const wanted = simple_split_agrees
    ? (body_only ?? as_is).sentences.map((sentence: Json) => sentence.text)
    : simple_split;
  expect(own.map((sentence) => sentence.text)).toEqual(wanted);
  if (simple_split_agrees) expectTextScores(own, n, (body_only ?? as_is).scores);
};

function expectTextScores(sentences: readonly CitedSentence[], n: number, expected: Json): void {
  const seen = visibility(sentences, n);
  const got: Json = { cited: seen.cited, no_ref: seen.cited.length === 0 };
  for (const [name, scores] of Object.entries(scoresOf(seen))) {
    const { population, sample } = sds(citedShares(scores, seen.cited));
    got[name] = { normalized: scores.share, std_cited_population: population, std_cited_sample: sample };
  }
  expectClose(got, expected);
}

export const geoScores = sameForAll(
  ["simple", "uncited", "none", "repeat", "hallucinated", "zero-words", "agents", "random"],
  checkScores,
);

export const geoTable = sameForAll(["random", "edge"], checkTable);

export const geoCitations = sameForAll(["plain", "group", "odd"], checkCitations);

export const geoText = sameForAll(
  [
    "plain",
    "cite-after-stop",
    "groups",
    "none",
    "references",
    "markdown",
    "abbrev",
    "quotes",
    "words",
    "unicode",
    "hallucinated",
    "report",
  ],
  checkText,
);
