import { type Assumption, assumptionsOf } from "../assumptions.ts";
import { packageVersion } from "../../package-root.ts";
import type { Chart } from "../charts/draw.ts";
import { type Html, html } from "./html.ts";
import { overview } from "./overview.ts";
import { renderPage, type Section } from "./page.ts";
import { provenanceSection } from "./provenance-section.ts";
import { queriesSection } from "./queries-section.ts";
import { type RunPageInput, sitesByCitations } from "./run-page-input.ts";
import { sitesSection } from "./sites-section.ts";
import {
  effortSection,
  lossesSection,
  patternsSection,
  scoresSection,
  taskCharts,
  visibilitySection,
} from "./tasks-section.ts";
import { assistantsSection, concentrationSection, trafficCharts, trafficSection } from "./traffic-section.ts";

/** A run's `report.html`. */
export function runPage(input: RunPageInput): string {
  const sites = sitesByCitations(input);
  const traffic = trafficCharts(input, sites);
  const tasks = taskCharts(input);
  const sections: readonly (readonly [id: string, title: string, body: Html | null])[] = [
    ["traffic", "Traffic", trafficSection(input, sites, traffic)],
    ["concentration", "Concentration", traffic.overTime.length === 0 ? null : concentrationSection(input, traffic)],
    ["assistants", "Assistants compared", assistantsSection(input, traffic)],
    ["scores", "Scores", scoresSection(input, tasks)],
    ["where-lost", "Where pages are lost", lossesSection(input, tasks)],
    ["patterns", "Published patterns", patternsSection(input)],
    ["effort", "Effort", effortSection(input, tasks)],
    ["visibility", "Visibility in reports", visibilitySection(input, tasks)],
    ["sites", "Sites", sitesSection(input, sites)],
    ["queries", "Queries", queriesSection(input)],
    ["rests-on", "What this rests on", provenanceSection(input)],
  ];
  return renderPage({
    title: `${input.description.scenario}, seed ${input.description.seed}: awesim`,
    head: overview(input),
    sections: sections.flatMap(([id, title, body]): Section[] =>
      body === null ? [] : [{ id, title, tag: tagOf(input, tagged[id]), body }],
    ),
    foot: html`<p>Made by awesim ${packageVersion}. This page is one file and loads nothing.</p>`,
  });
}

/** All charts of a run, as its page shows them. */
export function runCharts(input: RunPageInput): Chart[] {
  const traffic = trafficCharts(input, sitesByCitations(input));
  const tasks = taskCharts(input);
  return [
    ...traffic.overTime,
    traffic.concentration,
    traffic.lorenz,
    traffic.byAssistant,
    ...tasks.scores.map(({ chart }) => chart),
    tasks.losses,
    ...tasks.effort.map(({ chart }) => chart),
    ...tasks.visibility.map(({ chart }) => chart),
  ].filter((chart) => chart !== null);
}

/** Which assumption stands behind a section. */
const tagged: Readonly<Record<string, Assumption["about"]>> = {
  traffic: "traffic",
  concentration: "traffic",
  assistants: "traffic",
  scores: "models",
  "where-lost": "models",
  effort: "models",
  visibility: "models",
};

function tagOf({ description }: RunPageInput, about: Assumption["about"] | undefined): Html | null {
  const found = assumptionsOf(description.facts).find((each) => each.about === about);
  return found === undefined ? null : html`<a class="tag" href="#rests-on">rests on: ${found.tag}</a>`;
}
