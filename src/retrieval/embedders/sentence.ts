import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../package-root.ts";
import type { Embedder } from "./embedder.ts";
import { loadEncoder, transformersEmbedder } from "./transformers.ts";

/**
 * The shipped encoder's folder; its NOTICE says where it comes from.
 * @internal
 */
export const sentenceModelDirectory: string = join(packageRoot, "src/retrieval/sentence-model");

/** The encoder reads 128 pieces, of at most 16 characters each; cutting there spares the tokenizer the rest. */
const maximumCharacters = 128 * 16;

/**
 * The default embedder: Universal Sentence Encoder Lite, 512 dimensions, English, from the package's own files. It
 * reads the first 128 pieces of a text, about 100 words.
 */
export function sentenceEmbedder(): Embedder {
  const hash = createHash("sha256");
  for (const file of ["onnx/model.onnx", "tokenizer.json"]) {
    hash.update(readFileSync(join(sentenceModelDirectory, file)));
  }
  return transformersEmbedder("sentence", `sentence ${hash.digest("hex")}`, 512, () =>
    loadEncoder(sentenceModelDirectory, maximumCharacters),
  );
}
