import { type LineBytes, openLines } from "./line-bytes.ts";

const chunkBytes = 1 << 18;
const newline = 10;

/** Gives the whole lines of a file one after the other, also of one that another process is still writing. */
export class LineTail {
  readonly #bytes: LineBytes;
  #rest: Buffer = Buffer.alloc(0);
  #position = 0;
  #number = 0;

  /** @throws InputError when there is no such file, compressed or not */
  constructor(file: string) {
    this.#bytes = openLines(file);
  }

  /** The number of the line given last, from 1. */
  get number(): number {
    return this.#number;
  }

  /** The lines up to the end as it is now, without their newlines. A line that has none yet waits for the next call. */
  *lines(): Generator<string> {
    for (;;) {
      const bytes = this.#rest;
      let start = 0;
      for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
        const line = bytes.toString("utf8", start, end);
        start = end + 1;
        this.#rest = bytes.subarray(start); // whoever stops here goes on with the next line
        this.#number++;
        yield line;
      }
      const chunk = this.#bytes.at(this.#position, chunkBytes);
      if (chunk.length === 0) return;
      this.#position += chunk.length;
      this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    }
  }

  close(): void {
    this.#bytes.close();
  }
}
