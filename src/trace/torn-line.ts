import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";

const chunkBytes = 1 << 16;
const newline = 10;

/**
 * Makes a file of lines end with a whole one: a process that was killed may have left a part of its last line. What
 * stands after the last newline goes, unless it is a line that lacks its newline only. A missing file stays missing.
 */
export function dropTornLine(file: string, isWhole: (line: string) => boolean): void {
  if (!existsSync(file)) return;
  const descriptor = openSync(file, "r+");
  try {
    const size = fstatSync(descriptor).size;
    const end = endOfLastLine(descriptor, size);
    if (end === size) return;
    const rest = Buffer.alloc(size - end);
    readSync(descriptor, rest, 0, rest.length, end);
    if (isWhole(rest.toString("utf8"))) writeSync(descriptor, "\n", size);
    else ftruncateSync(descriptor, end);
  } finally {
    closeSync(descriptor);
  }
}

/** Where the last newline ends; 0 when there is none. */
function endOfLastLine(descriptor: number, size: number): number {
  const chunk = Buffer.alloc(chunkBytes);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - chunkBytes);
    const read = readSync(descriptor, chunk, 0, end - start, start);
    const at = chunk.subarray(0, read).lastIndexOf(newline);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}
