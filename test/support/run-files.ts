import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Fact, FactOf, FactType } from "../../src/trace/facts.ts";

export function readJson<T = Record<string, never>>(run: string, name: string): T {
  return JSON.parse(readFileSync(join(run, name), "utf8")) as T;
}

export interface TraceFile {
  readonly head: Record<string, unknown>;
  readonly facts: readonly Fact[];
  /** Null when the trace has no last line. */
  readonly footer: Record<string, unknown> | null;
}

export function readTrace(run: string): TraceFile {
  const lines = readFileSync(join(run, "trace.jsonl"), "utf8").trimEnd().split("\n");
  const [head, ...rest] = lines.map((line) => JSON.parse(line));
  const isEnded = rest.at(-1)?.type === "trace.end";
  return { head, facts: isEnded ? rest.slice(0, -1) : rest, footer: isEnded ? rest.at(-1) : null };
}

export function factsOf<Type extends FactType>({ facts }: TraceFile, type: Type): FactOf<Type>[] {
  return facts.filter((fact): fact is FactOf<Type> => fact.type === type);
}

export function traceHash(run: string): string {
  return readTrace(run).footer?.["streamSha256"] as string;
}

/** The rows of a CSV file by its header; fields may be quoted. */
export function readCsv(run: string, name: string): Record<string, string>[] {
  const [header, ...rows] = readFileSync(join(run, name), "utf8").trimEnd().split("\n").map(fieldsOf);
  return rows.map((row) => Object.fromEntries((header as string[]).map((key, index) => [key, row[index] as string])));
}

function fieldsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? (plain as string),
  );
}

/** All files below a directory with their paths from it, in order. */
export function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(directory, name)).isFile())
    .sort();
}
