import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of awesim's own package.json: where its shipped prompts, profiles, models and corpora stand. */
export const packageRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)));

/** awesim's own version, from package.json. */
export const packageVersion: string = (
  JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as { version: string }
).version;

function findRoot(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error("awesim's package.json was not found above its own code");
  return findRoot(parent);
}
