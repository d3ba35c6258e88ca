import { lossStages } from "../loss-stages.ts";
import { assistantName } from "../record/names.ts";
import type { SampledQuery } from "../record/query-sample.ts";
import type { QueryRow } from "../../statistics/query-ledger.ts";
import type { RunDescription } from "../run-description.ts";
import { countText } from "../units.ts";
import { type Html, html, scriptJson } from "./html.ts";
import type { RunPageInput } from "./run-page-input.ts";

/** The most characters of a question, of which a page holds thousands, and of an answer. */
const questionCharacters = 200;
const answerCharacters = 700;

/** Queries to search and to look into, step by step. */
export function queriesSection(input: RunPageInput): Html {
  const { record, description, texts } = input;
  const queries = record.sample.queries();
  if (queries.length === 0) return html`<p>No query was completed.</p>`;
  const data = explorerData(queries, description, texts);
  const { seen } = record.sample;
  const all = queries.length === seen;
  return html`<p>${all ? `All ${countText(seen)} completed queries` : `A random ${countText(queries.length)} of ${countText(seen)} completed queries`} are here, ${countText(data.timelines.length)} of them with every step: some
that found a relevant page, some that lost it, some without an answer, and the slowest. All of them are in
<code>queries.csv</code>, all steps in <code>trace.jsonl</code>.</p>
<noscript><p class="note">This list needs scripts, which are switched off.</p></noscript>
<div id="explorer" hidden>
<div class="tools">
<label>Search in questions and ids<input type="search" name="search" autocomplete="off"></label>
<label>Outcome<select name="outcome"><option value="">all</option>${data.outcomes.map((name) => html`<option>${name}</option>`)}</select></label>
<label>Assistant<select name="assistant"><option value="">all</option>${data.assistants.map((name) => html`<option>${name}</option>`)}</select></label>
<label>Steps<span><input type="checkbox" name="timelines"> only with every step</span></label>
</div>
<p role="status" class="note"></p>
<div id="query-detail"></div>
<div class="scroll" tabindex="0" role="region" aria-label="Table of queries"><table>
<caption class="hidden">Queries</caption>
<thead><tr><th scope="col">query</th><th scope="col">asked at</th><th scope="col">question</th><th scope="col">assistant</th><th scope="col">outcome</th><th scope="col" class="num">score</th><th scope="col" class="num">took</th><th scope="col">steps</th></tr></thead>
<tbody></tbody></table></div>
<div class="tools"><button type="button" class="button" name="back">Back</button><button type="button" class="button" name="on">Next</button></div>
</div>
<script type="application/json" id="query-data">${scriptJson(data)}</script>`;
}

/** What the explorer's script reads; names that recur stand once and are referred to by their place. */
function explorerData(
  queries: readonly SampledQuery[],
  { questionOf, relevantTo, headline }: RunDescription,
  texts: ReadonlyMap<string, string>,
) {
  const [assistants, tasks, outcomes, questions, names] = Array.from({ length: 5 }, () => new Places()) as [
    Places,
    Places,
    Places,
    Places,
    Places,
  ];
  const timelines: unknown[] = [];
  const rows = queries.map(({ row, timeline }) => {
    let place: number | null = null;
    if (timeline !== null) {
      place = timelines.length;
      timelines.push({
        answer: answerOf(row, texts),
        relevant: relevantTo(row.task, row.topic),
        measures: Object.entries(row.measures ?? {})
          .filter(([, value]) => value !== null)
          .map(([name, value]) => [name, rounded(value as number)]),
        steps: timeline.steps.map(([after, who, what, detail]) => [
          after,
          names.of(who),
          names.of(what),
          what === "asks" ? names.of(detail) : detail,
        ]),
        left: timeline.left,
      });
    }
    return [
      row.query,
      row.arrivedMs,
      row.completedMs - row.arrivedMs,
      assistants.of(assistantName(row)),
      tasks.of(row.task),
      outcomes.of(outcomeOf(row)),
      questions.of(cut(questionOf(row.task, row.topic), questionCharacters)),
      rounded(scoreOf(row, headline(row.task))),
      place,
    ];
  });
  return {
    queries: rows,
    timelines,
    assistants: assistants.list,
    tasks: tasks.list,
    outcomes: outcomes.list,
    questions: questions.list,
    names: names.list,
  };
}

class Places {
  readonly list: string[] = [];
  readonly #places = new Map<string, number>();

  of(name: string): number {
    let place = this.#places.get(name);
    if (place === undefined) {
      place = this.list.push(name) - 1;
      this.#places.set(name, place);
    }
    return place;
  }
}

function outcomeOf({ outcome, measures }: QueryRow): string {
  if (outcome === "failed") return "unfinished at the end";
  if (outcome === "unanswered") return "unanswered";
  const lost = lossStages.find(({ measure }) => measures?.[measure] === 1);
  if (lost !== undefined) return `answered, lost: ${lost.name}`;
  return typeof measures?.["lossNotRanked"] === "number" ? "answered, found" : "answered";
}

function scoreOf({ measures }: QueryRow, headline: readonly string[]): number | null {
  const name = headline.find((each) => typeof measures?.[each] === "number");
  return name === undefined ? null : (measures?.[name] as number);
}

function answerOf({ answer, outcome }: QueryRow, texts: ReadonlyMap<string, string>): readonly string[] {
  if (outcome !== "answered") return [];
  if (typeof answer !== "string") return answer;
  const text = texts.get(answer);
  return [text === undefined ? `text ${answer}` : cut(text, answerCharacters)];
}

function cut(text: string, mostCharacters: number): string {
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}…`;
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1000) / 1000;
}
