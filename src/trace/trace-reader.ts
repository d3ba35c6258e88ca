import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../errors.ts";
import type { Fact } from "./facts.ts";
import { DamagedFile } from "./damaged-file.ts";

const chunkBytes = 1 << 20;

/**
 * The facts of a run's trace, in order. Throws an `InputError` where there is no trace, or one that leaves facts out;
 * `DamagedFile` for a line that is no JSON. A last line that a kill cut short is left out.
 */
export function* readFacts(directory: string): Generator<Fact> {
  const file = join(directory, "trace.jsonl");
  let number = 0;
  for (const text of wholeLines(file)) {
    number++;
    const line = parsed(text, file, number);
    if (number > 1) {
      if (line["type"] !== "trace.end") yield line as unknown as Fact;
    } else if (line["format"] !== "awesim-trace" || line["version"] !== 1) {
      throw new InputError("expected a trace of format awesim-trace, version 1", { file, line: 1 });
    } else if (line["level"] !== "full") {
      throw new InputError(
        `expected a full trace, got one of level ${String(line["level"])}; run it with --trace full`,
        {
          file,
          line: 1,
          field: "level",
        },
      );
    }
  }
}

function parsed(text: string, file: string, line: number): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new DamagedFile(file, line);
  }
}

function* wholeLines(file: string): Generator<string> {
  const descriptor = openOrFail(file);
  try {
    const chunk = Buffer.alloc(chunkBytes);
    let rest = Buffer.alloc(0);
    for (;;) {
      const read = readSync(descriptor, chunk, 0, chunkBytes, null);
      if (read === 0) return;
      const bytes = Buffer.concat([rest, chunk.subarray(0, read)]);
      let start = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        yield bytes.toString("utf8", start, end);
        start = end + 1;
      }
      rest = Buffer.from(bytes.subarray(start));
    }
  } finally {
    closeSync(descriptor);
  }
}

function openOrFail(file: string): number {
  try {
    return openSync(file, "r");
  } catch {
    throw new InputError("expected this file of a run directory; it is not there", { file });
  }
}
