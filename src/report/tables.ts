import { join } from "node:path";
import type { QueryRow } from "../statistics/query-ledger.ts";
import type { WindowFigure } from "../statistics/concentration-windows.ts";
import { type TrafficWindow, trafficMeasures } from "../statistics/traffic.ts";
import { BatchFile } from "../trace/batch-file.ts";
import { csvLine } from "./csv.ts";

/** Which run a row of a long table belongs to. */
export interface RunId {
  readonly run: string;
  readonly replication: number;
}

/** The files of a run directory that grow with the run: `queries.csv`, `traffic.csv`, `concentration.csv` and the files for trec_eval. */
export class RunTables {
  readonly #id: RunId;
  readonly #queries: BatchFile;
  readonly #traffic: BatchFile;
  readonly #concentration: BatchFile;
  readonly #ranking: BatchFile;
  readonly #sites: BatchFile;
  readonly #judgements: BatchFile;
  readonly #gradesOf: (task: string, topic: string) => Readonly<Record<string, number>>;
  readonly #measures: readonly string[];

  /**
   * @param measures the columns of queries.csv between `userValidity` and `loss`
   * @param gradesOf the judged documents of a topic
   */
  constructor(
    directory: string,
    id: RunId,
    measures: readonly string[],
    gradesOf: (task: string, topic: string) => Readonly<Record<string, number>>,
  ) {
    const open = (name: string): BatchFile => new BatchFile(join(directory, name), "w");
    this.#id = id;
    this.#gradesOf = gradesOf;
    this.#measures = measures;
    this.#queries = open("queries.csv");
    this.#traffic = open("traffic.csv");
    this.#concentration = open("concentration.csv");
    this.#ranking = open("run.trec");
    this.#sites = open("resource-run.trec");
    this.#judgements = open("qrels.txt");
    this.#queries.append(csvLine([...firstColumns, ...measures, ...lastColumns]));
    this.#traffic.append(csvLine(trafficColumns));
    this.#concentration.append(csvLine(concentrationColumns));
  }

  addQuery(row: QueryRow): void {
    this.#queries.append(csvLine(queryFields(row, this.#measures)));
    if (row.measures === null) return;
    const tag = `${row.strategy}/${row.model ?? "none"}`.replace(/\s/g, "_");
    this.#ranking.append(trecLines(row.query, typeof row.answer === "string" ? [] : row.answer, tag));
    this.#sites.append(trecLines(row.query, row.sites, tag));
    for (const [document, grade] of Object.entries(this.#gradesOf(row.task, row.topic))) {
      this.#judgements.append(`${row.query} 0 ${trecId(document)} ${grade}\n`);
    }
  }

  addWindow({ startMs, endMs, traffic }: TrafficWindow): void {
    for (const measure of trafficMeasures) {
      const counts = [...traffic[measure]].sort(([a], [b]) => (a < b ? -1 : 1));
      const total = counts.reduce((sum, [, count]) => sum + count, 0);
      for (const [site, count] of counts) {
        const { run, replication } = this.#id;
        this.#traffic.append(
          csvLine([run, replication, startMs, endMs, site, measure, rounded(count), rounded(count / total)]),
        );
      }
    }
  }

  addFigure({ startMs, endMs, measure, statistic, value, low, high, n, sites }: WindowFigure): void {
    const { run, replication } = this.#id;
    const ends = [low, high].map((end) => (end === null ? "" : rounded(end)));
    this.#concentration.append(
      csvLine([run, replication, startMs, endMs, measure, statistic, rounded(value), ...ends, n, sites]),
    );
  }

  /** Hands what is batched to the operating system: it then survives a kill. */
  flush(): void {
    for (const file of this.#files()) file.flush();
  }

  close(): void {
    for (const file of this.#files()) file.close();
  }

  #files(): BatchFile[] {
    return [this.#queries, this.#traffic, this.#concentration, this.#ranking, this.#sites, this.#judgements];
  }
}

const firstColumns = [
  "query",
  "topic",
  "task",
  "strategy",
  "model",
  "user",
  "arrivedMs",
  "completedMs",
  "outcome",
  "turns",
  "agents",
  "requests",
  "userValidity",
];
const lastColumns = ["loss", "promptTokens", "completionTokens", "cost"];
const trafficColumns = ["run", "replication", "windowStartMs", "windowEndMs", "site", "measure", "count", "share"];

const concentrationColumns = [
  ...["run", "replication", "windowStartMs", "windowEndMs", "measure", "statistic"],
  ...["value", "low", "high", "n", "sites"],
];

function queryFields(row: QueryRow, measures: readonly string[]): (string | number | null)[] {
  return [
    row.query,
    row.topic,
    row.task,
    row.strategy,
    row.model,
    row.user,
    row.arrivedMs,
    row.completedMs,
    row.outcome,
    row.turns,
    row.sites.length,
    row.requests,
    row.turns === 0 ? null : rounded(row.validTurns / row.turns),
    ...measures.map((name) => roundedOrNull(row.measures?.[name] ?? null)),
    lossName(row),
    row.promptTokens,
    row.completionTokens,
    null,
  ];
}

/** The stage whose 0/1 measure is set: `lossNotRanked` is named notRanked. */
function lossName({ measures }: QueryRow): string | null {
  const name = Object.keys(measures ?? {}).find((each) => each.startsWith("loss") && measures?.[each] === 1);
  return name === undefined ? null : `${name.charAt(4).toLowerCase()}${name.slice(5)}`;
}

/** Scores fall with the rank, since trec_eval orders by score. */
function trecLines(query: string, ids: readonly string[], tag: string): string {
  return ids.map((id, index) => `${query} Q0 ${trecId(id)} ${index + 1} ${ids.length - index} ${tag}\n`).join("");
}

/** trec_eval splits at white space: such characters, and the percent sign, are written as in addresses. */
function trecId(id: string): string {
  return id.replace(/[\s\p{Cc}%]/gu, (character) => encodeURIComponent(character));
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function roundedOrNull(value: number | null): number | null {
  return value === null ? null : rounded(value);
}
