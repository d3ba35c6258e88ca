import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { InputError } from "../../errors.ts";

/** The files in a .tar.gz whose names end in `extension`, sorted by name. Throws an InputError on a damaged archive. */
export async function readArchive(file: string, extension: string): Promise<{ name: string; bytes: Buffer }[]> {
  const files: { name: string; bytes: Buffer }[] = [];
  const entries = extract();
  const collect = async () => {
    for await (const entry of entries) {
      const chunks: Buffer[] = [];
      for await (const chunk of entry) chunks.push(chunk as Buffer);
      const { name, type } = entry.header;
      if (type === "file" && name.endsWith(extension)) files.push({ name, bytes: Buffer.concat(chunks) });
    }
  };
  try {
    await Promise.all([pipeline(createReadStream(file), createGunzip(), entries), collect()]);
  } catch (error) {
    throw new InputError(`is no sound .tar.gz archive (${(error as Error).message}); fetch it again`, { file });
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}
