import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import Database from "better-sqlite3";
import { fileSha256 } from "../../corpora/files.ts";
import { InputError } from "../../errors.ts";
import type { Progress } from "../progress.ts";
import { Words } from "./words.ts";

/** Where a word occurs: documents by number, ascending, and how often in each. */
export interface Postings {
  readonly documents: Uint32Array;
  readonly counts: Uint16Array;
}

/** A word that occurs more often in a document counts as often as this. */
const mostOften = 0xffff;
/** Entries of postings held in memory, at 6 bytes each; more are read from the file when they are needed. */
const heldEntries = 8_000_000;
/** Documents taken in, and words written, between two turns of the event loop. */
const batch = 256;

/** The postings of numbered documents in an SQLite file, a row a word. */
export class PostingStore {
  /** Words of each document, those left out not counted. */
  readonly lengths: Uint32Array;
  /** Over all words with their postings. */
  readonly sha256: string;
  private readonly select: Database.Statement<[string], [documents: Buffer, counts: Buffer]>;
  private readonly held = new Map<string, Postings>();
  private entries = 0;

  private constructor(
    private readonly database: Database.Database,
    private readonly file: string,
  ) {
    const head = database.prepare("SELECT lengths, sha256 FROM head").get() as { lengths: Buffer; sha256: string };
    this.lengths = new Uint32Array(bytesOf(head.lengths));
    this.sha256 = head.sha256;
    this.select = database.prepare<[string], [Buffer, Buffer]>("SELECT documents, counts FROM postings WHERE word = ?");
    this.select.raw();
  }

  /**
   * Opens the postings of `count` documents in `file`; makes them first, streaming, when the file is not there or not
   * what was written. `textOf` gives the text of a document.
   */
  static async open(
    file: string,
    count: number,
    textOf: (document: number) => string,
    progress?: Progress,
  ): Promise<PostingStore> {
    const found = await PostingStore.openSound(file);
    if (found !== undefined) return found;
    mkdirSync(dirname(file), { recursive: true });
    // Another process may do the same at once: each file appears whole, the checksum last.
    const partial = `${file}.${process.pid}.partial`;
    try {
      await build(partial, count, textOf, progress);
      const checksum = await fileSha256(partial);
      renameSync(partial, file);
      writeFileSync(partial, checksum);
      renameSync(partial, checksumFile(file));
    } finally {
      rmSync(partial, { force: true });
    }
    const built = await PostingStore.openSound(file);
    if (built === undefined) throw new InputError("cannot be written whole; is the disk full?", { file });
    return built;
  }

  private static async openSound(file: string): Promise<PostingStore | undefined> {
    if (!existsSync(file) || !existsSync(checksumFile(file))) return undefined;
    if (readFileSync(checksumFile(file), "utf8") !== (await fileSha256(file))) return undefined;
    return new PostingStore(new Database(file, { readonly: true }), file);
  }

  /** Where a word occurs; undefined when it does not. Throws an InputError when the file has become unreadable. */
  get(word: string): Postings | undefined {
    const known = this.held.get(word);
    if (known !== undefined) {
      this.held.delete(word);
      this.held.set(word, known);
      return known;
    }
    const row = this.read(word);
    if (row === undefined) return undefined;
    const made = { documents: new Uint32Array(bytesOf(row[0])), counts: new Uint16Array(bytesOf(row[1])) };
    this.hold(word, made);
    return made;
  }

  close(): void {
    this.database.close();
  }

  /** The least recently used are let go. */
  private hold(word: string, postings: Postings): void {
    this.held.set(word, postings);
    this.entries += postings.documents.length;
    for (const [oldest, { documents }] of this.held) {
      if (this.entries <= heldEntries) return;
      this.held.delete(oldest);
      this.entries -= documents.length;
    }
  }

  private read(word: string): [Buffer, Buffer] | undefined {
    try {
      return this.select.get(word);
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error;
      throw new InputError(`is damaged (${error.message}); delete the file, it is made again`, { file: this.file });
    }
  }
}

async function build(
  file: string,
  count: number,
  textOf: (document: number) => string,
  progress?: Progress,
): Promise<void> {
  rmSync(file, { force: true });
  const words = new Words({ onDisk: true });
  const database = new Database(file);
  try {
    for (let first = 0; first < count; first += batch) {
      progress?.(first, count, "reading words");
      const numbers = Array.from({ length: Math.min(batch, count - first) }, (_, i) => first + i);
      words.add(numbers.map((number) => [number, textOf(number)] as const));
      await turn();
    }
    progress?.(count, count, "reading words");
    database.pragma("journal_mode = OFF");
    database.pragma("synchronous = OFF");
    database.exec(`
      CREATE TABLE postings (word TEXT PRIMARY KEY, documents BLOB NOT NULL, counts BLOB NOT NULL);
      CREATE TABLE head (lengths BLOB NOT NULL, sha256 TEXT NOT NULL);
      BEGIN;`);
    const insert = database.prepare("INSERT INTO postings VALUES (?, ?, ?)");
    const lengths = new Uint32Array(count);
    const hash = createHash("sha256");
    let written = 0;
    for (const { word, documents, counts } of gathered(words, lengths)) {
      const blobs = [Buffer.from(documents.buffer), Buffer.from(counts.buffer)] as const;
      insert.run(word, ...blobs);
      hash.update(`${word}\n${documents.length}\n`).update(blobs[0]).update(blobs[1]);
      written += 1;
      if (written % batch !== 0) continue;
      progress?.(written, null, "writing words");
      await turn();
    }
    database.prepare("INSERT INTO head VALUES (?, ?)").run(Buffer.from(lengths.buffer), hash.digest("hex"));
    database.exec("COMMIT");
  } finally {
    words.close();
    database.close();
  }
}

/** The postings of each word, ascending; counts the words of each document into `lengths`. */
function* gathered(words: Words, lengths: Uint32Array): Generator<Postings & { readonly word: string }> {
  let current: string | null = null;
  let documents: number[] = [];
  let counts: number[] = [];
  const postings = (word: string) => ({
    word,
    documents: Uint32Array.from(documents),
    counts: Uint16Array.from(counts, (often) => Math.min(often, mostOften)),
  });
  for (const [word, document] of words.instances()) {
    if (word !== current) {
      if (current !== null) yield postings(current);
      current = word;
      documents = [];
      counts = [];
    }
    if (documents.at(-1) === document) {
      counts[counts.length - 1] = (counts.at(-1) as number) + 1;
    } else {
      documents.push(document);
      counts.push(1);
    }
    lengths[document] = (lengths[document] as number) + 1;
  }
  if (current !== null) yield postings(current);
}

/** The bytes of a blob, aligned for any kind of number. */
function bytesOf(blob: Buffer): ArrayBuffer {
  return Uint8Array.from(blob).buffer;
}

const checksumFile = (file: string): string => `${file}.sha256`;
