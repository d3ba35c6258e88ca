import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../errors.ts";
import { requireFree } from "../run-directory.ts";

/** Makes a directory that was not there; null for `runs/<name>-<n>`, n the first free number. */
export function openOut(out: string | null, name: string): string {
  requireFree(out);
  try {
    if (out !== null) {
      mkdirSync(out, { recursive: true });
      return out;
    }
    mkdirSync("runs", { recursive: true });
  } catch (error) {
    throw new InputError(`nothing can be written there (${(error as Error).message}); choose another --out`, {
      file: out ?? "runs",
    });
  }
  for (let n = 1; ; n++) {
    const directory = join("runs", `${name}-${n}`);
    try {
      mkdirSync(directory);
      return directory;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
