import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageVersion } from "../package-root.ts";
import { assumptionsOf } from "./assumptions.ts";
import { markdownTable } from "./markdown.ts";
import type { ReportedRun } from "./run-description.ts";
import { countText, durationText, shareText } from "./units.ts";

/**
 * Writes what a paper says of a run: `methods.md`, in the order of the ODD protocol (Grimm et al. 2020) with the
 * headings that STRESS (Monks et al. 2019) adds, and how to cite awesim, as `CITATION.cff` and `citation.bib`.
 */
export function writeMethods(directory: string, run: ReportedRun): void {
  writeFileSync(join(directory, "methods.md"), methodsText(run));
  writeFileSync(join(directory, "CITATION.cff"), citationFile);
  writeFileSync(join(directory, "citation.bib"), bibtex);
}

function methodsText({ description, metrics, status }: ReportedRun): string {
  const { facts, scenario, seed, replication, retrieval, sites, notices } = description;
  const { arrived, answered, unanswered, failed } = metrics.queries;
  const assistants = facts.assistants.map(({ share, strategy, model, thinking }) => [
    shareText(share),
    strategy,
    model ?? "none",
    model === null ? "-" : thinking ? "yes" : "no",
  ]);
  return [
    `# Methods: ${scenario}, seed ${seed}`,
    "",
    "## Purpose",
    "",
    `The model simulates how user agents answer people's requests with the help of websites, and where the traffic goes. It is used here for ${facts.tasks.join(", ")}. (Add the question of your study.)`,
    "",
    "## Entities, state variables and scales",
    "",
    `${countText(facts.users)} users, their user agents, and ${countText(sites.length)} websites of the corpus ${facts.corpus.name} (version ${facts.corpus.version}), each with a content agent that searches its own pages. Time is a virtual clock of whole milliseconds; the run took ${durationText(metrics.run.untilMs)} of it.`,
    "",
    "## Process overview and scheduling",
    "",
    "A discrete-event simulation with one queue, ordered by time, priority and sequence. A query arrives; its user agent, a state machine, plans, asks websites or an index, waits for replies, and answers. A website's content agent takes requests, searches and replies. Every model answer is drawn or recorded at its own virtual time.",
    "",
    "## Design concepts",
    "",
    "Emergence: who is asked and cited. Interaction: messages between user agents and content agents; queues at websites with a capacity. Stochasticity: each draw comes from a stream keyed by seed, replication, purpose and entity, so that runs that differ in one thing share all other draws. Observation: every fact is recorded; the measures are functions of these facts.",
    "",
    "## Initialisation",
    "",
    `Seed ${seed}, replication ${replication}. All queues are empty. ${facts.horizon}.`,
    "",
    "## Input data",
    "",
    `Arrivals: ${facts.arrivals}. Interests: ${facts.interests}. Retrieval: ${retrieval}.`,
    "",
    ...markdownTable(["share", "strategy", "model", "thinks first"], assistants),
    "",
    "## Assumptions",
    "",
    ...markdownTable(
      ["figures", "rest on", "because"],
      assumptionsOf(facts).map(({ figures, tag, because }) => [figures, tag, because]),
    ),
    "",
    ...notices.flatMap((notice) => [notice, ""]),
    "## Experimentation",
    "",
    `One run (${status}): ${countText(arrived)} queries arrived, ${countText(answered)} were answered, ${countText(unanswered)} unanswered, ${countText(failed)} unfinished at the end. Means have 95 % intervals that resample topics; shares of 0/1 measures have Wilson intervals with topics as clusters. A query without an answer counts as 0.`,
    "",
    "## Implementation and access",
    "",
    `awesim ${packageVersion}, Node ${process.version}. What names the run exactly:`,
    "",
    ...markdownTable(
      ["what", "is"],
      [
        ["Trace", metrics.run.traceSha256 ?? "none: the run did not complete"],
        ...Object.entries(facts.identities).map(([name, value]) => [name, value ?? "none"]),
      ],
    ),
    "",
    "The run directory holds the scenario, prompts, websites and topics as they were used, and every model answer; `awesim replay` executes it again and compares the traces byte for byte.",
    "",
  ].join("\n");
}

const title = "awesim: a discrete-event simulator of the Agentic Web";

const citationFile = [
  "cff-version: 1.2.0",
  "message: If you use this software, please cite it as below.",
  "type: software",
  `title: "${title}"`,
  `version: ${packageVersion}`,
  "license: MIT",
  "authors:",
  "  - name: The awesim authors",
  "",
].join("\n");

const bibtex = [
  "@software{awesim,",
  `  title = {${title}},`,
  "  author = {{The awesim authors}},",
  `  version = {${packageVersion}},`,
  "  note = {Software, MIT licence}",
  "}",
  "",
].join("\n");
