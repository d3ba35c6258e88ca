import { assistantColours } from "../charts/assistant-colours.ts";
import { assistantShares } from "../charts/assistant-shares.ts";
import { assistantName } from "../record/names.ts";
import { concentrationOverTime, lorenz } from "../charts/concentration.ts";
import type { Chart } from "../charts/draw.ts";
import { seriesColour, seriesColours } from "../charts/palette.ts";
import { trafficOverTime } from "../charts/traffic-over-time.ts";
import type { Concentration } from "../../metrics/concentration.ts";
import type { Traffic, TrafficMeasure } from "../../statistics/traffic.ts";
import { clockText, countText, shareText } from "../units.ts";
import { figure, table } from "./figure.ts";
import { type Html, html } from "./html.ts";
import type { RunPageInput } from "./run-page-input.ts";

const measures = ["citations", "contacts", "visits"] as const;
const what: Readonly<Record<string, string>> = {
  citations: "Who is cited: each band is a site, its height the share of the window's citations.",
  visits:
    "Who is visited by people who follow a citation: each band is a site, its height the share of the window's visits.",
  contacts: "Who is asked: each band is a site, its height the share of the window's requests.",
};

/** The charts of traffic and its concentration, for the page and for files. */
export function trafficCharts(input: RunPageInput, sites: readonly string[]) {
  const { record, description } = input;
  const { windows } = record.history;
  return {
    overTime: measures.flatMap((measure) => trafficOverTime(measure, windows, sites, record.marks) ?? []),
    concentration: concentrationOverTime(windows, description.sites, record.marks),
    lorenz: lorenz(trafficOf(input), description.sites),
    byAssistant: assistantShares([...record.ledger.assistants.values()], sites),
  };
}

type TrafficCharts = ReturnType<typeof trafficCharts>;

export function trafficSection(input: RunPageInput, sites: readonly string[], charts: TrafficCharts): Html {
  if (charts.overTime.length === 0) return html`<p>No site was asked or cited.</p>`;
  return html`${charts.overTime.map((chart, index) => {
    const measure = measures.find((each) => chart.id.endsWith(each)) as TrafficMeasure;
    return figure(chart, {
      note: html`<p>${what[measure]}${index === 0 ? " In colour: the most cited of the run." : ""}${
        input.record.history.merged > 1 ? ` ${input.record.history.merged} windows are put together in each.` : ""
      }</p>`,
      controls: legend(input, sites, measure, chart),
      after: marksList(input),
    });
  })}`;
}

export function concentrationSection(input: RunPageInput, charts: TrafficCharts): Html {
  const { concentration } = input.metrics;
  return html`<p>The effective number of sites is how many equally busy sites would be as concentrated: 1 over the
unbiased Herfindahl index. Unlike the Gini coefficient it does not move with the volume of a window.</p>
<div class="pair">
${charts.concentration === null ? null : figure(charts.concentration, { after: marksList(input) })}
${charts.lorenz === null ? null : figure(charts.lorenz, { note: html`<p>Over all ${countText(input.description.sites.length)} declared sites; the dashes are equal shares.</p>` })}
</div>
${table(
  "Concentration of the whole run",
  [
    "measure",
    "events",
    "effective sites",
    "unbiased HHI",
    "Gini, all sites",
    "Gini, sites with any",
    "top 1",
    "top 5",
    "top 10",
    "sites with any",
  ],
  (["citations", "contacts", "documents"] as const)
    .filter((measure) => concentration[measure].n > 0)
    .map((measure) => concentrationRow(measure, concentration[measure])),
)}`;
}

function concentrationRow(name: string, values: Concentration) {
  const number = (value: number | null, decimals: number): string => (value === null ? "–" : value.toFixed(decimals));
  return [
    name,
    countText(values.n),
    number(values.effectiveSites, 1),
    number(values.hhiUnbiased, 4),
    number(values.gini, 3),
    number(values.giniPositive, 3),
    shareText(values.top1),
    shareText(values.top5),
    shareText(values.top10),
    shareText(values.coverage),
  ];
}

/** Null where there is one assistant only. */
export function assistantsSection({ record }: RunPageInput, { byAssistant }: TrafficCharts): Html | null {
  if (byAssistant === null) return null;
  const assistants = [...record.ledger.assistants.values()];
  const colours = assistantColours(assistants);
  const compared = assistants
    .filter((assistant) => byAssistant.columns.includes(assistantName(assistant)))
    .sort((a, b) => (assistantName(a) < assistantName(b) ? -1 : 1));
  return figure(byAssistant, {
    note: html`<p>Shares of each assistant's own citations. They answer different queries of one run, so that small
differences mean little; shares have no interval here.</p>`,
    controls: html`<ul class="legend">${compared.map(
      (assistant) => html`<li><span class="entry">${swatch(colours(assistant))}${assistantName(assistant)}</span></li>`,
    )}</ul>`,
  });
}

function marksList({ record }: RunPageInput): Html | null {
  if (record.marks.length === 0) return null;
  return html`<ol class="marks">${record.marks.map(
    ({ t, label }, index) => html`<li><b>${index + 1}</b> at ${clockText(t)}: ${label}</li>`,
  )}${record.unmarked > 0 ? html`<li>and ${record.unmarked} more, not marked</li>` : null}</ol>`;
}

function legend({ metrics }: RunPageInput, sites: readonly string[], measure: TrafficMeasure, chart: Chart): Html {
  const shares = metrics.traffic[measure]?.sites ?? {};
  return html`<ul class="legend">${sites
    .slice(0, seriesColours)
    .map(
      (site, index) =>
        html`<li><button type="button" data-pick="${index}">${swatch(seriesColour(index))}${site} <span class="quiet">${shareText(shares[site]?.share ?? 0)}</span></button></li>`,
    )}${sites.length > seriesColours ? html`<li><span class="entry">${swatch("var(--rest-b)")}${countText(sites.length - seriesColours)} others</span></li>` : null}${sitePicker(sites, chart)}</ul>`;
}

function swatch(colour: string): Html {
  return html`<span class="swatch" style="background:${colour}"></span>`;
}

/** Shown by the script, which makes it work. */
function sitePicker(sites: readonly string[], { drawings }: Chart): Html {
  const bands = drawings[0]?.svg.match(/data-site=/g)?.length ?? 0;
  const own = sites.slice(0, bands);
  return html`<li class="picker" hidden><label>Highlight <select data-pick><option value="">none</option>${[
    ...own.keys(),
  ]
    .sort((a, b) => ((own[a] as string) < (own[b] as string) ? -1 : 1))
    .map((index) => html`<option value="${index}">${own[index]}</option>`)}</select></label></li>`;
}

function trafficOf({ metrics }: RunPageInput): Traffic {
  const counts = (measure: TrafficMeasure) =>
    new Map(Object.entries(metrics.traffic[measure]?.sites ?? {}).map(([site, { count }]) => [site, count]));
  return {
    contacts: counts("contacts"),
    documents: counts("documents"),
    citations: counts("citations"),
    exposure: counts("exposure"),
    visits: counts("visits"),
  };
}
