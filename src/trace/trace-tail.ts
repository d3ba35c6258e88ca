import { join } from "node:path";
import { InputError } from "../errors.ts";
import { DamagedFile } from "./damaged-file.ts";
import type { Fact } from "./facts.ts";
import { LineTail } from "./line-tail.ts";
import { traceFormat } from "./trace-writer.ts";

/** Reads a run's trace in constant memory, also one that is being written, or that ends in the middle of a line. */
export class TraceTail {
  readonly #file: string;
  readonly #lines: LineTail;
  #ended = false;
  #level: string | null = null;

  /** @throws InputError when there is no trace */
  constructor(directory: string) {
    this.#file = join(directory, "trace.jsonl");
    this.#lines = new LineTail(this.#file);
  }

  /** What the trace holds, as its head says; null before that was read. */
  get level(): string | null {
    return this.#level;
  }

  /** Whether the last line, which only a run that completed writes, was read. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * The facts up to the end as it is now; called again, those that were written since.
   * @param isWanted by a line's text, so that others need not be parsed
   * @throws InputError when it is no trace that this awesim reads; DamagedFile when a line is no fact
   */
  *facts(isWanted: (line: string) => boolean = () => true): Generator<Fact> {
    for (const line of this.#lines.lines()) {
      if (this.#lines.number === 1) this.#checkHead(line);
      else if (line.startsWith('{"type":"trace.end"')) this.#ended = true;
      else if (isWanted(line)) yield this.#parse(line);
    }
  }

  close(): void {
    this.#lines.close();
  }

  #parse(line: string): Fact {
    const fact = parse(line) as Partial<Fact> | null;
    if (typeof fact?.type !== "string" || typeof fact.t !== "number") {
      throw new DamagedFile(this.#file, this.#lines.number);
    }
    return fact as Fact;
  }

  #checkHead(line: string): void {
    const head = parse(line) as Partial<typeof traceFormat & { level: string }> | null;
    this.#level = head?.level ?? null;
    if (head?.format === traceFormat.format && head.version === traceFormat.version) return;
    const expected = `expected a trace of format ${traceFormat.format}, version ${traceFormat.version}`;
    throw new InputError(`${expected}, got ${line.slice(0, 80)}`, { file: this.#file, line: 1 });
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
