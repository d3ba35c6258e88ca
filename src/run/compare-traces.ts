import { closeSync, openSync, readSync } from "node:fs";

/** The first place where two traces part: the line's number from 1, and the line in each (null: it has ended). */
export interface TraceDifference {
  readonly line: number;
  readonly expected: string | null;
  readonly got: string | null;
}

/** Compares two traces byte for byte; null when they are equal. */
export function firstDifference(expectedFile: string, gotFile: string): TraceDifference | null {
  const expected = lines(expectedFile);
  const got = lines(gotFile);
  for (let line = 1; ; line++) {
    const a = expected.next();
    const b = got.next();
    if (a.done === true && b.done === true) return null;
    if (a.value !== b.value || a.done !== b.done) {
      return { line, expected: shown(a.value), got: shown(b.value) };
    }
  }
}

function shown(line: string | undefined): string | null {
  if (line === undefined) return null;
  return line.endsWith("\n") ? line.slice(0, -1) : `${line} (cut short: no newline)`;
}

const chunkBytes = 1 << 20;

/** The lines of a file with their newlines. */
function* lines(file: string): Generator<string, undefined> {
  const descriptor = openSync(file, "r");
  try {
    const chunk = Buffer.alloc(chunkBytes);
    let rest = Buffer.alloc(0);
    for (;;) {
      const read = readSync(descriptor, chunk, 0, chunkBytes, null);
      if (read === 0) {
        if (rest.length > 0) yield rest.toString("utf8");
        return;
      }
      const bytes = Buffer.concat([rest, chunk.subarray(0, read)]);
      let start = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        yield bytes.toString("utf8", start, end + 1);
        start = end + 1;
      }
      rest = Buffer.from(bytes.subarray(start));
    }
  } finally {
    closeSync(descriptor);
  }
}
