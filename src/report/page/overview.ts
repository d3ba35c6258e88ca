import { assistantName } from "../record/names.ts";
import { countText, meanText, shareText } from "../units.ts";
import { cautions, whatCameOut, whatRan } from "../words.ts";
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
  for (const group of [...metrics.groups].sort((a, b) => b.n - a.n).slice(0, mostScores)) {
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
