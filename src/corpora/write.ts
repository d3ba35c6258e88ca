import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { stringify } from "yaml";
import { InputError } from "../errors.ts";
import type { CorpusHead, Document, Site, TaskName } from "./format.ts";
import type { Topic } from "./read.ts";

/**
 * Writes a corpus directory that appears whole: everything goes to a folder beside it, which `finish` renames.
 *
 * Lines are held back up to about 1 MiB a file, so any number of documents takes the same memory. A gzipped file is a
 * row of gzip members, one a batch, which every reader of gzip takes as one file.
 */
export class CorpusWriter {
  /** The folder being written; further files (vectors) may be put here before `finish`. */
  readonly folder: string;
  private readonly files = new Map<string, LineFile>();
  private readonly target: string;

  /** Throws an InputError when `directory` exists already. `gzip` says whether the documents are compressed. */
  constructor(
    directory: string,
    private readonly options: { gzip?: boolean } = {},
  ) {
    this.target = resolve(directory);
    if (existsSync(this.target)) {
      throw new InputError("exists already; choose another name or delete it first", { file: directory });
    }
    this.folder = join(dirname(this.target), `.${basename(this.target)}.${process.pid}.partial`);
    try {
      mkdirSync(dirname(this.target), { recursive: true });
      removeLeftovers(this.target);
      rmSync(this.folder, { recursive: true, force: true });
      mkdirSync(this.folder);
    } catch (error) {
      throw new InputError(`no corpus can be written there (${(error as Error).message}); choose another place`, {
        file: directory,
      });
    }
  }

  writeHead(head: CorpusHead): void {
    this.file("corpus.yaml").write(stringify(head, { lineWidth: 0 }));
  }

  writeSite(site: Site): void {
    this.file("sites.jsonl").write(`${JSON.stringify(site)}\n`);
  }

  writeDocument(document: Document): void {
    const name = this.options.gzip === true ? "documents.jsonl.gz" : "documents.jsonl";
    this.file(name).write(`${JSON.stringify(document)}\n`);
  }

  writeTopic<Task extends TaskName>(task: Task, topic: Topic<Task>): void {
    this.file(join("tasks", `${task}.jsonl`)).write(`${JSON.stringify(topic)}\n`);
  }

  /** Makes the corpus appear under its name. Throws an InputError when something took the name meanwhile. */
  finish(): void {
    this.close();
    if (existsSync(this.target)) {
      this.abort();
      throw new InputError("was made by someone else meanwhile; choose another name", { file: this.target });
    }
    renameSync(this.folder, this.target);
  }

  /** Takes away what was written. */
  abort(): void {
    try {
      this.close();
    } catch {
      // On a full disk what is held back cannot be written; it goes with the rest.
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private file(name: string): LineFile {
    let file = this.files.get(name);
    if (file === undefined) {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true });
      file = new LineFile(join(this.folder, name));
      this.files.set(name, file);
    }
    return file;
  }

  private close(): void {
    for (const file of this.files.values()) file.close();
    this.files.clear();
  }
}

/** Removes what processes that were killed left of the corpus that they wrote. */
function removeLeftovers(target: string): void {
  const prefix = `.${basename(target)}.`;
  for (const name of readdirSync(dirname(target))) {
    const pid = name.startsWith(prefix) ? /^(\d+)\.partial$/.exec(name.slice(prefix.length))?.[1] : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(dirname(target), name), { recursive: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

const batchCharacters = 1 << 20;

class LineFile {
  private readonly descriptor: number;
  private readonly gzip: boolean;
  private lines: string[] = [];
  private characters = 0;

  constructor(path: string) {
    this.descriptor = openSync(path, "w");
    this.gzip = path.endsWith(".gz");
  }

  write(line: string): void {
    this.lines.push(line);
    this.characters += line.length;
    if (this.characters >= batchCharacters) this.flush();
  }

  close(): void {
    this.flush();
    closeSync(this.descriptor);
  }

  private flush(): void {
    if (this.lines.length === 0) return;
    const bytes = Buffer.from(this.lines.join(""), "utf8");
    const block = this.gzip ? gzipSync(bytes, { level: 9 }) : bytes;
    for (let written = 0; written < block.length; ) written += writeSync(this.descriptor, block, written);
    this.lines = [];
    this.characters = 0;
  }
}
