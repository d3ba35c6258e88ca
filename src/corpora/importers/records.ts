import { Transform } from "node:stream";
import { parse } from "csv-parse";
import { InputError } from "../../errors.ts";
import type { CorpusImport } from "./corpus-import.ts";
import { openBytes } from "./source-files.ts";

export interface SourceRecord {
  readonly record: Record<string, unknown>;
  /** Its first line, from 1; of a CSV record its last. */
  readonly line: number;
}

/** A longer CSV record is a quotation mark that nobody closed. */
const longestRecord = 64 << 20;

/**
 * The records of a table: CSV (RFC 4180) or TSV with a head line, by the file's name, else JSONL; each may be packed.
 * Records that cannot be read are refused. Throws an InputError on a damaged file.
 */
export async function* readRecords(corpus: CorpusImport, file: string): AsyncGenerator<SourceRecord> {
  const kind = /\.(csv|tsv)(\.gz|\.bz2)?$/.exec(file)?.[1];
  if (kind === undefined) {
    yield* corpus.objects(file);
    return;
  }
  const bytes = openBytes(file);
  const parser = bytes.pipe(withUnixLineEnds()).pipe(
    parse({
      bom: true,
      columns: true,
      delimiter: kind === "csv" ? "," : "\t",
      quote: kind === "csv" ? '"' : null,
      info: true,
      max_record_size: longestRecord,
      skip_empty_lines: true,
      skip_records_with_error: true,
    }),
  );
  bytes.on("error", (error) => parser.destroy(error));
  parser.on("skip", (error) => corpus.refuse({ file, line: error?.lines as number }, error?.message ?? "no record"));
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Record<string, string>;
      info: { lines: number };
    }>) {
      yield { record, line: info.lines };
    }
  } catch (error) {
    throw new InputError(`cannot be read (${(error as Error).message}); mend or fetch the file again`, { file });
  } finally {
    bytes.destroy();
  }
}

/** Takes the carriage return out of CRLF: csv-parse counts two lines for one within quotation marks. */
function withUnixLineEnds(): Transform {
  let held = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = held ? Buffer.concat([Buffer.from("\r"), chunk]) : chunk;
      held = bytes.at(-1) === 13;
      const text = (held ? bytes.subarray(0, -1) : bytes).toString("latin1").replaceAll("\r\n", "\n");
      done(null, Buffer.from(text, "latin1"));
    },
    flush(done) {
      done(null, held ? "\r" : null);
    },
  });
}
