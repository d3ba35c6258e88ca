import { readFileSync } from "node:fs";
import { parseDocument } from "yaml";
import type { z } from "zod";
import { InputError } from "../errors.ts";
import { documentsFile, headFile, requireDirectory, requireFile, sitesFile, topicsFile } from "./files.ts";
import {
  type CorpusHead,
  corpusHeadSchema,
  type Document,
  documentSchema,
  type Site,
  siteSchema,
  type TaskName,
  topicSchemas,
} from "./format.ts";
import { checked, readJsonLines } from "./json-lines.ts";

/** A topic of one task, as a line of `tasks/<task>.jsonl` gives it. */
export type Topic<Task extends TaskName = TaskName> = z.output<(typeof topicSchemas)[Task]>;

/** The head of a corpus. Throws an InputError when corpus.yaml is missing or wrong. */
export function readHead(directory: string): CorpusHead {
  requireDirectory(directory);
  const file = headFile(directory);
  requireFile(file);
  const yaml = parseDocument(readFileSync(file, "utf8"));
  const error = yaml.errors[0];
  if (error !== undefined) {
    throw new InputError(`is not YAML: ${error.message.split("\n")[0]}`, { file, line: error.linePos?.[0].line ?? 1 });
  }
  return checked(corpusHeadSchema, valueOf(yaml, file), { file });
}

/** An alias without an anchor only shows when the document becomes a value. */
function valueOf(yaml: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return yaml.toJS();
  } catch (error) {
    throw new InputError(`is not YAML: ${(error as Error).message.split("\n")[0]}`, { file });
  }
}

/** The sites of a corpus in file order. Throws an InputError on the first wrong line or repeated id. */
export async function readSites(directory: string): Promise<Site[]> {
  requireDirectory(directory);
  const file = sitesFile(directory);
  const sites: Site[] = [];
  const seen = new UniqueIds(file);
  for await (const { value, line } of readJsonLines(file, siteSchema)) {
    seen.add(value.id, line);
    sites.push(value);
  }
  if (sites.length === 0) throw new InputError("holds no site; a corpus has at least one", { file });
  return sites;
}

/**
 * The documents of a corpus in file order, one at a time. Throws an InputError on the first wrong line, repeated id,
 * or site that sites.jsonl does not have.
 */
export async function* readDocuments(directory: string): AsyncGenerator<{ document: Document; line: number }> {
  const sites = new Set((await readSites(directory)).map((site) => site.id));
  const file = documentsFile(directory);
  const seen = new UniqueIds(file);
  for await (const { value, line } of readJsonLines(file, documentSchema)) {
    seen.add(value.id, line);
    if (!sites.has(value.site)) {
      throw new InputError(`no site "${value.site}" in sites.jsonl; add it there or correct the name`, {
        file,
        line,
        field: "site",
      });
    }
    yield { document: value, line };
  }
}

/** The topics of a task in file order. Throws an InputError on a missing file, the first wrong line or repeated id. */
export async function* readTopics<Task extends TaskName>(
  directory: string,
  task: Task,
): AsyncGenerator<{ topic: Topic<Task>; line: number }> {
  const file = topicsFile(directory, task);
  const seen = new UniqueIds(file);
  const schema = topicSchemas[task] as unknown as z.ZodType<Topic<Task>>;
  for await (const { value, line } of readJsonLines(file, schema)) {
    seen.add(value.id, line);
    yield { topic: value, line };
  }
}

/**
 * The topics of a task whose ground truth the corpus holds, and the number of those left out because a relevant or
 * evidence document is not there, or because a ranking task has no relevant document at all.
 */
export async function readCoveredTopics<Task extends TaskName>(
  directory: string,
  task: Task,
  hasDocument: (id: string) => boolean,
): Promise<{ topics: Topic<Task>[]; uncovered: number }> {
  const topics: Topic<Task>[] = [];
  let uncovered = 0;
  for await (const { topic } of readTopics(directory, task)) {
    if (isCovered(topic, hasDocument)) topics.push(topic);
    else uncovered += 1;
  }
  return { topics, uncovered };
}

/** Whether all documents that a topic's ground truth names are there, and at least one where it is a ranking. */
export function isCovered(topic: Topic, hasDocument: (id: string) => boolean): boolean {
  if ("evidence" in topic) return topic.evidence.every(hasDocument);
  const relevant = Object.keys(topic.relevant);
  return relevant.length > 0 && relevant.every(hasDocument);
}

class UniqueIds {
  private readonly lineOf = new Map<string, number>();

  constructor(private readonly file: string) {}

  add(id: string, line: number): void {
    const first = this.lineOf.get(id);
    if (first !== undefined) {
      throw new InputError(`"${id}" stands on line ${first} already; ids are unique in their file`, {
        file: this.file,
        line,
        field: "id",
      });
    }
    this.lineOf.set(id, line);
  }
}
