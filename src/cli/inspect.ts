import { Command } from "commander";
import { InputError } from "../errors.ts";
import { mermaidSequence } from "../report/timeline/mermaid.ts";
import { perfettoTrace } from "../report/timeline/perfetto.ts";
import { findQueries, type FoundQueries, type QueryFilter } from "../run/inspect/find-queries.ts";
import { type Parting, partWays } from "../run/inspect/part-ways.ts";
import { type QueryStory, readStory, saidKey } from "../run/inspect/query-story.ts";
import { readManifest } from "../run/manifest.ts";
import { lossStage } from "../statistics/query-timeline.ts";
import { clean } from "../terminal/clean.ts";
import { clockTime } from "../terminal/format.ts";
import { textOf } from "../terminal/lines.ts";
import { looksOf } from "../terminal/looks.ts";
import { sequenceLines } from "../terminal/sequence.ts";
import { table } from "../terminal/table.ts";
import { print, wholeNumber } from "./options.ts";

interface InspectOptions {
  readonly failed?: true;
  readonly site?: string;
  readonly slowest?: true;
  readonly limit: string;
  readonly json?: true;
  readonly mermaid?: true;
  readonly perfetto?: true;
  readonly diff?: string;
}

export function inspectCommand(): Command {
  return new Command("inspect")
    .description("shows one query of a run step by step, or lists queries worth a look")
    .argument("<run>", "the run's directory; the run may have been killed, or still go on")
    .argument("[query]", "a query's id; without it, queries are listed")
    .option("--failed", "list those without an answer, or that lost all relevant pages")
    .option("--site <site>", "list those that asked this site")
    .option("--slowest", "list those that took longest first")
    .option("--limit <n>", "list so many", "20")
    .option("--json", "print the query, or the list, as JSON")
    .option("--mermaid", "print the query as a mermaid sequence diagram")
    .option("--perfetto", "print the query as Chrome trace events on virtual time, for Perfetto's page")
    .option("--diff <run>", "say where the same query of another run goes another way, and why")
    .addHelpText("after", "\nExample:\n  awesim inspect runs/hello-1 --failed\n  awesim inspect runs/hello-1 q000001")
    .action((run: string, query: string | undefined, options: InspectOptions) => inspect(run, query, options));
}

function inspect(run: string, query: string | undefined, options: InspectOptions): void {
  requireSense(query, options);
  readManifest(run); // says what is wrong with a directory that is no run's
  if (query === undefined) return list(run, options);
  const story = readStory(run, query);
  const { json, mermaid, perfetto, diff } = options;
  if (diff !== undefined) {
    readManifest(diff);
    const other = readStory(diff, query);
    const parting = partWays(story, other, [run, diff]);
    return print(json, parting, partingText(parting, story, other, [run, diff]));
  }
  if (mermaid) return void process.stdout.write(mermaidSequence(story.timeline));
  if (perfetto) return void process.stdout.write(`${JSON.stringify(perfettoTrace(story.timeline))}\n`);
  print(json, { ...story, said: Object.fromEntries(story.said) }, diagram(story));
}

/** Options that would have no effect are a mistake, and said. */
function requireSense(query: string | undefined, options: InspectOptions): void {
  const ofLists = (["failed", "site", "slowest"] as const).filter((name) => options[name] !== undefined);
  const ofQueries = (["mermaid", "perfetto", "diff"] as const).filter((name) => options[name] !== undefined);
  if (query !== undefined && ofLists.length > 0) {
    throw new InputError("is for lists of queries; leave it or the query out", { field: `--${ofLists[0]}` });
  }
  if (query === undefined && ofQueries.length > 0) {
    throw new InputError("is for one query; name it after the run", { field: `--${ofQueries[0]}` });
  }
  const formats = [options.json, options.mermaid, options.perfetto].filter((each) => each === true).length;
  if (formats > 1 || (options.diff !== undefined && (options.mermaid || options.perfetto))) {
    throw new InputError("expected one of --json, --mermaid, --perfetto; --diff goes with --json only");
  }
}

function list(run: string, { failed, site, slowest, limit, json }: InspectOptions): void {
  const filter: QueryFilter = {
    failed: failed === true,
    site: site ?? null,
    slowest: slowest === true,
    limit: wholeNumber("--limit")(limit),
  };
  const found = findQueries(run, filter);
  print(json, found, listText(run, found));
}

function listText(run: string, { rows, matching, completed, inFlight }: FoundQueries): string {
  const text = table(
    [
      { title: "query" },
      { title: "day, time" },
      { title: "took s", format: (value) => value.toFixed(1) },
      { title: "task" },
      { title: "strategy" },
      { title: "outcome" },
      { title: "lost" },
    ],
    rows.map((row) => [
      row.query,
      clockTime(row.arrivedMs).replace("day ", ""),
      (row.completedMs - row.arrivedMs) / 1000,
      row.task,
      row.strategy,
      row.outcome,
      lossStage(row.measures),
    ]),
    columnsWide(),
    looksOf(process.env).unicode ? "…" : "~",
  );
  const under = inFlight === 0 ? "" : `; ${inFlight} under way where the trace ends`;
  const next =
    rows[0] === undefined ? "" : `\n\nawesim inspect ${run} ${clean(rows[0].query)} shows the first step by step`;
  return `${text}\n${rows.length} of ${matching} that match, of ${completed} done${under}${next}`;
}

function diagram({ timeline, said, ...texts }: QueryStory): string {
  const quote = { ...texts, said: (turn: Parameters<typeof saidKey>[0]) => quoteOf(said.get(saidKey(turn))) };
  const looks = { ...looksOf(process.env), colour: process.stdout.isTTY === true && looksOf(process.env).colour };
  return sequenceLines(timeline, quote, columnsWide(), looks)
    .map((line) => textOf(line, looks.colour))
    .join("\n");
}

/** What one would quote of an output: its action's payload, a search of sites by its text. */
function quoteOf(said: { readonly text: string; readonly payload: string | null } | undefined): string | null {
  if (said === undefined) return null;
  if (said.payload === null) return said.text;
  try {
    const value = JSON.parse(said.payload) as { query?: unknown; summary?: unknown } | null;
    const text = value?.query ?? value?.summary;
    return typeof text === "string" ? text : said.payload;
  } catch {
    return said.payload;
  }
}

function partingText(
  parting: Parting,
  a: QueryStory,
  b: QueryStory,
  [first, second]: readonly [string, string],
): string {
  const { step, reasons } = parting;
  const causes = reasons.map((reason) => `- ${clean(reason)}`).join("\n");
  if (step === null) return `${a.timeline.query}: all ${a.timeline.steps.length} steps are equal\n${causes}`.trimEnd();
  const shown = (story: QueryStory): string => {
    const steps = story.timeline.steps.slice(Math.max(0, step - 2), step + 3);
    const { said, ...texts } = story;
    const quote = { ...texts, said: (turn: Parameters<typeof saidKey>[0]) => quoteOf(said.get(saidKey(turn))) };
    const looks = { ...looksOf(process.env), colour: false };
    const lines = sequenceLines({ ...story.timeline, steps }, quote, columnsWide(), looks);
    return lines.map((line) => textOf(line, false)).join("\n");
  };
  return [
    `${clean(a.timeline.query)}: the first ${step} steps are equal; then the runs part`,
    causes,
    `\n== ${clean(first)}, from two steps before`,
    shown(a),
    `\n== ${clean(second)}, from two steps before`,
    shown(b),
  ].join("\n");
}

function columnsWide(): number {
  return process.stdout.columns || 80;
}
