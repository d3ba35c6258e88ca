export { parseAnswerIds } from "./answer-ids.ts";
export {
  answerContainment,
  answerTokens,
  exactMatch,
  f1,
  f1OfPair,
  hotpotF1,
  normalizeAnswer,
  squad11ExactMatch,
  squad11F1,
} from "./answers.ts";
export {
  type Cell,
  type Cluster,
  type Draw,
  basicEnds,
  bcaInterval,
  clusteredMean,
  crossedMean,
  percentileEnds,
  resampleMeans,
} from "./bootstrap.ts";
export { holm, randomizationTest } from "./comparisons.ts";
export {
  type Concentration,
  concentration,
  correctedGini,
  evenness,
  gini,
  herfindahl,
  herfindahlBand,
  lorenzCurve,
  millerMadowEntropy,
  normalizedHerfindahl,
  shannonEntropy,
  theilL,
  theilT,
  topShare,
  unbiasedHerfindahl,
} from "./concentration.ts";
export { normalizedPrecision, sitePrecision, siteRecall } from "./federated-search.ts";
export {
  type Bounds,
  FRACTION,
  type Interval,
  type MeanAtLevel,
  type PairedDifference,
  clusteredWilsonInterval,
  meanAtLevel,
  noInterval,
  pairedDifference,
  pairedShareDifference,
  tInterval,
  wilsonInterval,
} from "./intervals.ts";
export { keyPointMatch } from "./key-points.ts";
export { Moments, median } from "./moments.ts";
export { type TestPlan, detectableDifference, powerOfPairedTest, topicsNeeded, usualPlan } from "./power.ts";
export { type PowerLawFit, type ZipfFit, fitPowerLaw, fitZipf, fitZipfToCounts } from "./power-law.ts";
export { type Kendall, type RankBiasedOverlap, cohenKappa, kendall, rankBiasedOverlap } from "./rank-correlation.ts";
export {
  type Gain,
  type Grades,
  type ScoredId,
  binaryGrades,
  compareUtf8,
  distinctIds,
  exponentialGain,
  judged,
  linearGain,
  meanOverTopics,
  ndcg,
  rankByScore,
  rankStrictly,
  recall,
} from "./ranking.ts";
export { releasedNdcg, releasedRecall } from "./released-scores.ts";
export {
  citationNumbers,
  citationNumbersWithGroups,
  citedSentences,
  geoWords,
  plainWords,
  referenceList,
  reportBody,
  splitSentences,
} from "./report-text.ts";
export {
  type KeyPointLabel,
  type KeyPointRates,
  QUALITY_CRITERIA,
  type QualityCriterion,
  type QualityRatings,
  criterionQuality,
  keyPointRates,
  meanKeyPointRates,
  reportQuality,
} from "./reports.ts";
export { tQuantile, twoSidedP } from "./t-distribution.ts";
export {
  type CitationSpread,
  type CitedSentence,
  type SourceScores,
  type Visibility,
  agentShares,
  citationSpread,
  visibility,
} from "./visibility.ts";
