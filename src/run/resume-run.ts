import { existsSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../errors.ts";
import { packageVersion } from "../package-root.ts";
import type { Progress } from "../retrieval/progress.ts";
import type { Retrieval } from "../retrieval/retrieval.ts";
import { resolveCorpus } from "../scenario/corpus.ts";
import { openRetrievalOf } from "./gather.ts";
import type { RunInputs } from "./inputs.ts";
import type { Manifest } from "./manifest.ts";

/**
 * Refuses a run that this awesim would go on with in another way.
 * @throws InputError that says what differs
 */
export function checkResumable(directory: string, manifest: Manifest, models: readonly (string | null)[]): void {
  const file = join(directory, "manifest.json");
  if (manifest.awesim !== packageVersion) {
    throw new InputError(
      `this run was begun with awesim ${manifest.awesim}; go on with that version (this is ${packageVersion})`,
      { file },
    );
  }
  const changed = models.findIndex((model, assistant) => model !== manifest.models[assistant]);
  if (changed >= 0) {
    throw new InputError(
      `this run was begun with the model ${manifest.models[changed]}; what is there now is ${models[changed]}`,
      { file, field: "models" },
    );
  }
}

/** Opens the search engine of a run that is gone on with. Throws an InputError when the corpus is another one now. */
export async function reopenRetrieval(
  inputs: RunInputs,
  cacheDirectory: string,
  progress: Progress,
): Promise<Retrieval> {
  const { corpus, loaded, indexIdentity } = inputs;
  const directory = existsSync(corpus.path) ? corpus.path : resolveCorpus(loaded.scenario.corpus, loaded.file);
  const retrieval = await openRetrievalOf(loaded, directory, cacheDirectory, progress);
  const another =
    retrieval.corpusSha256 !== corpus.sha256
      ? "this corpus is not the one that the run began with; put that one back"
      : retrieval.indexIdentity() !== indexIdentity
        ? "the index of this corpus is not the one that the run began with; its vectors were made on another machine perhaps"
        : null;
  if (another === null) return retrieval;
  retrieval.close();
  throw new InputError(another, { file: directory });
}
