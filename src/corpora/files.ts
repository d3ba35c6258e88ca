import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { InputError } from "../errors.ts";
import { type TaskName, taskNames } from "./format.ts";

/** The files of a corpus directory by what they hold; `documents` may be gzipped. */
export const headFile = (directory: string): string => join(directory, "corpus.yaml");
export const sitesFile = (directory: string): string => join(directory, "sites.jsonl");
export const topicsFile = (directory: string, task: TaskName): string => join(directory, "tasks", `${task}.jsonl`);

/** The file of documents, plain or gzipped. Throws an InputError when there is none, or both. */
export function documentsFile(directory: string): string {
  const found = ["documents.jsonl", "documents.jsonl.gz"]
    .map((name) => join(directory, name))
    .filter((file) => existsSync(file));
  if (found.length === 2) {
    throw new InputError("found beside documents.jsonl: a corpus has one of them; delete the stale one", {
      file: found[1] as string,
    });
  }
  if (found[0] === undefined) {
    throw new InputError("holds no documents.jsonl or documents.jsonl.gz; give the directory of a corpus", {
      file: directory,
    });
  }
  return found[0];
}

/** The tasks a corpus has topics for, in the order of `taskNames`. */
export function tasksOf(directory: string): TaskName[] {
  return taskNames.filter((task) => existsSync(topicsFile(directory, task)));
}

export interface CorpusHashes {
  /** Over everything that belongs to the corpus. */
  readonly corpusSha256: string;
  /** Over the sites and documents alone: what stores and indexes depend on. An edited topic leaves it as it is. */
  readonly documentsSha256: string;
}

/** Hashes of a corpus, each over the names and the SHA-256 of its files, in a fixed order. */
export async function corpusHashes(directory: string): Promise<CorpusHashes> {
  const pages = [sitesFile(directory), documentsFile(directory)];
  const rest = [headFile(directory), ...tasksOf(directory).map((task) => topicsFile(directory, task))];
  const lines = new Map<string, string>();
  for (const file of [...pages, ...rest]) lines.set(file, `${basename(file)} ${await fileSha256(file)}\n`);
  const hashOf = (files: string[]) =>
    createHash("sha256")
      .update(files.map((file) => lines.get(file)).join(""))
      .digest("hex");
  return { corpusSha256: hashOf([...pages, ...rest]), documentsSha256: hashOf(pages) };
}

/** SHA-256 of a file's bytes, in hex. Throws an InputError when it cannot be read. */
export async function fileSha256(file: string): Promise<string> {
  const hash = createHash("sha256");
  requireFile(file);
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest("hex");
}

/** Throws an InputError unless `file` is a file. */
export function requireFile(file: string): void {
  if (!existsSync(file)) throw new InputError("there is no such file", { file });
  if (!statSync(file).isFile()) throw new InputError("is not a file", { file });
}

/** The names in a directory, sorted by code unit. Throws an InputError when there is no such directory. */
export function requireDirectory(directory: string): string[] {
  if (!existsSync(directory) || !statSync(directory).isDirectory()) {
    throw new InputError("there is no such directory", { file: directory });
  }
  return readdirSync(directory).sort();
}
