import { intervalChart } from "../charts/intervals.ts";
import { foundColour, groupsWithLosses, lossChart, lossColours } from "../charts/losses.ts";
import { lossStages } from "../loss-stages.ts";
import { type AssistantColours, assistantColours } from "../charts/assistant-colours.ts";
import { assistantName, measureMeaning } from "../record/names.ts";
import type { ReportedGroup } from "../metrics-json.ts";
import { countText, meanText } from "../units.ts";
import { figure, table } from "./figure.ts";
import { type Html, html } from "./html.ts";
import type { RunPageInput } from "./run-page-input.ts";

const effort = ["turns", "agents", "requests", "userValidity", "contentTurns", "contentValidity", "latencyMs"];
const visibility = [
  "geoWordSd",
  "geoPositionSd",
  "geoOverallSd",
  "citationEntropy",
  "largestCitationShare",
  "citedAgents",
  "noReference",
];

/** The charts of scores, losses and effort, for the page and for files. */
export function taskCharts({ metrics, description }: RunPageInput) {
  const colours = assistantColours(metrics.groups);
  return {
    colours,
    scores: tasksOf(metrics.groups).flatMap(([task, groups]) => {
      const chart = intervalChart(`scores-${task}`, `Scores: ${task}`, groups, description.headline(task), colours);
      return chart === null ? [] : [{ chart, groups }];
    }),
    losses: lossChart(metrics.groups),
    effort: tasksOf(metrics.groups).flatMap(([task, groups]) => {
      const chart = intervalChart(`effort-${task}`, `Effort: ${task}`, groups, effort, colours);
      return chart === null ? [] : [{ chart, groups }];
    }),
    visibility: tasksOf(metrics.groups).flatMap(([task, groups]) => {
      const chart = intervalChart(`visibility-${task}`, `Visibility: ${task}`, groups, visibility, colours);
      return chart === null ? [] : [{ chart, groups }];
    }),
  };
}

type TaskCharts = ReturnType<typeof taskCharts>;
type GroupChart = TaskCharts["scores"][number];

export function scoresSection({ metrics }: RunPageInput, { scores, colours }: TaskCharts): Html {
  if (scores.length === 0) return html`<p>No query was scored.</p>`;
  return html`<p>Means over queries with 95 % intervals that resample topics. A query that was not answered counts as 0.</p>
${scores.map((each) => groupFigure(each, colours))}
${tasksOf(metrics.groups).map(([task, groups]) => {
  const measures = Object.keys(groups[0]?.measures ?? {}).filter(
    (name) => !effort.includes(name) && !name.startsWith("loss") && !visibility.includes(name),
  );
  const known = measures.filter((name) => groups.some(({ measures: own }) => typeof own[name]?.mean === "number"));
  const unknown = measures.filter((name) => !known.includes(name));
  const judged = unknown.filter((name) => groups.some((group) => group.measures[name] === null));
  const without = unknown.filter((name) => !judged.includes(name));
  return html`<h3>All scores of ${task}</h3>
${table(
  `All scores of ${task}`,
  ["measure", ...groups.map((group) => html`${assistantName(group)}<br>n ${countText(group.n)}`)],
  known.map((name) => [name, ...groups.map((group) => meanText(group.measures[name], name))]),
)}
<details><summary>What these measures mean<span class="hidden">: ${task}</span></summary><dl class="pairs">${known
    .filter((name, index) => familyOf(name) !== familyOf(known[index - 1]) && measureMeaning(name) !== null)
    .map((name) => html`<dt>${name}</dt><dd>${measureMeaning(name)}</dd>`)}</dl></details>
${judged.length === 0 ? null : html`<p class="note">Not to be had without a language model as a judge: ${judged.join(", ")}.</p>`}
${without.length === 0 ? null : html`<p class="note">Without a case in this run: ${without.join(", ")}.</p>`}`;
})}`;
}

export function lossesSection({ metrics }: RunPageInput, { losses }: TaskCharts): Html | null {
  if (losses === null) return null;
  const groups = groupsWithLosses(metrics.groups);
  const blamed = groups.filter(({ measures }) => (measures["failureUserAgent"]?.n ?? 0) > 0);
  return html`${figure(losses, {
    note: html`<p>Each query that did not find a relevant page lost them at one stage, the first that failed.</p>`,
    controls: html`<ul class="legend"><li><span class="entry"><span class="swatch" style="background:${foundColour}"></span>found: <span class="quiet">the answer holds one, or is right</span></span></li>${lossStages
      .map(
        ({ name, meaning }, index) =>
          html`<li><span class="entry"><span class="swatch" style="background:${lossColours[index]}"></span>${name}: <span class="quiet">${meaning}</span></span></li>`,
      )
      .reverse()}</ul>`,
  })}
${
  blamed.length === 0
    ? null
    : html`<h3>Whose failure, by the paper’s rule</h3>
<p class="note">A failure is the user agent’s where it asked no site with a relevant page, else the content agents’.</p>
${table(
  "Failures by agent",
  ["task, assistant", "failures", "of the user agent", "of content agents"],
  blamed.map((group) => [
    `${group.task}: ${assistantName(group)}`,
    countText(group.measures["failureUserAgent"]?.n ?? 0),
    meanText(group.measures["failureUserAgent"]),
    meanText(group.measures["failureContentAgents"]),
  ]),
)}`
}`;
}

export function effortSection(_: RunPageInput, charts: TaskCharts): Html | null {
  if (charts.effort.length === 0) return null;
  return html`<p>What an answer takes. Times are virtual.</p>${charts.effort.map((each) => groupFigure(each, charts.colours))}`;
}

export function visibilitySection({ description }: RunPageInput, charts: TaskCharts): Html | null {
  if (charts.visibility.length === 0) return null;
  const surrogate = description.facts.assistants.some(({ model }) => model?.startsWith("surrogate/"));
  return html`<p>How citations are spread within a single report.${
    surrogate
      ? " A surrogate's reports follow a template: their word and position shares measure that template and are not to be interpreted."
      : ""
  }</p>${charts.visibility.map((each) => groupFigure(each, charts.colours))}`;
}

/** Null where the run has not the strategies that any published pattern is about. */
export function patternsSection({ patterns }: RunPageInput): Html | null {
  const seen = patterns.filter(({ n }) => n > 0);
  if (seen.length === 0) return null;
  return html`<p>What holds in the published results for every model, and whether it holds in this run. One run is one
case: <code>awesim bench</code> looks at several worlds.</p>
${table(
  "Published patterns",
  ["pattern", "task", "measure", "model", "here"],
  seen.map(({ name, task, measure, model, holds }) => [
    name,
    task,
    measure,
    model ?? "all",
    holds === 1 ? "holds" : "does not hold",
  ]),
)}`;
}

function groupFigure({ chart, groups }: GroupChart, colours: AssistantColours): Html {
  return figure(chart, {
    controls: html`<ul class="legend">${groups.map(
      (group) =>
        html`<li><span class="entry"><span class="swatch" style="background:${colours(group)}"></span>${assistantName(group)} <span class="quiet">n ${countText(group.n)}</span></span></li>`,
    )}</ul>`,
  });
}

/** ndcg@1 and ndcg@3 mean the same but for the number. */
function familyOf(name: string | undefined): string | undefined {
  return name?.split("@")[0];
}

function tasksOf(groups: readonly ReportedGroup[]): [task: string, groups: ReportedGroup[]][] {
  const byTask = new Map<string, ReportedGroup[]>();
  for (const group of groups) byTask.set(group.task, [...(byTask.get(group.task) ?? []), group]);
  return [...byTask];
}
