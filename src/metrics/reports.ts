import { Moments } from "./moments.ts";

/** What a judge says of one key point of a question: is it supported, omitted or contradicted by the report? */
export interface KeyPointLabel {
  readonly point: number;
  readonly label: string;
}

/** The shares of a report's key points, in [0, 1]. Recall is KPR, contradiction KPC of DeepResearchGym. */
export interface KeyPointRates {
  readonly kpr: number;
  readonly omitted: number;
  readonly kpc: number;
  readonly points: number;
}

/**
 * The key point rates of one report; null when it has no key points. The last label of a point counts. Labels are
 * matched exactly ("Supported", "Omitted", "Contradicted"); another label only enlarges the divisor.
 */
export function keyPointRates(labels: Iterable<KeyPointLabel>): KeyPointRates | null {
  const byPoint = new Map<number, string>();
  for (const { point, label } of labels) byPoint.set(point, label);
  if (byPoint.size === 0) return null;
  const share = (wanted: string) => [...byPoint.values()].filter((label) => label === wanted).length / byPoint.size;
  return {
    kpr: share("Supported"),
    omitted: share("Omitted"),
    kpc: share("Contradicted"),
    points: byPoint.size,
  };
}

/**
 * The mean rates over reports, each report weighing the same; null without reports. Reports without key points count
 * as zeros (`"zero"`, as DeepResearchGym's code does) or are left out (`"skip"`).
 */
export function meanKeyPointRates(
  reports: readonly (KeyPointRates | null)[],
  withoutPoints: "zero" | "skip" = "zero",
): { kpr: number; omitted: number; kpc: number; n: number } | null {
  const counted = withoutPoints === "zero" ? reports : reports.filter((rates) => rates !== null);
  if (counted.length === 0) return null;
  const mean = (rate: "kpr" | "omitted" | "kpc") =>
    counted.reduce((sum, rates) => sum + (rates?.[rate] ?? 0), 0) / counted.length;
  return { kpr: mean("kpr"), omitted: mean("omitted"), kpc: mean("kpc"), n: counted.length };
}

/** The criteria that DeepResearchGym's judge rates from 0 to 10; the paper's insight is Insightfulness. */
export const QUALITY_CRITERIA = ["Clarity", "Depth", "Balance", "Breadth", "Support", "Insightfulness"] as const;

export type QualityCriterion = (typeof QUALITY_CRITERIA)[number];

/** The ratings of one report, each 0 to 10; a criterion that the judge did not rate is absent. */
export type QualityRatings = Readonly<Partial<Record<QualityCriterion, number>>>;

/** The quality of one report, in [0, 1]: the mean of its ratings over 10; null without ratings. */
export function reportQuality(ratings: QualityRatings): number | null {
  const mean = new Moments(Object.values(ratings)).mean;
  return mean === null ? null : mean / 10;
}

/** The mean of one criterion over the reports that have a rating of it, in [0, 1], and their number. */
export function criterionQuality(
  reports: Iterable<QualityRatings>,
  criterion: QualityCriterion,
): { mean: number | null; n: number } {
  const ratings = [...reports].flatMap((report) => report[criterion] ?? []);
  const { mean, n } = new Moments(ratings);
  return { mean: mean === null ? null : mean / 10, n };
}
