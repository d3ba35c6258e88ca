import { createHash } from "node:crypto";
import { type Embedder, emptyVector, unitIntegers } from "./embedder.ts";

const dimensions = 512;
/** Features share this many counters of document frequency. */
const counters = 1 << 18;

/** In how many of `documents` texts each counter's features occur. */
export interface DocumentFrequencies {
  readonly documents: number;
  readonly counts: Uint32Array;
}

/** Counts the features of a corpus, for the weights of rare ones. */
export function countFrequencies(texts: Iterable<string>): DocumentFrequencies {
  const counts = new Uint32Array(counters);
  let documents = 0;
  for (const text of texts) {
    documents += 1;
    const seen = new Set<number>();
    for (const feature of featuresOf(text).keys()) seen.add(feature % counters);
    for (const counter of seen) counts[counter] = (counts[counter] as number) + 1;
  }
  return { documents, counts };
}

/**
 * Words, pairs of words and pieces of words, hashed with a sign into 512 dimensions (Weinberger et al., Feature
 * hashing for large scale multitask learning, 2009) and weighted by (1 + ln tf) * ln(N / df). What no document of the
 * corpus has counts nothing. Plain arithmetic: the same on every machine.
 */
export function hashingEmbedder(frequencies: DocumentFrequencies): Embedder {
  const weights = Float64Array.from(frequencies.counts, (count) =>
    count === 0 ? 0 : Math.log((frequencies.documents + 1) / count),
  );
  const hash = createHash("sha256").update(`${frequencies.documents}`).update(frequencies.counts).digest("hex");
  return {
    name: "hashing",
    identity: `hashing 1 ${hash}`,
    dimensions,
    costly: false,
    async embed(text) {
      const sums = new Float64Array(dimensions);
      for (const [feature, count] of featuresOf(text)) {
        const value =
          (kindWeights[feature & 3] as number) * (1 + Math.log(count)) * (weights[feature % counters] as number);
        const place = (feature >>> 18) % dimensions;
        sums[place] = (sums[place] as number) + (feature & 0x8000000 ? -value : value);
      }
      return sums.every((sum) => sum === 0) ? emptyVector(dimensions) : unitIntegers(sums);
    },
  };
}

/** The kinds of features; a feature's kind stands in its lowest two bits. */
const word = 0;
const pair = 1;
const piece = 2;
const kindWeights = [1, 0.5, 0.3] as const;
const pieceLength = 4;

/** The hashed features of a text with how often they occur. */
function featuresOf(text: string): Map<number, number> {
  const features = new Map<number, number>();
  const add = (hash: number, kind: number) => {
    const feature = ((hash & ~3) | kind) >>> 0;
    features.set(feature, (features.get(feature) ?? 0) + 1);
  };
  let previous = "";
  for (const [token] of text
    .normalize("NFKC")
    .toLowerCase()
    .matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    add(hash32(token), word);
    if (previous !== "") add(hash32(`${previous} ${token}`), pair);
    const bounded = `<${token}>`;
    for (let end = pieceLength; end <= bounded.length; end += 1) add(hash32(bounded, end - pieceLength, end), piece);
    previous = token;
  }
  return features;
}

/** FNV-1a over the UTF-16 units of a part of a text, then MurmurHash3's mix so that every bit depends on all. */
function hash32(text: string, start = 0, end = text.length): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
