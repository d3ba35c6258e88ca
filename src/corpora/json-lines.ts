import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import type { z } from "zod";
import { InputError } from "../errors.ts";
import { requireFile } from "./files.ts";

/**
 * The lines of a UTF-8 text file, gzipped when its name ends in `.gz`, without their line feed. Only a line feed ends
 * a line: node:readline would also cut at U+2028, which JSON text may hold. Throws an InputError on a missing
 * or damaged file.
 */
async function* readLines(file: string): AsyncGenerator<string> {
  requireFile(file);
  const bytes = createReadStream(file, { highWaterMark: 1 << 16 });
  const source = file.endsWith(".gz") ? bytes.pipe(createGunzip({ chunkSize: 1 << 16 })) : bytes;
  bytes.on("error", (error) => source.destroy(error));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  let line = 1;
  try {
    for await (const chunk of source) {
      const pieces = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n");
      rest = pieces.pop() ?? "";
      for (const piece of pieces) {
        line += 1;
        yield piece;
      }
    }
    rest += decoder.decode();
  } catch (error) {
    const reason = error instanceof TypeError ? "holds bytes that are not UTF-8 text" : `cannot be read: ${error}`;
    throw new InputError(`${reason}; write or fetch the file again`, { file, line });
  } finally {
    bytes.destroy();
  }
  if (rest !== "") yield rest;
}

/**
 * The objects of a JSONL file, checked against `schema`, with their line numbers from 1. Blank lines are passed over.
 * Throws an InputError naming file, line and field on the first line that is wrong.
 */
export async function* readJsonLines<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): AsyncGenerator<{ value: z.output<Schema>; line: number }> {
  let line = 0;
  for await (const text of readLines(file)) {
    line += 1;
    if (text.trim() === "") continue;
    yield { value: parseJsonLine(text, schema, file, line), line };
  }
}

function parseJsonLine<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  file: string,
  line: number,
): z.output<Schema> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new InputError(`is not a JSON object: ${(error as Error).message}`, { file, line });
  }
  return checked(schema, json, { file, line });
}

/** `value` as `schema` gives it. Throws an InputError that names the first wrong field and what it holds. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: { file: string; line?: number },
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path ?? [];
  const found = path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], value);
  const shown = found === undefined ? "nothing" : JSON.stringify(found).slice(0, 80);
  throw new InputError(`${issue?.message ?? "wrong"} (found ${shown})`, { ...where, field: path.join(".") });
}
