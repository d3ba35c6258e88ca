import type { Outcome, Scores } from "../agents/task.ts";
import { Moments } from "../metrics/moments.ts";
import { citationNumbersWithGroups, geoWords, reportBody, splitSentences } from "../metrics/report-text.ts";
import {
  agentShares,
  type CitedSentence,
  citationSpread,
  type SourceScores,
  visibility,
} from "../metrics/visibility.ts";
import { sourcesOf } from "./report.ts";

/** How visible a report makes the sites that it cites, in the order of reports. */
export const visibilityMeasures = [
  "geoWordSd",
  "geoPositionSd",
  "geoOverallSd",
  "citationEntropy",
  "largestCitationShare",
  "citedAgents",
  "noReference",
] as const;

/**
 * GEO's visibility of the cited sites (population SD of their shares) and the spread of citations over them. Null
 * without a report, and where nothing is cited but for `citedAgents` and `noReference`. Numbers that refer to no
 * source take their part of a sentence, as in GEO's code, and are credited to nobody.
 */
export function visibilityScores({ answer, seen }: Outcome): Scores {
  if (answer?.text === undefined) return Object.fromEntries(visibilityMeasures.map((name) => [name, null]));
  const sources = sourcesOf(answer.text, seen);
  const places = new Map([...sources.keys()].map((number, index) => [number, index + 1]));
  const agents = [...sources.values()].map(({ site }) => site);
  const sentences = splitSentences(reportBody(answer.text)).map((text): CitedSentence => {
    const numbers = citationNumbersWithGroups(text);
    return { words: geoWords(text), citations: numbers.map((number) => places.get(number) ?? agents.length + 1) };
  });
  const { word, position, overall, cited } = visibility(sentences, agents.length);
  const agentOf = (place: number): string => agents[place - 1] as string;
  const sdOf = (scores: SourceScores): number | null =>
    cited.length === 0 ? null : new Moments(agentShares(scores, cited, agentOf).values()).populationSd;
  const citedPlaces = sentences.flatMap(({ citations }) => citations).filter((place) => place <= agents.length);
  return {
    geoWordSd: sdOf(word),
    geoPositionSd: sdOf(position),
    geoOverallSd: sdOf(overall),
    ...citationSpread(citedPlaces.map(agentOf)),
  };
}
