import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { InputError } from "../errors.ts";

export type CacheDatabase = Database.Database;

/** Milliseconds to wait for another process that writes. */
const patience = 30_000;

/**
 * Opens a database that several processes may use at once and that can be made anew from its sources: one that is
 * damaged, foreign or of another `version` is deleted and begun again with `schema`.
 */
export function openCacheDatabase(file: string, version: number, schema: string): CacheDatabase {
  mkdirSync(dirname(file), { recursive: true });
  try {
    return open(file, version, schema);
  } catch (error) {
    if (!isDamage(error)) throw unusable(file, error);
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(file + suffix, { force: true });
    return open(file, version, schema);
  }
}

/** Whether an error of the database says that its file is no database, or a broken one. */
export function isDamage(error: unknown): boolean {
  if (error instanceof ForeignDatabase) return true;
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(error.code);
}

function unusable(file: string, error: unknown): InputError {
  return new InputError(`cannot be used as a cache (${(error as Error).message}); choose another cache directory`, {
    file,
  });
}

class ForeignDatabase extends Error {}

function open(file: string, version: number, schema: string): CacheDatabase {
  const database = new Database(file, { timeout: patience });
  try {
    database.pragma("journal_mode = WAL");
    // A cache may lose its last rows in a power cut.
    database.pragma("synchronous = OFF");
    database
      .transaction(() => {
        const found = database.pragma("user_version", { simple: true }) as number;
        if (found === 0) database.exec(schema);
        else if (found !== version) throw new ForeignDatabase(file);
        database.pragma(`user_version = ${version}`);
      })
      .immediate();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
