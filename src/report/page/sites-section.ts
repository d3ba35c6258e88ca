import { siteLines, sparkline } from "../charts/site-lines.ts";
import { assistantName } from "../record/names.ts";
import type { SiteStory } from "../record/site-ledger.ts";
import { countText, shareText } from "../units.ts";
import { csvLink } from "./figure.ts";
import { Html, html } from "./html.ts";
import type { RunPageInput } from "./run-page-input.ts";

/** The most sites with a part of their own. */
const mostSites = 150;
const mostRivals = 5;

const untouched: SiteStory = {
  askedIn: 0,
  citedIn: 0,
  askedAndCited: 0,
  askedForNothing: 0,
  first: 0,
  outcomes: {},
  lostTo: new Map(),
};

/** "You are this site": for each, who asks it, what it replies, how often it is cited, and who is cited instead. */
export function sitesSection(input: RunPageInput, sites: readonly string[]): Html {
  const shown = sites.slice(0, mostSites);
  const rest = sites.length - shown.length;
  return html`<p>Open a site to see the run from where it stands. Sites are in the order of their citations.
<a href="${csvLink([siteColumns, ...sites.map((site) => siteRow(input, site))])}" download="sites.csv">Download sites.csv</a></p>
<div>${shown.map((site, index) => sitePart(input, site, index + 1, sites.length))}</div>
${rest > 0 ? html`<p class="note">${countText(rest)} sites with fewer citations are in sites.csv only.</p>` : null}`;
}

function sitePart(input: RunPageInput, site: string, rank: number, of: number): Html {
  const { record, metrics, description } = input;
  const story = record.ledger.sites.get(site) ?? untouched;
  const { citations, contacts, documents } = metrics.traffic;
  const cited = citations.sites[site];
  const asked = contacts.sites[site];
  const name = description.facts.siteNames.get(site) ?? site;
  const { windows } = record.history;
  return html`<details class="site" id="site=${site}"><summary><span class="rank">${rank}</span><span class="name">${site}</span><span class="spark">${
    cited === undefined ? null : new Html(sparkline(windows, site))
  }</span><span class="figures asked">${countText(asked?.count ?? 0)} asked</span><span class="figures">${countText(cited?.count ?? 0)} cited</span></summary>
<div class="inside"><div><h3>${name}</h3>
<dl class="pairs">
<dt>Asked</dt><dd>${asked === undefined ? "never" : html`${countText(asked.count)} requests in ${countText(story.askedIn)} queries, ${shareText(asked.share)} of all requests`}</dd>
<dt>Replied</dt><dd>${outcomesText(story)}</dd>
<dt>Shown</dt><dd>${countText(documents.sites[site]?.count ?? 0)} pages to user agents</dd>
<dt>Cited</dt><dd>${cited === undefined ? "never" : html`${countText(cited.count)} times in ${countText(story.citedIn)} queries, ${shareText(cited.share)} of all citations, number ${rank} of ${of}; first in the answer ${countText(story.first)} times`}</dd>
<dt>When asked</dt><dd>${whenAsked(story)}</dd>
<dt>Visited</dt><dd>${visitsText(input, site)}</dd>
</dl></div>
<div>${lostTo(input, story)}${whoAsks(input, site)}</div>
${cited === undefined && asked === undefined ? null : html`<div><h3>Shares over time: <span class="swatch" style="background:var(--c0)"></span> citations and <span class="swatch" style="background:var(--c1)"></span> requests</h3>${new Html(siteLines(windows, site))}</div>`}
</div></details>
`;
}

function outcomesText({ outcomes }: SiteStory): string {
  const parts = Object.entries(outcomes).sort(([, a], [, b]) => b - a);
  return parts.length === 0 ? "nothing" : parts.map(([name, count]) => `${name} ${countText(count)}`).join(", ");
}

function visitsText({ metrics }: RunPageInput, site: string): string {
  const { visits } = metrics.traffic;
  if (visits === null) return "by nobody: no person of this run follows citations";
  const own = visits.sites[site];
  return own === undefined ? "never" : `${countText(own.count)} times, ${shareText(own.share)} of all visits`;
}

function whenAsked({ askedIn, askedAndCited, askedForNothing }: SiteStory): string {
  if (askedIn === 0) return "–";
  const nobody = askedForNothing === 0 ? "" : `; in ${countText(askedForNothing)} nobody was cited`;
  return `cited in ${countText(askedAndCited)} of ${countText(askedIn)} queries (${shareText(askedAndCited / askedIn)})${nobody}`;
}

function lostTo(
  { record }: RunPageInput,
  { lostTo: rivals, askedIn, askedAndCited, askedForNothing }: SiteStory,
): Html {
  const lost = askedIn - askedAndCited - askedForNothing;
  if (!record.ledger.hasPairs) return html`<h3>Lost to</h3><p class="note">Not counted with so many sites.</p>`;
  if (lost === 0)
    return html`<h3>Lost to</h3><p class="note">Nobody: whenever it was asked, it was cited, or nobody was.</p>`;
  const first = [...rivals].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, mostRivals);
  return html`<h3>Lost to</h3><p class="note">Cited in the ${countText(lost)} queries that asked it and cited others only:</p>
<ul>${first.map(([site, count]) => html`<li>${site}, ${countText(count)} times (${shareText(count / lost)})</li>`)}</ul>`;
}

function whoAsks({ record }: RunPageInput, site: string): Html | null {
  const assistants = [...record.ledger.assistants.values()].filter(({ contacts }) => contacts.has(site));
  if (assistants.length === 0) return null;
  return html`<h3>Asked by</h3><ul>${assistants.map(
    (assistant) =>
      html`<li>${assistantName(assistant)}: ${countText(assistant.contacts.get(site) ?? 0)} requests, ${countText(assistant.citations.get(site) ?? 0)} citations</li>`,
  )}</ul>`;
}

const siteColumns = [
  "site",
  "requests",
  "askedIn",
  "documents",
  "citations",
  "citedIn",
  "askedAndCited",
  "first",
  "exposure",
  "visits",
];

function siteRow({ record, metrics }: RunPageInput, site: string): (string | number)[] {
  const story = record.ledger.sites.get(site) ?? untouched;
  const count = (measure: keyof typeof metrics.traffic): number => metrics.traffic[measure]?.sites[site]?.count ?? 0;
  return [
    site,
    count("contacts"),
    story.askedIn,
    count("documents"),
    count("citations"),
    story.citedIn,
    story.askedAndCited,
    story.first,
    Math.round(count("exposure") * 1000) / 1000,
    count("visits"),
  ];
}
