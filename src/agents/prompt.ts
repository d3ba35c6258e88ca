import { sha256 } from "../trace/hash.ts";

/**
 * A piece of a prompt: immutable, shared between all prompts that hold it, hashed once. Its text is whole lines, so
 * that the lines of a prompt are the lines of its segments: whoever reads a prompt line by line reads the same from
 * the segments as from the full text.
 */
export interface Segment {
  readonly text: string;
  readonly hash: string;
  readonly tokens: number;
  /** Room for what a reader makes of it, known for as long as it is in use. Nothing else goes by it. */
  reading?: unknown;
}

/** Segments that belong together, the site list for one; hashed once as a whole. */
export interface SegmentGroup {
  readonly segments: readonly Segment[];
  readonly hash: string;
  readonly tokens: number;
  /** As in a segment. */
  reading?: unknown;
}

export type PromptPart = Segment | SegmentGroup;

/** What a model is asked with, besides the text. */
export interface ModelParameters {
  readonly thinking: boolean;
  /** The most tokens the model may write, thoughts included. */
  readonly maxTokens: number;
}

/** All that a model gets to see: nothing else may influence its answer. */
export interface ModelRequest {
  readonly parts: readonly PromptPart[];
  readonly parameters: ModelParameters;
  /** Integer in [0, 2^31), from the keyed streams; sent to an endpoint as `seed`. */
  readonly seed: number;
}

/** Characters per token in English prose; an estimate is all there is without the model's own tokenizer. */
const charactersPerToken = 4;

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** Makes a segment; a missing last newline is added. */
export function segment(text: string): Segment {
  const lines = text.endsWith("\n") ? text : `${text}\n`;
  return { text: lines, hash: sha256(lines), tokens: estimateTokens(lines), reading: undefined };
}

export function group(segments: readonly Segment[]): SegmentGroup {
  let hashes = "";
  let tokens = 0;
  for (const each of segments) {
    hashes += each.hash;
    tokens += each.tokens;
  }
  return { segments, hash: sha256(hashes), tokens, reading: undefined };
}

export function isGroup(part: PromptPart): part is SegmentGroup {
  return "segments" in part;
}

/** Walks the segments of a prompt in order, those of groups included. */
export function* segmentsOf(parts: readonly PromptPart[]): Generator<Segment> {
  for (const part of parts) {
    if (isGroup(part)) yield* part.segments;
    else yield part;
  }
}

/** The full text of a prompt: only a real model needs it. */
export function promptText(parts: readonly PromptPart[]): string {
  let text = "";
  for (const each of segmentsOf(parts)) text += each.text;
  return text;
}

export function promptTokens(parts: readonly PromptPart[]): number {
  let tokens = 0;
  for (const part of parts) tokens += part.tokens;
  return tokens;
}
