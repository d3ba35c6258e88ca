import { existsSync, readFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { InputError } from "../../errors.ts";
import {
  type CorpusImport,
  type ImportOptions,
  type ImportReport,
  importCorpus,
  objectIn,
  type Place,
  textIn,
} from "./corpus-import.ts";
import { filesAt } from "./source-files.ts";

/** A page that unpacks to more is damage. */
const longestPage = 64 << 20;

/**
 * Makes a corpus of ClueWeb22's text records (`txt/en/en00/en0000/en0000-00.json.gz`): `source` is one such file, or a
 * folder that holds them. Each has its `.offset` file beside it and is a row of gzip members, one a page; a damaged
 * member costs one page. The title is the first line of `Clean-Text`, the site the host of `URL`.
 */
export function importClueweb22(source: string, options: ImportOptions): Promise<ImportReport> {
  const files = filesAt(source, /\.json\.gz$/, "file of text records (.json.gz)");
  for (const file of files) offsetFileOf(file);
  const head = {
    name: "clueweb22",
    version: "1",
    language: "en",
    licence: "ClueWeb22 licence agreement; not to be passed on",
    description: "Pages of ClueWeb22 (Overwijk et al. 2022)",
  };
  return importCorpus(head, options, async (corpus) => {
    for (const file of files) await addFile(corpus, file);
  });
}

async function addFile(corpus: CorpusImport, file: string): Promise<void> {
  const handle = await open(file);
  try {
    const offsets = await readOffsets(file, (await handle.stat()).size);
    for (let n = 0; n + 1 < offsets.length; n++) {
      const place = { file, record: n + 1 };
      const text = await readMember(handle, offsets[n] as number, offsets[n + 1] as number);
      const record = text === null ? null : objectIn(text);
      if (record === null) corpus.refuse(place, "a page that is no gzip member with a JSON object");
      else addPage(corpus, record, place);
    }
  } finally {
    await handle.close();
  }
}

function addPage(corpus: CorpusImport, record: Record<string, unknown>, place: Place): void {
  const [title = "", ...text] = textIn(record["Clean-Text"]).trim().split("\n");
  corpus.document(
    {
      id: textIn(record["ClueWeb22-ID"]),
      url: textIn(record["URL"]).trim(),
      title: title.trim(),
      text: text.join("\n").trim(),
    },
    place,
  );
}

async function readMember(handle: FileHandle, start: number, end: number): Promise<string | null> {
  const bytes = Buffer.alloc(end - start);
  await handle.read(bytes, 0, bytes.length, start);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(gunzipSync(bytes, { maxOutputLength: longestPage }));
  } catch {
    return null;
  }
}

/** Where the members of a file begin, and where the last one ends: lines of ten digits. */
async function readOffsets(file: string, size: number): Promise<number[]> {
  const offsetFile = offsetFileOf(file);
  const offsets: number[] = [];
  readFileSync(offsetFile, "latin1")
    .split("\n")
    .forEach((text, index) => {
      if (text.trim() === "") return;
      const offset = /^\d{10}$/.test(text.trim()) ? Number(text) : Number.NaN;
      if (!(offset >= (offsets.at(-1) ?? 0) && offset <= size)) {
        throw new InputError(
          `expected ten digits, not below the line before and not beyond the ${size} bytes of its file, got ${JSON.stringify(text.slice(0, 40))}`,
          { file: offsetFile, line: index + 1 },
        );
      }
      offsets.push(offset);
    });
  if (offsets.length > 0 && (offsets.at(-1) as number) < size) offsets.push(size);
  return offsets;
}

function offsetFileOf(file: string): string {
  const found = [file.replace(/\.json\.gz$/, ".offset"), file.replace(/\.gz$/, ".offset")].find((path) =>
    existsSync(path),
  );
  if (found !== undefined) return found;
  throw new InputError("has no .offset file beside it, which says where its pages begin", { file });
}
