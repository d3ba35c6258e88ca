import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

const batchCharacters = 1 << 16;

/**
 * A file of lines, appended in batches. After a write that failed, on a full disk for one, nothing more is written:
 * what would follow belongs behind what is missing.
 */
export class BatchFile {
  readonly #descriptor: number;
  #batch = "";
  #isBroken = false;

  constructor(path: string, flags: "w" | "a") {
    this.#descriptor = openSync(path, flags);
  }

  append(text: string): void {
    this.#batch += text;
    if (this.#batch.length >= batchCharacters) this.flush();
  }

  /** Hands what is batched to the operating system: it then survives a kill of this process. */
  flush(): void {
    if (this.#batch === "") return;
    const bytes = Buffer.from(this.#batch, "utf8");
    this.#batch = "";
    this.write(bytes);
  }

  /** Writes bytes at once; not to be mixed with batched lines that are still to be flushed. */
  write(bytes: Buffer): void {
    if (this.#isBroken) return;
    try {
      // A single write may take less than it was given.
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  }

  /** Asks the operating system to put everything on the disk. */
  sync(): void {
    this.flush();
    fsyncSync(this.#descriptor);
  }

  close(): void {
    this.flush();
    closeSync(this.#descriptor);
  }
}
