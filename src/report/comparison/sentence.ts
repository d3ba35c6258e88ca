import type { Interval } from "../../metrics/intervals.ts";
import type { Comparison } from "./compare.ts";
import type { MeasureChange } from "./measure-changes.ts";
import type { SiteShare } from "./site-shares.ts";

/** The measure of each task that the answer is told by. */
const mainMeasures: Readonly<Record<string, string>> = {
  "web-search": "ndcg@3",
  "web-recommendation": "recall@5",
  "question-answering": "f1",
  "deep-research": "keyPointMatch",
};

/** The answer in one sentence, with an interval. */
export function answerSentence(comparison: Comparison): string {
  const { change, sites, queries } = comparison;
  const citations = sites.filter(({ measure }) => measure === "citations");
  const about = [...change.removed, ...change.added, ...change.sites];
  const ofSite = citations.find(({ site }) => site === about[0]);
  const main = ofSite ?? largest(citations);
  const to = destination(comparison);
  const where = to === "" ? "" : `; ${to}`;
  const share =
    main === undefined
      ? "nobody is cited in either run"
      : `${main.site} ${ofSite === undefined ? "changes most: it " : ""}goes from ${percent(main.baselineShare)} to ${percent(main.variantShare)} of all citations (${points(main.difference)})`;
  const changed = queries.paired === 0 ? "" : `; ${percent(queries.changed.length / queries.paired)} of answers change`;
  return `With ${change.text}, ${share}${where}${changed}${qualityText(comparison.measures)}.`;
}

function largest(rows: readonly SiteShare[]): SiteShare | undefined {
  return [...rows].sort(
    (a, b) => Math.abs(b.difference.mean ?? 0) - Math.abs(a.difference.mean ?? 0) || (a.site < b.site ? -1 : 1),
  )[0];
}

function destination({ diversion }: Comparison): string {
  if (diversion === null) return "";
  const first = [...diversion.to].sort((a, b) => b.observed - a.observed || (a.site < b.site ? -1 : 1))[0];
  const unserved = diversion.unserved > 0 ? `${percent(diversion.unserved)} of what it lost goes to nobody` : "";
  const most =
    first === undefined || first.observed <= 0
      ? ""
      : `${percent(first.observed)} ${unserved === "" ? "of what it lost " : ""}to ${first.site}, more than to any other`;
  return [unserved, most].filter((part) => part !== "").join(" and ");
}

function qualityText(measures: readonly MeasureChange[]): string {
  const size = ({ difference }: MeasureChange): number => Math.abs(difference.mean ?? 0);
  const main = [...mainChanges(measures)].sort((a, b) => size(b) - size(a))[0]; // stable: ties in their order
  if (main === undefined || main.difference.mean === null) return "";
  return `, and ${main.measure} of ${main.strategy}${main.model === null ? "" : ` (${main.model})`} by ${signed(main.difference)}`;
}

/** The main measure of each task, strategy and model. */
export function mainChanges(measures: readonly MeasureChange[]): MeasureChange[] {
  return measures.filter(({ task, measure }) => mainMeasures[task] === measure);
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** A difference of shares in percentage points. */
export function points({ mean, low, high }: Interval): string {
  if (mean === null) return "-";
  const ends = low === null || high === null ? "" : ` [${sign(100 * low, 2)}, ${sign(100 * high, 2)}]`;
  return `${sign(100 * mean, 2)} points${ends}`;
}

/** A difference of a measure. */
export function signed({ mean, low, high }: Interval): string {
  if (mean === null) return "-";
  const decimals = Math.abs(mean) < 1 ? 4 : Math.abs(mean) < 10 ? 3 : 1;
  const ends = low === null || high === null ? "" : ` [${sign(low, decimals)}, ${sign(high, decimals)}]`;
  return `${sign(mean, decimals)}${ends}`;
}

function sign(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return value > 0 && !/^0\.?0*$/.test(text) ? `+${text}` : text.replace(/^-(0\.?0*)$/, "$1");
}
