import { existsSync } from "node:fs";
import { join } from "node:path";
import { generateCorpus, generatorSha256 } from "../../corpora/generator/generate.ts";
import { readHead } from "../../corpora/read.ts";
import { InputError } from "../../errors.ts";
import { sha256 } from "../../trace/hash.ts";

/** Who hears of a long preparation: what is done, of how many (null: unknown), of what. */
type Progress = (done: number, total: number | null, label: string) => void;

/**
 * The corpus directory of a world. World 1 is the corpus itself; any other is what the generator makes with the
 * corpus' own parameters and the world's number as its seed, made once and kept in the cache.
 * @throws InputError when another world is wanted of a corpus that was not generated
 */
export function worldDirectory(corpus: string, world: number, cacheDirectory: string, progress: Progress): string {
  if (world === 1) return corpus;
  const { generator } = readHead(corpus) as { generator?: GeneratorHead };
  if (generator === undefined) {
    throw new InputError("was not generated: there is one world of it; use --worlds 1", { file: corpus });
  }
  const { sites, documents, parameters } = generator;
  const options = { seed: world, sites, documents, parameters };
  const name = sha256(JSON.stringify([generatorSha256(), options])).slice(0, 16);
  const directory = join(cacheDirectory, "worlds", `world-${world}-${name}`);
  if (!existsSync(directory)) {
    const label = `pages of world ${world}`;
    generateCorpus(options, directory, (done) => progress(done, documents, label));
    progress(documents, documents, label);
  }
  return directory;
}

interface GeneratorHead {
  readonly sites: number;
  readonly documents: number;
  readonly parameters: Readonly<Record<string, number>>;
}
