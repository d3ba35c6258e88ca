import { lossStages } from "./loss-stages.ts";
import type { RunMetrics } from "./metrics-json.ts";
import type { RunRecord } from "./record/run-record.ts";
import { thinWindow } from "../statistics/concentration-windows.ts";
import { totalOf } from "./record/traffic-history.ts";
import type { RunDescription } from "./run-description.ts";
import { clockText, countText, durationText, shareText } from "./units.ts";

/** A run that has ended, as far as words about it need it. */
export interface ToldRun {
  readonly description: RunDescription;
  readonly status: string;
  readonly metrics: RunMetrics;
  readonly record: RunRecord | null;
}

/** What ran, in a sentence. */
export function whatRan({ description, metrics }: ToldRun): string {
  const { users, corpus, assistants } = description.facts;
  const { arrived } = metrics.queries;
  const kinds = [...new Set(assistants.map(({ strategy }) => strategy))].join(", ");
  return (
    `In ${durationText(metrics.run.untilMs)} of virtual time, ${countText(users)} people put ${countText(arrived)} ` +
    `questions to ${plural(assistants.length, "kind")} of assistant (${kinds}), on a web of ` +
    `${countText(description.sites.length)} websites (corpus ${corpus.name}).`
  );
}

/** What came out, in two or three sentences. */
export function whatCameOut(input: ToldRun): string {
  const { metrics } = input;
  const { answered, completed } = metrics.queries;
  const { citations } = metrics.concentration;
  const parts = [`${shareText(completed === 0 ? null : answered / completed)} of them were answered.`];
  if (citations.top10 !== null && citations.effectiveSites !== null) {
    parts.push(
      `The ten most cited websites got ${shareText(citations.top10)} of ${countText(citations.n)} citations, ` +
        `as concentrated as if ${citations.effectiveSites.toFixed(1)} websites shared them equally.`,
    );
  }
  const worst = worstLoss(input);
  if (worst !== null) {
    parts.push(
      `When no relevant page reached the answer, it was most often because ${worst.meaning} (${shareText(worst.share)} of all queries).`,
    );
  }
  return parts.join(" ");
}

/** The stage that loses most over all tasks and assistants, each weighing as its queries. */
function worstLoss({ metrics }: ToldRun) {
  const losses = lossStages.map(({ measure, meaning }) => {
    const known = metrics.groups.flatMap(({ measures }) => measures[measure] ?? []);
    const queries = known.reduce((sum, { n }) => sum + n, 0);
    const lost = known.reduce((sum, { mean, n }) => sum + (mean ?? 0) * n, 0);
    return { meaning, share: queries === 0 ? 0 : lost / queries };
  });
  const worst = losses.sort((a, b) => b.share - a.share)[0];
  return worst === undefined || worst.share === 0 ? null : worst;
}

/** What to be careful about, the gravest first. */
export function cautions({ description, metrics, record, status }: ToldRun): string[] {
  const list = [...description.notices];
  if (status !== "completed") {
    list.unshift(
      `The run did not complete (${status}): figures are of what happened until ${clockText(metrics.run.untilMs)}.`,
    );
  }
  list.push(
    "One run of one world: intervals say how far figures would move with other topics, not in another world or with other draws.",
  );
  if (metrics.concentration.citations.n > 0 && metrics.concentration.citations.n < thinWindow) {
    list.push(`There are only ${metrics.concentration.citations.n} citations: shares and concentration are rough.`);
  }
  const windows = record?.history.windows ?? [];
  const thin = windows.filter((window) => totalOf(window, "citations") < thinWindow).length;
  if (thin > 0) {
    list.push(
      `${thin} of ${windows.length} windows have fewer than ${thinWindow} citations; they are greyed, and their concentration is left out.`,
    );
  }
  if (metrics.queries.inFlight > 0) {
    list.push(`${countText(metrics.queries.inFlight)} queries were in flight at the end and are not scored.`);
  }
  return list;
}

function plural(count: number, noun: string): string {
  return `${count === 1 ? "one" : countText(count)} ${noun}${count === 1 ? "" : "s"}`;
}
