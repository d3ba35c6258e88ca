import { join } from "node:path";
import { InputError } from "../errors.ts";
import type { Fact } from "./facts.ts";
import { TraceTail } from "./trace-tail.ts";

/**
 * The facts of a run's trace, in order. Throws an `InputError` where there is no trace, or one that leaves facts out;
 * `DamagedFile` for a line that is no fact. A last line that a kill cut short is left out.
 */
export function* readFacts(directory: string): Generator<Fact> {
  const trace = new TraceTail(directory);
  try {
    for (const fact of trace.facts()) {
      if (trace.level !== "full") throw incomplete(directory, trace.level);
      yield fact;
    }
  } finally {
    trace.close();
  }
}

function incomplete(directory: string, level: string | null): InputError {
  return new InputError(`expected a full trace, got one of level ${level}; run it with --trace full`, {
    file: join(directory, "trace.jsonl"),
    line: 1,
    field: "level",
  });
}
