import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { Document, Site, TaskName } from "../../src/corpora/format.ts";
import { tasksOf } from "../../src/corpora/files.ts";
import { readDocuments, readSites, readTopics, type Topic } from "../../src/corpora/read.ts";

/** A folder for each test: a set to be imported below `source`, the corpus made of it at `out`. */
export function sourceFolder() {
  const here = { folder: "", source: "", out: "" };
  beforeEach(() => {
    here.folder = mkdtempSync(join(tmpdir(), "awesim-import-"));
    here.source = join(here.folder, "source");
    here.out = join(here.folder, "corpora/out");
    mkdirSync(here.source);
  });
  afterEach(() => rmSync(here.folder, { recursive: true, force: true }));
  return {
    path: (name: string): string => join(here.source, name),
    get source() {
      return here.source;
    },
    get out() {
      return here.out;
    },
    write(files: Readonly<Record<string, string | Buffer>>): void {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(here.source, name)), { recursive: true });
        writeFileSync(join(here.source, name), content);
      }
    },
    /** What stands where corpora are made, hidden folders too. */
    made(): string[] {
      return readdirSync(here.folder).includes("corpora") ? readdirSync(join(here.folder, "corpora")) : [];
    },
  };
}

/** An imported corpus, read and so checked by the reader of corpora. */
export async function readCorpus(directory: string) {
  const documents: Document[] = [];
  for await (const { document } of readDocuments(directory)) documents.push(document);
  const sites: Site[] = await readSites(directory);
  const topics: Partial<Record<TaskName, Topic[]>> = {};
  for (const task of tasksOf(directory)) {
    const ofTask: Topic[] = [];
    for await (const { topic } of readTopics(directory, task)) ofTask.push(topic);
    topics[task] = ofTask;
  }
  return { documents, sites, topics };
}
