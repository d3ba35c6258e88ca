import { existsSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../errors.ts";
import { DamagedFile } from "./damaged-file.ts";
import { compressFile } from "./gzip-blocks.ts";
import { type LineBytes, openLines } from "./line-bytes.ts";
import { parseTapeLine, type TapeLine, tapeAddress, tapeFormat } from "./tape-line.ts";

interface Place {
  readonly offset: number;
  readonly length: number;
}

const tapeFiles = ["tape.jsonl", "texts.jsonl"] as const;

/** The files of a run directory that hold what its ports answered, compressed or not. */
export function tapeFilesOf(directory: string): string[] {
  return tapeFiles.map((name) => (existsSync(join(directory, name)) ? name : `${name}.gz`));
}

/** Compresses what a completed run's ports answered. */
export function compressTape(directory: string): void {
  for (const name of tapeFiles) if (existsSync(join(directory, name))) compressFile(join(directory, name));
}

/** Reads a tape by address. It remembers where each answer stands, not the answers. */
export class TapeReader {
  readonly #file: string;
  readonly #bytes: LineBytes;
  readonly #places = new Map<string, Place>();
  readonly #window: FileWindow;

  /**
   * @param tornEnd whether a last line that is cut short is damage, or left out since the run may have been killed
   * @throws DamagedFile when a line is damaged; InputError when there is no tape of a version that this awesim reads
   */
  constructor(directory: string, tornEnd: "damage" | "leave out" = "damage") {
    this.#file = join(directory, "tape.jsonl");
    this.#bytes = openLines(this.#file);
    this.#window = new FileWindow(this.#bytes);
    let number = 0;
    for (const { text, place, isEnded } of linesOf(this.#bytes)) {
      number++;
      if (number === 1) this.#checkHead(text);
      else if (isEnded || tornEnd === "damage" || parseTapeLine(text) !== null)
        this.#places.set(tapeAddress(this.#parse(text, number)), place);
    }
    if (number === 0)
      throw new InputError("the tape is empty; the run it belongs to never began", { file: this.#file });
  }

  get(address: string): TapeLine | undefined {
    const place = this.#places.get(address);
    return place === undefined ? undefined : (JSON.parse(this.#window.read(place)) as TapeLine);
  }

  /** All lines, in the order of arrival. */
  *lines(): Generator<TapeLine> {
    for (const place of this.#places.values()) yield JSON.parse(this.#window.read(place)) as TapeLine;
  }

  close(): void {
    this.#bytes.close();
  }

  #checkHead(text: string): void {
    const head = safeParse(text);
    if (head?.["format"] === tapeFormat.format && head["version"] === tapeFormat.version) return;
    throw new InputError(`expected a tape of version ${tapeFormat.version}, got ${text.slice(0, 80)}`, {
      file: this.#file,
      line: 1,
    });
  }

  #parse(text: string, line: number): TapeLine {
    const parsed = parseTapeLine(text);
    if (parsed === null) throw new DamagedFile(this.#file, line);
    return parsed;
  }
}

/** The texts of a run by their SHA-256. */
export function readTexts(directory: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { sha256, text } of textLines(directory)) texts.set(sha256, text);
  return texts;
}

/** The SHA-256 of each text that a run has recorded. */
export function* recordedTexts(directory: string): Generator<string> {
  for (const { sha256 } of textLines(directory)) yield sha256;
}

/** Those of a run's texts that are wanted, by their SHA-256; the others are read over. */
export function findTexts(directory: string, wanted: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>();
  if (wanted.size === 0) return found;
  for (const { sha256, text } of textLines(directory)) {
    if (wanted.has(sha256)) found.set(sha256, text);
    if (found.size === wanted.size) break;
  }
  return found;
}

interface RecordedText {
  readonly sha256: string;
  readonly text: string;
}

/** Reads a line of texts.jsonl without its newline; null when it is damaged. */
export function parseTextLine(text: string): RecordedText | null {
  const line = safeParse(text);
  const isWhole = typeof line?.["sha256"] === "string" && typeof line["text"] === "string";
  return isWhole ? (line as unknown as RecordedText) : null;
}

function* textLines(directory: string): Generator<RecordedText> {
  const file = join(directory, "texts.jsonl");
  const bytes = openLines(file);
  let number = 0;
  try {
    for (const { text } of linesOf(bytes)) {
      number++;
      const line = parseTextLine(text);
      if (line === null) throw new DamagedFile(file, number);
      yield line;
    }
  } finally {
    bytes.close();
  }
}

function safeParse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    return null;
  }
}

const chunkBytes = 1 << 20;

/** The lines of a file with their places; the last one may lack its newline. */
function* linesOf(file: LineBytes): Generator<{ text: string; place: Place; isEnded: boolean }> {
  let rest = Buffer.alloc(0);
  let restOffset = 0;
  for (let position = 0; ; ) {
    const chunk = file.at(position, chunkBytes);
    position += chunk.length;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      const place = { offset: restOffset + start, length: end - start };
      yield { text: bytes.toString("utf8", start, end), place, isEnded: true };
      start = end + 1;
    }
    rest = Buffer.from(bytes.subarray(start));
    restOffset += start;
    if (chunk.length === 0) {
      if (rest.length > 0) {
        const place = { offset: restOffset, length: rest.length };
        yield { text: rest.toString("utf8"), place, isEnded: false };
      }
      return;
    }
  }
}

/** Reads stretches of a file that mostly follow one another, with jumps back: a window of it moves forward only. */
class FileWindow {
  readonly #file: LineBytes;
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(file: LineBytes) {
    this.#file = file;
  }

  read({ offset, length }: Place): string {
    if (offset < this.#start) return this.#file.at(offset, length).toString("utf8");
    if (offset + length > this.#start + this.#bytes.length) {
      this.#bytes = this.#file.at(offset, Math.max(length, chunkBytes));
      this.#start = offset;
    }
    return this.#bytes.toString("utf8", offset - this.#start, offset - this.#start + length);
  }
}
