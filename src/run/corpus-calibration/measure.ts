import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GenerateOptions, generateCorpus } from "../../corpora/generator/generate.ts";
import type { Progress } from "../../retrieval/progress.ts";
import { openRetrieval } from "../../retrieval/retrieval.ts";
import { sentenceEmbedder } from "../../retrieval/embedders/sentence.ts";
import { VectorCache } from "../../retrieval/vector-cache.ts";
import { composition } from "./composition.ts";
import { searching } from "./searching.ts";
import type { Reached } from "./targets.ts";
import { heapsAndZipf, repeatedNgrams } from "./text-statistics.ts";
import { templateGuard } from "./template-guard.ts";
import { collectWorld } from "./world.ts";

/** What a page's text looks like beside that of others; described, not fitted. */
export interface TextFacts {
  readonly vocabulary: number;
  readonly heapsBeta: number;
  readonly zipfExponent: number;
  /** The share of runs of five words that stand on another page too. */
  readonly repeated: number;
}

export interface MeasuredWorld {
  readonly reached: Reached;
  readonly text: TextFacts;
  /** How often gold pages are told from others by words without content: .5 is chance. */
  readonly templateGuard: number;
}

/**
 * Generates the world of the options and measures it with the product's own indexes, in a folder that is removed
 * afterwards; only the vectors of its texts are kept in the cache, so that what was measured before is quick.
 */
export async function measureWorld(
  options: GenerateOptions,
  cacheDirectory: string,
  progress: Progress,
): Promise<MeasuredWorld> {
  const world = collectWorld(options);
  const folder = mkdtempSync(join(tmpdir(), "awesim-calibrate-"));
  const embedder = sentenceEmbedder();
  const vectors = new VectorCache(embedder, join(cacheDirectory, "vectors"));
  try {
    const corpus = join(folder, "corpus");
    generateCorpus(options, corpus);
    const retrieval = await openRetrieval(corpus, {
      cacheDirectory: join(folder, "cache"),
      embedder: { ...embedder, costly: false, embed: async (text) => vectors.vector(text) },
      indexes: ["dense", "bm25", "hybrid"],
      central: false,
      progress,
    });
    try {
      const reached = { ...composition(world), ...(await searching(world, retrieval, progress)) } as Reached;
      return {
        reached,
        text: textFacts(world.documents.map(({ text }) => text)),
        templateGuard: templateGuard(
          world.documents,
          world.searches.map(({ gold }) => gold.document),
        ),
      };
    } finally {
      retrieval.close();
    }
  } finally {
    vectors.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function textFacts(texts: readonly string[]): TextFacts {
  const { vocabulary, beta, zipf } = heapsAndZipf(texts);
  return { vocabulary, heapsBeta: beta, zipfExponent: zipf, repeated: repeatedNgrams(texts, 5) };
}
