import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../errors.ts";
import { requireDirectory } from "../files.ts";
import { readShownPages } from "./agentwebbench-trajectories.ts";
import {
  type CorpusImport,
  type ImportOptions,
  type ImportReport,
  importCorpus,
  type Place,
  textIn,
  textsIn,
} from "./corpus-import.ts";
import { addExistingCorpus } from "./existing-corpus.ts";
import { readKeyPoints } from "./key-points.ts";
import { hostOf } from "./site-rule.ts";

export interface AgentWebBenchOptions extends ImportOptions {
  /** A corpus that holds the pages. */
  readonly documents?: string | undefined;
  /** Recorded runs, whose agents were shown pages. */
  readonly trajectories?: string | undefined;
  /** Key points of the research questions. */
  readonly keyPoints?: string | undefined;
}

interface Item {
  readonly id: string;
  readonly record: Record<string, unknown>;
  readonly place: Place;
}

/**
 * Makes a corpus of AgentWebBench's tasks: its `data` folder, with `web_search`, `web_recommendation`, `qa` and
 * `deep_research`; of each the largest JSON file (the small ones are smoke tests), and any of the four may be missing.
 *
 * The benchmark's pages are ClueWeb22's. They come from a corpus (`documents`), from recorded runs (`trajectories`:
 * the pages that their agents were shown), or both; the corpus' text holds where both have a page. `seen_doc_ids` of
 * the questions are what a search once returned, no evidence, and are not used.
 */
export async function importAgentWebBench(source: string, options: AgentWebBenchOptions): Promise<ImportReport> {
  requireDirectory(source);
  const { documents, trajectories } = options;
  if (documents === undefined && trajectories === undefined) {
    throw new InputError(
      "the benchmark has tasks and no pages; give a corpus of them (--documents), recorded runs (--trajectories), or both",
      { file: source },
    );
  }
  const head = {
    name: "agentwebbench",
    version: "1",
    language: "en",
    licence: "pages: ClueWeb22 licence agreement; not to be passed on",
    description: "The four tasks of AgentWebBench over pages of ClueWeb22",
  };
  return importCorpus(head, options, async (corpus) => {
    const search = readItems(corpus, source, "web_search");
    const recommendation = readItems(corpus, source, "web_recommendation");
    const titles = new Map<string, string>();
    if (documents !== undefined) await addExistingCorpus(corpus, documents, (id, title) => titles.set(id, title));
    if (trajectories !== undefined) await addShownPages(corpus, trajectories, [...search, ...recommendation], titles);
    for (const { id, record, place } of search) {
      corpus.topic("web-search", { id, query: textIn(record["question"]), relevant: goldOf(record) }, place);
    }
    const titlesOf = await readHistoryTitles(corpus, taskFile(source, "web_recommendation"));
    addRecommendations(corpus, recommendation, (item, page) => titlesOf.get(item)?.get(page) ?? titles.get(page) ?? "");
    for (const { id, record, place } of readItems(corpus, source, "qa")) {
      const answers = [textIn(record["answer"])].filter((answer) => answer !== "");
      corpus.topic("question-answering", { id, question: textIn(record["question"]), answers, evidence: [] }, place);
    }
    const points = options.keyPoints === undefined ? null : await readKeyPoints(corpus, options.keyPoints);
    for (const { id, record, place } of readItems(corpus, source, "deep_research")) {
      const keyPoints = [...(points?.get(id)?.keyPoints ?? [])];
      if (keyPoints.length === 0) corpus.count("research questions without key points");
      corpus.topic("deep-research", { id, question: textIn(record["question"]), keyPoints, evidence: [] }, place);
    }
  });
}

/** The records of a task. Those of WebWalkerQA's own form have no id: their place in the file, from 0, is it. */
function readItems(corpus: CorpusImport, source: string, task: string): Item[] {
  const file = taskFile(source, task);
  if (file === null) return [];
  let records: unknown;
  try {
    records = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new InputError(`is not JSON (${(error as Error).message}); fetch it again`, { file });
  }
  if (!Array.isArray(records)) throw new InputError("expected a list of records, as AgentWebBench has", { file });
  return (records as unknown[]).flatMap((record, index) => {
    const place = { file, record: index + 1 };
    if (typeof record !== "object" || record === null) {
      corpus.refuse(place, "no object");
      return [];
    }
    const fields = record as Record<string, unknown>;
    return [{ id: textIn(fields["id"] ?? index), record: fields, place }];
  });
}

function taskFile(source: string, task: string): string | null {
  const directory = join(source, task);
  if (!existsSync(directory)) return null;
  const files = requireDirectory(directory)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(directory, name));
  return files.sort((a, b) => statSync(b).size - statSync(a).size || (a < b ? -1 : 1))[0] ?? null;
}

const goldOf = (record: Record<string, unknown>): Record<string, number> =>
  Object.fromEntries(textsIn(record["doc_ids"]).map((id) => [id, 1]));

/** A page that was shown without its site is on its task's, where it is the gold page of one. */
async function addShownPages(
  corpus: CorpusImport,
  directory: string,
  items: readonly Item[],
  titles: Map<string, string>,
): Promise<void> {
  const siteOfGold = new Map<string, string>();
  for (const { record } of items) {
    const [hosts, gold] = [textsIn(record["source"]), textsIn(record["doc_ids"])];
    if (hosts.length === 1) for (const id of gold) siteOfGold.set(id, hosts[0] as string);
  }
  for (const { id, site, text, place } of (await readShownPages(corpus, directory)).values()) {
    if (corpus.has(id)) continue;
    const host = hostOf(`https://${site ?? siteOfGold.get(id) ?? ""}`);
    if (host === null) corpus.count("pages of recorded runs without a site");
    const [title = "", ...rest] = text.trim().split("\n");
    titles.set(id, title.trim());
    const source = host === null ? undefined : { host, name: host };
    corpus.document({ id, url: "", source, title: title.trim(), text: rest.join("\n").trim() }, place);
  }
}

const msPerMinute = 60_000;

function addRecommendations(
  corpus: CorpusImport,
  items: readonly Item[],
  titleOf: (item: string, page: string) => string,
): void {
  for (const { id, record, place } of items) {
    const [pages, times] = [textsIn(record["history_doc_ids"]), textsIn(record["history_timestamps"])];
    if (pages.length !== times.length) {
      corpus.refuse(place, "history_doc_ids and history_timestamps differ in length");
      continue;
    }
    const history = pages.map((doc, i) => {
      const minutes = Number(times[i]);
      const title = titleOf(id, doc);
      return Number.isFinite(minutes) ? { doc, title, atMs: Math.round(minutes * msPerMinute) } : { doc, title };
    });
    if (history.length > 0 && history.every(({ title }) => title === "")) corpus.count("histories without any title");
    corpus.topic("web-recommendation", { id, history, relevant: goldOf(record) }, place);
  }
}

/** By record, the titles of the pages of its history, which stand in a file beside the records. */
async function readHistoryTitles(
  corpus: CorpusImport,
  items: string | null,
): Promise<Map<string, Map<string, string>>> {
  const titles = new Map<string, Map<string, string>>();
  const file = items?.replace(/\.json$/, ".user_history.jsonl");
  if (file === undefined || !existsSync(file)) return titles;
  for await (const { record } of corpus.objects(file)) {
    const history = Array.isArray(record["user_history"]) ? (record["user_history"] as Record<string, unknown>[]) : [];
    titles.set(textIn(record["id"]), new Map(history.map((page) => [textIn(page["doc_id"]), textIn(page["title"])])));
  }
  return titles;
}
