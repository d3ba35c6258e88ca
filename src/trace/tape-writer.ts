import { join } from "node:path";
import { BatchFile } from "./batch-file.ts";
import { formatTapeLine, type TapeLine, tapeFormat } from "./tape-line.ts";

/** Writes a run's tape and, beside it, each text that is needed again, once. */
export class TapeWriter {
  readonly #tape: BatchFile;
  readonly #texts: BatchFile;
  readonly #known = new Set<string>();
  #owesSync = false;
  #isClosed = false;

  constructor(directory: string) {
    this.#tape = new BatchFile(join(directory, "tape.jsonl"), "w");
    this.#texts = new BatchFile(join(directory, "texts.jsonl"), "w");
    this.#tape.append(`${JSON.stringify(tapeFormat)}\n`);
  }

  /**
   * Records an answer. A paid one is handed to the operating system before this returns, so that it survives a kill;
   * free ones are batched. An answer that comes when the tape is closed already, after a stop, is let go.
   */
  record(line: TapeLine, paid: boolean): void {
    if (this.#isClosed) return;
    this.#tape.append(formatTapeLine(line));
    if (!paid) return;
    this.#texts.flush();
    this.#tape.flush();
    this.#owesSync = true;
  }

  /** Records a text, once. */
  recordText(sha256: string, text: string): void {
    if (this.#isClosed || this.#known.has(sha256)) return;
    this.#known.add(sha256);
    this.#texts.append(`${JSON.stringify({ sha256, text })}\n`);
  }

  /** Flushes; paid answers are put on the disk. Its caller knows how often that is due. */
  sync(): void {
    this.#texts.flush();
    this.#tape.flush();
    if (!this.#owesSync) return;
    this.#texts.sync();
    this.#tape.sync();
    this.#owesSync = false;
  }

  close(): void {
    this.sync();
    this.#texts.close();
    this.#tape.close();
    this.#isClosed = true;
  }
}
