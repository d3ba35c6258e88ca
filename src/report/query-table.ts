import { readFileSync } from "node:fs";
import { InputError } from "../errors.ts";

/** A row of `queries.csv`, as far as comparisons need it. */
export interface TopicRow {
  readonly topic: string;
  readonly task: string;
  readonly strategy: string;
  readonly model: string | null;
  /** The stage at which all relevant pages were lost; null where none was, or where the task has no such stages. */
  readonly loss: string | null;
  /** All columns with numbers; null where a cell is empty. */
  readonly values: Readonly<Record<string, number | null>>;
}

const texts = ["query", "topic", "task", "strategy", "model", "user", "outcome", "loss"];

/** Reads a run's `queries.csv`. Throws an InputError when it is missing or is no such table. */
export function readQueryTable(file: string): TopicRow[] {
  let source: string;
  try {
    source = readFileSync(file, "utf8");
  } catch {
    throw new InputError("expected a run's table of queries; it is not there", { file });
  }
  const [header = [], ...rows] = csvRows(source);
  const place = new Map(header.map((name, index) => [name, index]));
  const missing = ["topic", "task", "strategy", "model", "loss"].find((name) => !place.has(name));
  if (missing !== undefined) throw new InputError("is missing from the header", { file, line: 1, field: missing });
  const numbers = header.filter((name) => !texts.includes(name));
  return rows.map((row, index) => {
    if (row.length !== header.length) {
      throw new InputError(`expected ${header.length} fields, got ${row.length}`, { file, line: index + 2 });
    }
    const text = (name: string): string => row[place.get(name) as number] as string;
    return {
      topic: text("topic"),
      task: text("task"),
      strategy: text("strategy"),
      model: text("model") || null,
      loss: text("loss") || null,
      values: Object.fromEntries(numbers.map((name) => [name, numberOf(text(name))])),
    };
  });
}

function numberOf(text: string): number | null {
  const value = Number(text);
  return text === "" || !Number.isFinite(value) ? null : value;
}

/** The rows of CSV (RFC 4180). A last line that a killed run left without its newline is dropped. */
function csvRows(source: string): string[][] {
  const rows: string[][] = [];
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n)/y;
  let row: string[] = [];
  for (let match = cell.exec(source); match !== null; match = cell.exec(source)) {
    const [, field = "", end] = match;
    row.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
