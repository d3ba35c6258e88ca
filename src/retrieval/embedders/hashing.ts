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
      for (const [feature, { count, weight }] of featuresOf(text)) {
        const value = weight * (1 + Math.log(count)) * (weights[feature % counters] as number);
        const place = (feature >>> 18) % dimensions;
        sums[place] = (sums[place] as number) + (feature & 0x8000000 ? -value : value);
      }
      return sums.every((sum) => sum === 0) ? emptyVector(dimensions) : unitIntegers(sums);
    },
  };
}

interface Occurrences {
  count: number;
  readonly weight: number;
}

const wordWeight = 1;
const pairWeight = 0.5;
const pieceWeight = 0.3;
const pieceLength = 4;

/** The hashed features of a text with how often they occur. */
function featuresOf(text: string): Map<number, Occurrences> {
  const features = new Map<number, Occurrences>();
  const add = (feature: string, weight: number) => {
    const hash = hash32(feature);
    const known = features.get(hash);
    if (known === undefined) features.set(hash, { count: 1, weight });
    else known.count += 1;
  };
  let previous = "";
  for (const word of text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    add(word, wordWeight);
    if (previous !== "") add(`${previous} ${word}`, pairWeight);
    const bounded = `<${word}>`;
    for (let at = 0; at + pieceLength <= bounded.length; at += 1)
      add(`#${bounded.slice(at, at + pieceLength)}`, pieceWeight);
    previous = word;
  }
  return features;
}

/** FNV-1a over UTF-16 units, then MurmurHash3's final mix so that every bit depends on all of them. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
