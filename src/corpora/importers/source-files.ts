import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import unbzip2 from "unbzip2-stream";
import { InputError } from "../../errors.ts";
import { requireFile } from "../files.ts";

/** A longer line is no record: something else was given. */
const longestLine = 256 << 20;

/** The bytes of a file, unpacked when its name ends in `.gz` or `.bz2`. Throws an InputError when there is none. */
export function openBytes(file: string): Readable {
  requireFile(file);
  const packed = createReadStream(file, { highWaterMark: 1 << 16 });
  if (!/\.(gz|bz2)$/.test(file)) return packed;
  const unpacked = file.endsWith(".gz") ? packed.pipe(createGunzip({ chunkSize: 1 << 16 })) : unpackBzip2(packed);
  packed.on("error", (error) => unpacked.destroy(error));
  unpacked.on("close", () => packed.destroy());
  return unpacked;
}

/** The unpacker is a stream of the old kind, which hands neither errors nor iteration on. */
function unpackBzip2(packed: Readable): Readable {
  const unpacked = new PassThrough();
  const old = packed.pipe(unbzip2());
  old.on("error", (error) => unpacked.destroy(error));
  old.pipe(unpacked);
  return unpacked;
}

/**
 * The lines of a file as bytes, without their line feed, numbered from 1. Each line can so be decoded, and refused,
 * by itself. Throws an InputError when the file is damaged or a line is longer than 256 MiB.
 */
export async function* readByteLines(file: string): AsyncGenerator<{ bytes: Buffer; line: number }> {
  const source = openBytes(file);
  let pieces: Buffer[] = [];
  let held = 0;
  let line = 1;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        const last = chunk.subarray(start, end);
        yield { bytes: pieces.length === 0 ? last : Buffer.concat([...pieces, last]), line };
        pieces = [];
        held = 0;
        line += 1;
        start = end + 1;
      }
      if (start < chunk.length) pieces.push(Buffer.from(chunk.subarray(start)));
      held += chunk.length - start;
      if (held > longestLine) throw new Error("a line is longer than 256 MiB");
    }
  } catch (error) {
    throw new InputError(`cannot be read (${(error as Error).message}); fetch the file again`, { file, line });
  } finally {
    source.destroy();
  }
  if (pieces.length > 0) yield { bytes: Buffer.concat(pieces), line };
}

/**
 * The files at `path`: itself, or all files below it whose name `pattern` matches, sorted by path. Throws an
 * InputError when there is nothing.
 */
export function filesAt(path: string, pattern: RegExp, what: string): string[] {
  if (!existsSync(path)) throw new InputError("there is no such file or directory", { file: path });
  if (statSync(path).isFile()) return [path];
  const names = (readdirSync(path, { recursive: true }) as string[]).filter((name) => pattern.test(name)).sort();
  const files = names.map((name) => join(path, name)).filter((file) => statSync(file).isFile());
  if (files.length === 0) throw new InputError(`holds no ${what}`, { file: path });
  return files;
}

/** The one file of a folder that `pattern` matches. Throws an InputError when there is none, or several. */
export function onlyFile(directory: string, names: readonly string[], pattern: RegExp, what: string): string {
  const found = names.filter((name) => pattern.test(name));
  if (found.length === 1) return join(directory, found[0] as string);
  throw new InputError(`expected one file that is ${what}, found ${found.length === 0 ? "none" : found.join(", ")}`, {
    file: directory,
  });
}
