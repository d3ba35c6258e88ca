import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { checked } from "../corpora/json-lines.ts";
import { InputError } from "../errors.ts";
import type { Embedder } from "./embedders/embedder.ts";

/** What a corpus may ship the vectors of: its documents, its topics, and the texts that some run searched for. */
export type VectorPart = "documents" | "topics" | "searches";

const headSchema = z.object({
  format: z.literal("awesim-vectors"),
  version: z.literal(1),
  embedder: z.string(),
  identity: z.string(),
  dimensions: z.number().int().positive(),
  /** Of the file of integers. */
  sha256: z.string(),
  /** The SHA-256 of the text of each vector, in their order. */
  texts: z.array(z.string()),
});

export interface ShippedVectors {
  /** Of their file; empty when there is none. */
  readonly sha256: string;
  /** By the SHA-256 of their text. */
  readonly byText: ReadonlyMap<string, Int16Array>;
}

const noVectors: ShippedVectors = { sha256: "", byText: new Map() };

/**
 * Writes `vectors/<embedder>.<part>.i16` (the integers, little-endian, a vector after the other) and its head
 * `.json` into a corpus directory.
 */
export function writeVectors(
  directory: string,
  part: VectorPart,
  embedder: Pick<Embedder, "name" | "identity" | "dimensions">,
  vectors: ReadonlyMap<string, Int16Array>,
): void {
  const integers = new Int16Array(vectors.size * embedder.dimensions);
  [...vectors.values()].forEach((vector, row) => integers.set(vector, row * embedder.dimensions));
  const bytes = Buffer.from(integers.buffer);
  const { head, body } = filesOf(directory, part, embedder.name);
  mkdirSync(join(directory, "vectors"), { recursive: true });
  writeWhole(body, bytes);
  writeWhole(
    head,
    `${JSON.stringify({
      format: "awesim-vectors",
      version: 1,
      embedder: embedder.name,
      identity: embedder.identity,
      dimensions: embedder.dimensions,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      texts: [...vectors.keys()],
    } satisfies z.input<typeof headSchema>)}\n`,
  );
}

/**
 * The vectors a corpus ships for `embedder`: none when there are none or they were made by another version of the
 * embedder. Throws an InputError when the files are damaged.
 */
export function readVectors(
  directory: string,
  part: VectorPart,
  embedder: Pick<Embedder, "name" | "identity" | "dimensions">,
): ShippedVectors {
  const { head: headFile, body } = filesOf(directory, part, embedder.name);
  if (!existsSync(headFile)) return noVectors;
  const head = checked(headSchema, parseJson(headFile), { file: headFile });
  if (head.identity !== embedder.identity || head.dimensions !== embedder.dimensions) return noVectors;

  const remedy = `fetch both files again, or delete them to have the vectors made anew`;
  if (!existsSync(body)) throw new InputError(`there is no such file beside its head; ${remedy}`, { file: body });
  const bytes = readFileSync(body);
  if (createHash("sha256").update(bytes).digest("hex") !== head.sha256) {
    throw new InputError(`does not hold what its head says (SHA-256 ${head.sha256}); ${remedy}`, { file: body });
  }
  const integers = int16View(bytes);
  const vectorOf = (row: number) => integers.subarray(row * head.dimensions, (row + 1) * head.dimensions);
  return { sha256: head.sha256, byText: new Map(head.texts.map((text, row) => [text, vectorOf(row)])) };
}

/** The 16-bit integers a buffer holds. */
export function int16View(bytes: Buffer): Int16Array {
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : Buffer.copyBytesFrom(bytes);
  return new Int16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 2);
}

/** A name as part of a file name. */
export const fileSafe = (name: string): string => name.replace(/[^A-Za-z0-9.-]+/g, "-");

function filesOf(directory: string, part: VectorPart, embedder: string): { head: string; body: string } {
  const stem = join(directory, "vectors", `${fileSafe(embedder)}.${part}`);
  return { head: `${stem}.json`, body: `${stem}.i16` };
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new InputError(`is not JSON (${(error as Error).message}); delete it or fetch it again`, { file });
  }
}

function writeWhole(file: string, content: string | Buffer): void {
  const partial = `${file}.${process.pid}.partial`;
  writeFileSync(partial, content);
  renameSync(partial, file);
}
