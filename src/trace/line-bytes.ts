import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { InputError } from "../errors.ts";
import { GzipBytes } from "./gzip-blocks.ts";

/** A file's bytes, to be read at any place. */
export interface LineBytes {
  /** The bytes from a place on: as many as asked for, or fewer at the end. */
  at(offset: number, length: number): Buffer;
  close(): void;
}

/**
 * Opens a file of lines, or its compressed form, which has `.gz` at the end of its name.
 * @throws InputError when there is neither
 */
export function openLines(file: string): LineBytes {
  if (existsSync(file)) return new PlainBytes(openSync(file, "r"));
  if (existsSync(`${file}.gz`)) return new GzipBytes(`${file}.gz`);
  throw new InputError("expected this file of a run directory; it is not there", { file });
}

class PlainBytes implements LineBytes {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  at(offset: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const read = readSync(this.#descriptor, bytes, filled, length - filled, offset + filled);
      if (read === 0) break;
      filled += read;
    }
    return bytes.subarray(0, filled);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
