import { createHash } from "node:crypto";
import { BatchFile } from "./batch-file.ts";
import { ContinuedFile } from "./continued-file.ts";
import type { Fact, FactType } from "./facts.ts";

/** What the first line of a trace says besides format and version. */
export interface TraceHead {
  readonly level: TraceLevel;
  readonly scenario: string;
  readonly scenarioSha256: string;
  readonly corpusSha256: string;
  /** Null where no index goes by vectors. */
  readonly vectorsSha256: string | null;
  readonly seed: number;
  readonly replication: number;
}

export const traceLevels = ["full", "messages", "summary"] as const;
export type TraceLevel = (typeof traceLevels)[number];

/** The types of facts that a level leaves out of the file; they still count in the stream's hash. */
const leftOut: Record<TraceLevel, ReadonlySet<FactType>> = {
  full: new Set(),
  messages: new Set<FactType>(["model.asked", "model.answered", "action.taken", "search.answered"]),
  summary: new Set<FactType>([
    "model.asked",
    "model.answered",
    "action.taken",
    "search.answered",
    "message.sent",
    "message.received",
    "site.contacted",
    "site.queued",
    "site.answered",
  ]),
};

const batchCharacters = 1 << 16;

export const traceFormat = { format: "awesim-trace", version: 1 } as const;

/**
 * Writes a run's facts as JSON lines and hashes them. `streamSha256`, the trace hash, is over the lines of all facts
 * with their newlines, without the head, and so the same at every level; it is there with and without a file.
 */
export class TraceWriter {
  readonly #stream = createHash("sha256");
  readonly #file = createHash("sha256");
  readonly #lines: BatchFile | ContinuedFile | null;
  readonly #left: ReadonlySet<FactType>;
  #streamBatch = "";
  #fileBatch = "";
  #facts = 0;
  #streamFacts = 0;

  /**
   * @param path where the trace goes, or null to hash only
   * @param continues compares with what an existing file holds, and goes on from its end, instead of overwriting it
   */
  constructor(path: string | null, head: TraceHead, continues = false) {
    this.#lines = path === null ? null : continues ? new ContinuedFile(path) : new BatchFile(path, "w");
    this.#left = leftOut[head.level];
    this.#fileBatch = `${JSON.stringify({ ...traceFormat, ...head })}\n`;
  }

  readonly write = (fact: Fact): void => {
    const line = `${JSON.stringify(fact)}\n`;
    this.#streamBatch += line;
    this.#streamFacts++;
    if (this.#left.size > 0 && !this.#left.has(fact.type)) {
      this.#fileBatch += line;
      this.#facts++;
    }
    if (this.#streamBatch.length >= batchCharacters) this.flush();
  };

  /** Hands what is batched to the operating system. */
  flush(): void {
    const stream = Buffer.from(this.#streamBatch, "utf8");
    this.#streamBatch = "";
    this.#stream.update(stream);
    this.#writeBytes(Buffer.from(this.#fileBatch, "utf8"));
    this.#fileBatch = "";
    if (this.#left.size > 0) return;
    // Nothing is left out: what goes into the file is the stream itself.
    this.#writeBytes(stream);
    this.#facts = this.#streamFacts;
  }

  #writeBytes(bytes: Buffer): void {
    this.#file.update(bytes);
    this.#lines?.write(bytes);
  }

  /** Ends the trace of a completed run with its last line; returns the trace hash. */
  end(): string {
    this.flush();
    const streamSha256 = this.#stream.digest("hex");
    const footer = {
      type: "trace.end",
      facts: this.#facts,
      sha256: this.#file.digest("hex"),
      streamFacts: this.#streamFacts,
      streamSha256,
    };
    this.#lines?.write(Buffer.from(`${JSON.stringify(footer)}\n`, "utf8"));
    this.#lines?.close();
    return streamSha256;
  }

  /** Leaves the trace without a last line: the run did not complete. */
  abandon(): void {
    this.flush();
    this.#lines?.close();
  }
}
