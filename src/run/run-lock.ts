import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { InputError } from "../errors.ts";

/** The right to write a run's directory. */
export interface RunLock {
  /** Gives it back; `completed`: nobody will write there again, and nothing is left behind. */
  release(completed: boolean): void;
}

/**
 * Takes a run's directory for this process alone. The lock is SQLite's, that is the operating system's: it goes when
 * the process goes, however that ends.
 * @throws InputError when another process is writing the run
 */
export function lockRun(directory: string): RunLock {
  const file = join(directory, "lock");
  const database = new Database(file, { timeout: 0 });
  try {
    database.pragma("journal_mode = MEMORY");
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code !== "SQLITE_BUSY") throw error;
    throw new InputError("another process is writing this run; wait for it, or stop it", { file: directory });
  }
  return {
    release(completed) {
      database.close();
      if (completed) rmSync(file, { force: true });
    },
  };
}
