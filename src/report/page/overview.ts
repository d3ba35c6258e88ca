import { lossStages } from "../charts/losses.ts";
import { meanText } from "../charts/intervals.ts";
import { assistantName } from "../record/names.ts";
import { thinWindow, totalOf } from "../record/traffic-history.ts";
import { clockText, countText, durationText, shareText } from "../units.ts";
import { type Html, html } from "./html.ts";
import type { RunPageInput } from "./run-page-input.ts";

/** The first screen: what ran, what came out, and what to be careful about. */
export function overview(input: RunPageInput): Html {
  const { description, status } = input;
  const { scenario, seed, replication } = description;
  const which = replication === 0 ? `seed ${seed}` : `seed ${seed}, replication ${replication}`;
  return html`<p class="kicker">awesim run, ${which}, ${status}</p>
<h1>${scenario}</h1>
<div class="first"><p class="lead">${whatRan(input)} ${whatCameOut(input)}</p>
<aside class="careful" aria-labelledby="careful-title"><h2 id="careful-title">Read with care</h2>
<ul>${cautions(input).map((caution) => html`<li>${caution}</li>`)}</ul></aside></div>
<dl class="tiles">${tiles(input).map(
    ({ name, value, of }) =>
      html`<div><dt>${name}</dt><dd><span class="value">${value}</span><span class="of">${of}</span></dd></div>`,
  )}</dl>`;
}

/** What ran, in a sentence. */
export function whatRan({ description, metrics }: RunPageInput): string {
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
export function whatCameOut(input: RunPageInput): string {
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
      `Most often a relevant page was lost because ${worst.meaning} (${shareText(worst.share)} of ${worst.who}).`,
    );
  }
  return parts.join(" ");
}

function worstLoss({ metrics }: RunPageInput) {
  const losses = metrics.groups.flatMap((group) =>
    lossStages.map(({ measure, meaning }) => ({
      meaning,
      share: group.measures[measure]?.mean ?? 0,
      who: `the ${group.task} queries of ${assistantName(group)}`,
    })),
  );
  const worst = losses.sort((a, b) => b.share - a.share)[0];
  return worst === undefined || worst.share === 0 ? null : worst;
}

interface Tile {
  readonly name: string;
  readonly value: string;
  readonly of: string;
}

const mostScores = 3;

function tiles({ description, metrics }: RunPageInput): Tile[] {
  const { arrived, answered, unanswered, failed, completed } = metrics.queries;
  const { citations, contacts } = metrics.concentration;
  const list: Tile[] = [
    {
      name: "Queries",
      value: countText(arrived),
      of: `${shareText(completed === 0 ? null : answered / completed)} answered, ${countText(unanswered)} unanswered, ${countText(failed)} unfinished at the end`,
    },
  ];
  for (const group of metrics.groups.slice(0, mostScores)) {
    const name = description.headline(group.task).find((each) => typeof group.measures[each]?.mean === "number");
    if (name === undefined) continue;
    const text = meanText(group.measures[name], name);
    const [value, interval] = text.split(" [");
    list.push({
      name: `${name}, ${group.task}`,
      value: value as string,
      of: `${interval === undefined ? "" : `[${interval} `}${assistantName(group)}`,
    });
  }
  list.push({
    name: "Effective number of sites",
    value: citations.effectiveSites?.toFixed(1) ?? "–",
    of: `by citations, of ${countText(citations.sites)} sites`,
  });
  if (contacts.n > 0) {
    list.push({
      name: "Requests to sites",
      value: countText(contacts.n),
      of: `in ${countText(metrics.run.messages)} messages`,
    });
  }
  return list;
}

/** What to be careful about, the gravest first. */
export function cautions({ description, metrics, record, status }: RunPageInput): string[] {
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
  const { windows } = record.history;
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
