import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { BatchFile } from "./batch-file.ts";
import { formatTapeLine, parseTapeLine, type TapeLine, tapeFormat } from "./tape-line.ts";
import { parseTextLine, recordedTexts } from "./tape-reader.ts";
import { dropTornLine } from "./torn-line.ts";

/** Writes a run's tape and, beside it, each text that is needed again, once. */
export class TapeWriter {
  readonly #tape: BatchFile;
  readonly #texts: BatchFile;
  readonly #known: Set<string>;
  #owesSync = false;
  #isClosed = false;

  /** @param mode `continue` goes on with the tape of a run that was interrupted; a torn last line is left out */
  constructor(directory: string, mode: "begin" | "continue" = "begin") {
    const [tape, texts] = [join(directory, "tape.jsonl"), join(directory, "texts.jsonl")];
    if (mode === "continue") {
      dropTornLine(tape, (line) => parseTapeLine(line) !== null);
      dropTornLine(texts, (line) => parseTextLine(line) !== null);
    }
    const continues = mode === "continue" && existsSync(tape) && statSync(tape).size > 0;
    this.#known = new Set(continues && existsSync(texts) ? recordedTexts(directory) : []);
    this.#tape = new BatchFile(tape, continues ? "a" : "w");
    this.#texts = new BatchFile(texts, continues ? "a" : "w");
    if (continues) return;
    this.#tape.append(`${JSON.stringify(tapeFormat)}\n`);
    this.#tape.flush();
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

  /** Hands what is batched to the operating system. */
  flush(): void {
    this.#texts.flush();
    this.#tape.flush();
  }

  /** Flushes; paid answers are put on the disk. Its caller knows how often that is due. */
  sync(): void {
    this.flush();
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
