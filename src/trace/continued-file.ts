import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";

/** A file that was begun before holds something else than what is to be written now. */
class GoesAnotherWay extends Error {
  override readonly name = "GoesAnotherWay";

  constructor(file: string, line: number) {
    super(
      `${file}:${line}: what happens now is not what was written there before; this file or the tape is damaged, ` +
        "or awesim is another one (delete the file to go on without this comparison)",
    );
  }
}

/** A file whose writer was interrupted and now begins anew: what it holds is compared, what follows is appended. */
export class ContinuedFile {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #held: number;
  #position = 0;
  #line = 1;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, "a+");
    this.#held = fstatSync(this.#descriptor).size;
  }

  /** @throws GoesAnotherWay when the file holds other bytes at this place */
  write(bytes: Buffer): void {
    const known = this.#position < this.#held ? this.#compare(bytes) : 0;
    // A single write may take less than it was given.
    for (let at = known; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    this.#position += bytes.length;
  }

  /** How many of the bytes the file holds already. */
  #compare(bytes: Buffer): number {
    const known = Math.min(bytes.length, this.#held - this.#position);
    const held = Buffer.alloc(known);
    readSync(this.#descriptor, held, 0, known, this.#position);
    for (let at = 0; at < known; at++) {
      if (held[at] !== bytes[at]) throw new GoesAnotherWay(this.#path, this.#line);
      if (held[at] === 10) this.#line++;
    }
    return known;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
