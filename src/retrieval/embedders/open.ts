import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { InputError } from "../../errors.ts";
import type { Embedder } from "./embedder.ts";
import { countFrequencies, type DocumentFrequencies, hashingEmbedder } from "./hashing.ts";
import { sentenceEmbedder } from "./sentence.ts";
import { openTransformersEmbedder } from "./transformers.ts";

/**
 * The built-in embedder a scenario names. `hashing` weighs features by the `texts` of the corpus, counted once and kept
 * in `frequencyFile`. Throws an InputError on an unknown name.
 */
export async function openEmbedder(
  name: string,
  texts: () => Iterable<string>,
  frequencyFile: string,
): Promise<Embedder> {
  if (name === "sentence") return sentenceEmbedder();
  if (name === "hashing") return hashingEmbedder(keptFrequencies(texts, frequencyFile));
  const model = /^transformers\/(.+)$/.exec(name)?.[1];
  if (model !== undefined) return openTransformersEmbedder(model);
  throw new InputError(`no embedder "${name}"; there are sentence, hashing and transformers/<model or directory>`, {
    field: "embedder",
  });
}

/** Counts as 32-bit integers, the number of documents before them, the SHA-256 of both after them. */
function keptFrequencies(texts: () => Iterable<string>, file: string): DocumentFrequencies {
  const kept = existsSync(file) ? parse(readFileSync(file)) : undefined;
  if (kept !== undefined) return kept;
  const counted = countFrequencies(texts());
  const body = Buffer.concat([
    Buffer.from(Uint32Array.of(counted.documents).buffer),
    Buffer.from(counted.counts.buffer),
  ]);
  const partial = `${file}.${process.pid}.partial`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(partial, Buffer.concat([body, digest(body)]));
  renameSync(partial, file);
  return counted;
}

function parse(bytes: Buffer): DocumentFrequencies | undefined {
  const body = Buffer.copyBytesFrom(bytes, 0, Math.max(0, bytes.length - 32));
  if (body.length === 0 || !digest(body).equals(bytes.subarray(body.length))) return undefined;
  const numbers = new Uint32Array(body.buffer, body.byteOffset, body.length / 4);
  return { documents: numbers[0] as number, counts: numbers.slice(1) };
}

const digest = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest();
