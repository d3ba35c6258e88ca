import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { InputError } from "../errors.ts";
import type { LoadedScenario } from "../scenario/load.ts";
import type { RunInputs } from "./inputs.ts";
import { type Manifest, writeManifest } from "./manifest.ts";

/**
 * Makes a run's directory. It appears by rename, with manifest and inputs complete.
 * @param out where; null for `runs/<name>-<n>` in the working directory, n the first free number
 */
export function createRunDirectory(out: string | null, inputs: RunInputs, manifest: Manifest): string {
  requireFree(out);
  const target = out === null ? null : normalize(out);
  const parent = target === null ? "runs" : dirname(target);
  const draft = join(parent, `.awesim-${process.pid}.draft`);
  makeDraft(parent, draft);
  try {
    writeInputs(draft, inputs);
    writeManifest(draft, manifest);
    return target === null ? renameToFree(draft, inputs.loaded.scenario.name) : renameTo(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

function makeDraft(parent: string, draft: string): void {
  try {
    mkdirSync(parent, { recursive: true });
    accessSync(parent, constants.W_OK);
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft);
  } catch (error) {
    throw new InputError(`no run can be written there (${(error as Error).message}); choose another --out`, {
      file: parent,
    });
  }
}

/** What all file systems take. */
const longestName = 200;

/** Throws an InputError when there is something at `out`. */
export function requireFree(out: string | null): void {
  if (out === null) return;
  if (basename(normalize(out)).length > longestName) {
    throw new InputError(`expected a name of at most ${longestName} characters; choose another --out`, { file: out });
  }
  if (!isSomething(normalize(out))) return;
  throw new InputError("there is something of that name already; remove it or choose another --out", { file: out });
}

/** A link that leads nowhere is something too; below a file there can be nothing. */
function isSomething(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function renameTo(draft: string, directory: string): string {
  renameSync(draft, directory);
  return directory;
}

function renameToFree(draft: string, name: string): string {
  for (let n = 1; ; n++) {
    const directory = join("runs", `${name}-${n}`);
    if (existsSync(directory)) continue;
    try {
      return renameTo(draft, directory);
    } catch (error) {
      // Another run took the name in between: a directory with content is never replaced.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
    }
  }
}

function writeInputs(directory: string, { loaded, sites, topics, prompts }: RunInputs): void {
  const inputs = join(directory, "inputs");
  mkdirSync(join(inputs, "prompts"), { recursive: true });
  mkdirSync(join(inputs, "tasks"));
  writeFileSync(join(inputs, "scenario.yaml"), loaded.resolved);
  writeScenarioFiles(inputs, loaded);
  for (const [name, text] of prompts.files) writeFileSync(join(inputs, "prompts", name), text);
  writeFileSync(join(inputs, "sites.jsonl"), jsonLines(sites));
  for (const [task, list] of Object.entries(topics)) {
    writeFileSync(join(inputs, "tasks", `${task}.jsonl`), jsonLines(list));
  }
}

/** The files that a resolved scenario needs beside it: those of added sites and of plugins. */
export function writeScenarioFiles(folder: string, { plugins, added }: LoadedScenario): void {
  if (plugins.length > 0) mkdirSync(join(folder, "plugins"), { recursive: true });
  for (const { name, code } of plugins) writeFileSync(join(folder, "plugins", name), code);
  if (added.length > 0) mkdirSync(join(folder, "added"), { recursive: true });
  for (const { site, files } of added) {
    writeFileSync(join(folder, "added", `${site.id}.yaml`), `${files.site}\n`);
    writeFileSync(join(folder, "added", `${site.id}.jsonl`), files.documents);
  }
}

function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** The topics' files of a run's inputs. */
export function taskFiles(directory: string): string[] {
  const folder = join(directory, "inputs", "tasks");
  return (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.endsWith(".jsonl")).sort();
}
