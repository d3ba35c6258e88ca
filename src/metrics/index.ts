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
export {
  type Concentration,
  concentration,
  correctedGini,
  evenness,
  gini,
  herfindahl,
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
  tInterval,
  wilsonInterval,
} from "./intervals.ts";
export { Moments, median } from "./moments.ts";
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
export { tQuantile, twoSidedP } from "./t-distribution.ts";
