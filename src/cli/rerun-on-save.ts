import { type FSWatcher, readFileSync, watch } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import { InputError } from "../errors.ts";
import { Streams } from "../kernel/random.ts";
import type { Retrieval } from "../retrieval/retrieval.ts";
import { RunControl } from "../run/control.ts";
import { gatherInputs } from "../run/gather.ts";
import type { RunInputs } from "../run/inputs.ts";
import { isSurrogate, livePorts, openModels } from "../run/live-ports.ts";
import { isScored } from "../run/scoring-window.ts";
import { simulate } from "../run/simulate.ts";
import type { LoadedScenario } from "../scenario/load.ts";
import { arrivals } from "../scenario/population.ts";
import { QueryLedger, type QueryRow } from "../statistics/query-ledger.ts";
import { lossStage } from "../statistics/query-timeline.ts";
import { findTask } from "../tasks/registry.ts";
import { score } from "../terminal/format.ts";
import { table } from "../terminal/table.ts";
import { messageOf } from "./message.ts";
import { cacheDirectory } from "./options.ts";
import { progressLine } from "./progress-line.ts";

/** How many queries are run again: enough to see what a change does, few enough to see it at once. */
const queries = 20;
/** An editor may write a file in several steps; this long after the last one it is read, in real ms. */
const settleMs = 150;

interface Rerun {
  /** The scenario's file. */
  readonly file: string;
  /** Reads scenario and plugins as they are now. */
  readonly load: () => LoadedScenario;
  readonly promptsDirectory: string | null;
}

/** Runs the first queries of a scenario, and again whenever it or one of its plugins is saved, until a signal comes. */
export async function rerunOnSave({ file, load, promptsDirectory }: Rerun): Promise<void> {
  let loaded = load();
  if (loaded.plugins.length === 0) {
    throw new InputError("expected a strategy of your own to watch; the scenario has no plugins", { file });
  }
  let world = await gather(loaded, promptsDirectory);
  let before: readonly QueryRow[] | null = null;
  const runAll = async (): Promise<void> => {
    const startMs = performance.now();
    const rows = await firstQueries({ ...world.inputs, loaded }, world.retrieval);
    process.stdout.write(
      `\n${comparison(rows, before)}\n${rows.length} queries in ${seconds(startMs)}; save to run them again, Ctrl-C to end\n`,
    );
    before = rows;
  };
  const again = async (): Promise<void> => {
    const next = load();
    if (identity(next) === identity(loaded)) return;
    // Plugins change what is done with the inputs, the scenario may change the inputs themselves.
    if (next.scenario.corpus !== loaded.scenario.corpus || settings(next) !== settings(loaded)) {
      world.retrieval.close();
      world = await gather(next, promptsDirectory);
    }
    loaded = next;
    await runAll();
  };
  try {
    await runAll();
    await onSaves(foldersOf(file), again);
  } finally {
    world.retrieval.close();
  }
}

async function gather(loaded: LoadedScenario, promptsDirectory: string | null) {
  const preparing = progressLine(process.stderr);
  const cache = cacheDirectory();
  const { progress } = preparing;
  const options = { loaded, promptsDirectory, cacheDirectory: cache, replication: 0, progress };
  return gatherInputs(options).finally(preparing.end);
}

async function firstQueries(inputs: RunInputs, retrieval: Retrieval): Promise<QueryRow[]> {
  const { scenario } = inputs.loaded;
  const models = await openModels(inputs.loaded);
  if (!models.every((model) => model === null || isSurrogate(model))) {
    throw new InputError("asks again at every save, and endpoints are paid for; choose --model surrogate/<profile>", {
      field: "--watch",
    });
  }
  const calls = { live: 0, tape: 0, surrogate: 0, unused: 0 };
  const ports = livePorts({ inputs, retrieval, models, tape: null, calls, now: () => performance.now() });
  const rows: QueryRow[] = [];
  const ledger = new QueryLedger(
    (arrivedMs) => isScored(scenario, arrivedMs),
    (row) => rows.push(row),
  );
  const all = arrivals(scenario, inputs.topics, new Streams(scenario.seed, inputs.replication));
  const first = [...take(all, queries)];
  const control = new RunControl();
  const { failure } = await simulate({
    inputs,
    ports,
    control,
    listeners: [ledger.listen],
    onTurn: () => {},
    arrivals: first,
  });
  if (failure !== null) throw failure.error;
  return rows.sort((a, b) => a.arrivedMs - b.arrivedMs || (a.query < b.query ? -1 : 1));
}

function* take<T>(values: Iterable<T>, most: number): Generator<T> {
  let count = 0;
  for (const value of values) {
    if (count++ === most) return;
    yield value;
  }
}

/** The queries with their first measure, now and at the last save. */
function comparison(rows: readonly QueryRow[], before: readonly QueryRow[] | null): string {
  const old = new Map(before?.map((row) => [row.query, row]));
  const cells = rows.map((row) => {
    const was = old.get(row.query);
    const isSame = was !== undefined && answerOf(was) === answerOf(row);
    const name = measureOf(row);
    return [
      row.query,
      row.task,
      row.outcome,
      row.turns,
      name,
      row.measures?.[name] ?? null,
      was?.measures?.[name] ?? null,
      before === null || isSame ? "" : "changed",
      lossStage(row.measures),
    ];
  });
  const columns = [
    { title: "query" },
    { title: "task" },
    { title: "outcome" },
    { title: "turns" },
    { title: "measure" },
    { title: "now", format: score },
    { title: "before", format: score },
    { title: "answer" },
    { title: "lost" },
  ];
  const shown = before === null ? [6, 7] : [];
  const kept = <T>(list: readonly T[]): T[] => list.filter((_, i) => !shown.includes(i));
  return `${table(kept(columns), cells.map(kept), process.stdout.columns || 100)}${means(rows, old)}`;
}

function means(rows: readonly QueryRow[], old: ReadonlyMap<string, QueryRow>): string {
  return [...new Set(rows.map((row) => `${row.task} ${row.strategy}`))]
    .map((group) => {
      const of = rows.filter((row) => `${row.task} ${row.strategy}` === group);
      const name = measureOf(of[0] as QueryRow);
      const was = of.flatMap(({ query }) => old.get(query) ?? []);
      const text = was.length === 0 ? "" : `, before ${mean(was, name)}`;
      return `${group}: mean ${name} ${mean(of, name)}${text}, n ${of.length}`;
    })
    .join("\n");
}

function mean(rows: readonly QueryRow[], name: string): string {
  const values = rows.flatMap(({ measures }) => measures?.[name] ?? []);
  return values.length === 0 ? "-" : score(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** The first measure of a task's report that the query has. */
function measureOf({ task, measures }: QueryRow): string {
  const { headline } = findTask(task);
  return headline.find((name) => measures?.[name] !== null && measures?.[name] !== undefined) ?? headline[0] ?? "";
}

function answerOf({ answer, outcome }: QueryRow): string {
  return JSON.stringify([answer, outcome]);
}

function identity(loaded: LoadedScenario): string {
  return `${loaded.sha256} ${loaded.plugins.map(({ sha256 }) => sha256).join(" ")}`;
}

/** The scenario but for its plugins. */
function settings({ scenario }: LoadedScenario): string {
  return JSON.stringify({ ...scenario, plugins: null });
}

/** The folders of the scenario and of its plugins. */
function foldersOf(file: string): Set<string> {
  const { plugins = [] } = parse(readFileSync(file, "utf8")) as { plugins?: readonly string[] };
  const paths = plugins.flatMap((path) => [resolve(dirname(file), path), resolve(path)]);
  return new Set([dirname(resolve(file)), ...paths.map(dirname)]);
}

/** Calls `again` after each save, one at a time, until a signal comes; what is wrong is said, and the next save awaited. */
function onSaves(folders: ReadonlySet<string>, again: () => Promise<void>): Promise<void> {
  return new Promise((resolveAll) => {
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<void> = Promise.resolve();
    const saved = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        running = running.then(again).catch((error) => void process.stderr.write(`awesim: ${messageOf(error)}\n`));
      }, settleMs);
    };
    const watchers = [...folders].flatMap((folder) => watched(folder, saved));
    const end = (): void => {
      clearTimeout(timer);
      for (const each of watchers) each.close();
      for (const signal of signals) process.off(signal, end);
      void running.then(resolveAll);
    };
    for (const signal of signals) process.on(signal, end);
  });
}

const signals = ["SIGINT", "SIGTERM"] as const;

/** A plugin's path is looked for in two places; one of them may not be there. */
function watched(folder: string, saved: () => void): FSWatcher[] {
  try {
    return [watch(folder, saved)];
  } catch {
    return [];
  }
}

function seconds(startMs: number): string {
  return `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
}
