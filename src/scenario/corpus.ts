import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { InputError } from "../errors.ts";
import { packageRoot } from "../package-root.ts";

/**
 * The directory of a corpus: a path from the scenario's folder (where a scenario names it) or from the working
 * directory, else a name under corpora/ of the working directory, else of awesim itself.
 */
export function resolveCorpus(nameOrPath: string, scenarioFile: string | null): string {
  const shelves = [resolve("corpora"), join(packageRoot, "corpora")];
  const candidates = [
    ...(scenarioFile === null ? [] : [resolve(dirname(scenarioFile), nameOrPath)]),
    resolve(nameOrPath),
    ...shelves.map((shelf) => join(shelf, nameOrPath)),
  ];
  const found = candidates.find(isCorpus);
  if (found !== undefined) return found;
  const names = [...new Set(shelves.flatMap(corporaIn))].sort();
  const known = names.length === 0 ? "there are none under corpora/" : `there are ${names.join(", ")}`;
  throw new InputError(
    `there is no corpus "${nameOrPath}" (a directory with a corpus.yaml); ${known}; ` +
      "import one with: awesim corpus import <format> <directory>",
    scenarioFile === null ? {} : { file: scenarioFile, field: "corpus" },
  );
}

function isCorpus(directory: string): boolean {
  return existsSync(join(directory, "corpus.yaml"));
}

function corporaIn(shelf: string): string[] {
  return existsSync(shelf) ? readdirSync(shelf).filter((name) => isCorpus(join(shelf, name))) : [];
}
