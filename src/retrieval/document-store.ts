import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Document } from "../corpora/format.ts";
import { InputError } from "../errors.ts";
import { pageText, textSha256, tokenEstimate } from "./page-text.ts";
import type { Progress } from "./progress.ts";

/** What is kept in memory of a document; the order of all is that of their ids. */
export interface StoredPage {
  readonly id: string;
  readonly site: string;
  readonly textSha256: string;
  readonly tokens: number;
}

const version = 1;

/** The documents of a corpus in an SQLite file, for reading by id or by the hash of the page's text. */
export class DocumentStore {
  /** Every document, ascending by id in code units. */
  readonly pages: readonly StoredPage[];
  private readonly byId: Database.Statement<[string]>;
  private readonly bySha256: Database.Statement<[string]>;

  private constructor(
    private readonly database: Database.Database,
    private readonly file: string,
  ) {
    this.pages = (
      database.prepare("SELECT id, site, text_sha256 AS textSha256, tokens FROM documents").all() as StoredPage[]
    ).sort((a, b) => (a.id < b.id ? -1 : 1));
    this.byId = database.prepare(
      "SELECT id, site, url, title, text, published_ms AS publishedMs FROM documents WHERE id = ?",
    );
    this.bySha256 = database.prepare("SELECT title, text FROM documents WHERE text_sha256 = ? LIMIT 1");
  }

  /**
   * Opens the store of the documents that `documentsSha256` stands for, in `folder`; builds it first, streaming, when it
   * is not there or unusable. Throws what reading the documents throws.
   */
  static async open(
    documents: () => AsyncIterable<Document>,
    documentsSha256: string,
    folder: string,
    progress?: Progress,
  ): Promise<DocumentStore> {
    const file = join(folder, `${documentsSha256}.sqlite`);
    const found = existsSync(file) ? DocumentStore.openComplete(file) : undefined;
    if (found !== undefined) return found;
    mkdirSync(folder, { recursive: true });
    // Another process may do the same at once: each writes a file of its own, and either serves.
    const partial = `${file}.${process.pid}.partial`;
    try {
      await buildStore(documents(), partial, progress);
      renameSync(partial, file);
    } finally {
      rmSync(partial, { force: true });
    }
    const built = DocumentStore.openComplete(file);
    if (built === undefined) throw new InputError("cannot be written whole; is the disk full?", { file });
    return built;
  }

  /** Opens a store for reading if its file is complete and can be read. */
  private static openComplete(file: string): DocumentStore | undefined {
    let database: Database.Database | undefined;
    try {
      database = new Database(file, { readonly: true });
      if (database.pragma("user_version", { simple: true }) === version) return new DocumentStore(database, file);
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error;
    }
    database?.close();
    return undefined;
  }

  /** The document of an id, or undefined. */
  document(id: string): Document | undefined {
    const row = this.read(this.byId, id) as
      | (Omit<Document, "publishedMs"> & { publishedMs: number | null })
      | undefined;
    if (row === undefined) return undefined;
    const { publishedMs, ...rest } = row;
    return publishedMs === null ? rest : { ...rest, publishedMs };
  }

  /** The page text that has this SHA-256. Throws an InputError when there is none or the file is damaged. */
  text(sha256: string): string {
    const row = this.read(this.bySha256, sha256) as Pick<Document, "title" | "text"> | undefined;
    if (row === undefined) throw new InputError(`holds no text with SHA-256 ${sha256}`, { file: this.file });
    const text = pageText(row);
    if (textSha256(text) !== sha256) throw this.damaged(`the text ${sha256} is another`);
    return text;
  }

  /** The text of every page but those of `without`, in the order of `pages`. */
  *texts(without: ReadonlySet<string>): Generator<string> {
    for (const page of this.pages) if (!without.has(page.site)) yield this.text(page.textSha256);
  }

  close(): void {
    this.database.close();
  }

  private read(statement: Database.Statement<[string]>, key: string): unknown {
    try {
      return statement.get(key);
    } catch (error) {
      if (error instanceof Database.SqliteError) throw this.damaged(error.message);
      throw error;
    }
  }

  private damaged(reason: string): InputError {
    return new InputError(`is damaged (${reason}); delete the file, it is made again`, { file: this.file });
  }
}

/** Half a surrogate pair has no bytes in UTF-8: the database would give back other characters than it took. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");

async function buildStore(documents: AsyncIterable<Document>, file: string, progress?: Progress): Promise<void> {
  rmSync(file, { force: true });
  const database = new Database(file);
  try {
    database.pragma("journal_mode = OFF");
    database.pragma("synchronous = OFF");
    database.exec(`
      CREATE TABLE documents (
        id TEXT PRIMARY KEY, site TEXT NOT NULL, text_sha256 TEXT NOT NULL, tokens INTEGER NOT NULL,
        published_ms INTEGER, url TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL
      );
      BEGIN;`);
    const insert = database.prepare("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    let count = 0;
    for await (const document of documents) {
      const { id, site, url, publishedMs = null } = document;
      const title = wellFormed(document.title);
      const text = wellFormed(document.text);
      const page = pageText({ title, text });
      insert.run(id, site, textSha256(page), tokenEstimate(page), publishedMs, url, title, text);
      count += 1;
      if (count % 500 === 0) progress?.(count, null, "reading documents");
    }
    progress?.(count, count, "reading documents");
    // The version is written last: a file that has it is complete.
    database.exec(`CREATE INDEX text ON documents (text_sha256); COMMIT; PRAGMA user_version = ${version};`);
  } finally {
    database.close();
  }
}
