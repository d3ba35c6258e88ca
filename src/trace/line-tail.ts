import { closeSync, openSync, readSync } from "node:fs";
import { InputError } from "../errors.ts";

const chunkBytes = 1 << 18;
const newline = 10;

/** Gives the whole lines of a file one after the other, also of one that another process is still writing. */
export class LineTail {
  readonly #descriptor: number;
  readonly #chunk = Buffer.alloc(chunkBytes);
  #rest: Buffer = Buffer.alloc(0);
  #position = 0;
  #number = 0;

  /** @throws InputError when the file cannot be opened */
  constructor(file: string) {
    try {
      this.#descriptor = openSync(file, "r");
    } catch {
      throw new InputError("expected this file of a run directory; it is not there", { file });
    }
  }

  /** The number of the line given last, from 1. */
  get number(): number {
    return this.#number;
  }

  /** The lines up to the end as it is now, without their newlines. A line that has none yet waits for the next call. */
  *lines(): Generator<string> {
    for (;;) {
      const read = readSync(this.#descriptor, this.#chunk, 0, chunkBytes, this.#position);
      if (read === 0) return;
      this.#position += read;
      const bytes = Buffer.concat([this.#rest, this.#chunk.subarray(0, read)]);
      let start = 0;
      for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
        const line = bytes.toString("utf8", start, end);
        start = end + 1;
        this.#rest = bytes.subarray(start); // whoever stops here goes on with the next line
        this.#number++;
        yield line;
      }
      this.#rest = bytes.subarray(start);
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
