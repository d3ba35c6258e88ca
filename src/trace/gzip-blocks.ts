import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { DamagedFile } from "./damaged-file.ts";

// A compressed file is a row of gzip members, each of which names its own length in an extra field of its header, as
// RFC 1952 provides for. Any gzip reads the file from its beginning; this reader finds a place without what is before.

/** Bytes in a block before compression, about. */
const blockBytes = 1 << 20;
/** Blocks kept decompressed. */
const keptBlocks = 4;

const headBytes = 20;
const tailBytes = 8;
/** Magic, method deflate, an extra field, no time, no system; then the extra field: 8 bytes, "AW", 4 bytes long. */
const head = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 8, 0, 0x41, 0x57, 4, 0]);

/** Replaces a file by its compressed form, in one step. */
export function compressFile(file: string): void {
  const draft = `${file}.gz.new`;
  const [from, to] = [openSync(file, "r"), openSync(draft, "w")];
  try {
    const chunk = Buffer.alloc(blockBytes);
    for (;;) {
      const read = readSync(from, chunk, 0, blockBytes, null);
      if (read === 0) break;
      const block = member(chunk.subarray(0, read));
      for (let at = 0; at < block.length; ) at += writeSync(to, block, at);
    }
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(from);
    closeSync(to);
  }
  renameSync(draft, `${file}.gz`);
  rmSync(file);
}

function member(bytes: Buffer): Buffer {
  const packed = deflateRawSync(bytes, { level: 9 });
  const length = Buffer.alloc(4);
  length.writeUInt32LE(headBytes + packed.length + tailBytes);
  const tail = Buffer.alloc(tailBytes);
  tail.writeUInt32LE(crc32(bytes), 0);
  tail.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, length, packed, tail]);
}

interface Block {
  /** Where it stands in the file, and in what it decompresses to. */
  readonly at: number;
  readonly length: number;
  readonly start: number;
  readonly size: number;
}

/** The bytes of a file that `compressFile` made, as they were before. */
export class GzipBytes {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #blocks: Block[] = [];
  readonly #kept = new Map<number, Buffer>();

  /** @throws DamagedFile */
  constructor(file: string) {
    this.#file = file;
    this.#descriptor = openSync(file, "r");
    const size = fstatSync(this.#descriptor).size;
    for (let at = 0, start = 0; at < size; ) {
      const begin = this.#read(at, headBytes);
      if (!begin.subarray(0, head.length).equals(head)) throw this.#damaged();
      const length = begin.readUInt32LE(head.length);
      if (length < headBytes + tailBytes || at + length > size) throw this.#damaged();
      const block = { at, length, start, size: this.#read(at + length - 4, 4).readUInt32LE(0) };
      this.#blocks.push(block);
      at += length;
      start += block.size;
    }
  }

  at(offset: number, length: number): Buffer {
    const parts: Buffer[] = [];
    let [from, left] = [offset, length];
    for (let index = this.#indexOf(offset); left > 0 && index < this.#blocks.length; index++) {
      const { start } = this.#blocks[index] as Block;
      const part = this.#block(index).subarray(from - start, from - start + left);
      parts.push(part);
      from += part.length;
      left -= part.length;
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** The block that holds a place; past the last one where there is none. */
  #indexOf(offset: number): number {
    let [low, high] = [0, this.#blocks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { start, size } = this.#blocks[middle] as Block;
      if (start + size <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #block(index: number): Buffer {
    const known = this.#kept.get(index);
    if (known !== undefined) return known;
    const { at, length, size } = this.#blocks[index] as Block;
    const bytes = this.#read(at, length);
    const block = this.#inflate(bytes.subarray(headBytes, length - tailBytes), size);
    if (crc32(block) !== bytes.readUInt32LE(length - tailBytes)) throw this.#damaged();
    this.#kept.set(index, block);
    if (this.#kept.size > keptBlocks) this.#kept.delete(this.#kept.keys().next().value as number);
    return block;
  }

  #inflate(packed: Buffer, size: number): Buffer {
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
    } catch {
      throw this.#damaged();
    }
  }

  #read(offset: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    if (readSync(this.#descriptor, bytes, 0, length, offset) < length) throw this.#damaged();
    return bytes;
  }

  #damaged(): DamagedFile {
    return new DamagedFile(this.#file, null, "the compressed file is damaged");
  }
}
