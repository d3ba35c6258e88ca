import { type CorpusImport, type Place, textIn } from "./corpus-import.ts";
import { readMarkup } from "./html.ts";
import { readRecords } from "./records.ts";

export interface Query {
  readonly id: string;
  readonly query: string;
  readonly place: Place;
}

/** The part of a TREC topic that is asked. */
export type TopicField = "title" | "description";

/**
 * The queries of a file, in any of the usual forms:
 * - TREC's `<top>` with `<num>`, `<title>`, `<desc>`, whose tags are not closed, or are;
 * - the web track's XML: `<topic number="..">` with `<query>` and `<description>`;
 * - JSONL and CSV with a head: `id` (or `_id`, `qid`) and `query` (or `text`, `question`, `title`);
 * - lines of an id, a tab or colon, and a query.
 */
export async function readQueries(corpus: CorpusImport, file: string, field: TopicField): Promise<Query[]> {
  if (/\.(jsonl|ndjson|csv)(\.gz|\.bz2)?$/.test(file)) return fromRecords(corpus, file);
  const lines: { text: string; line: number }[] = [];
  for await (const line of corpus.lines(file, "utf-8 or windows-1252")) lines.push(line);
  return lines[0]?.text.trimStart().startsWith("<") === true
    ? fromMarkup(corpus, file, lines, field)
    : fromLines(corpus, file, lines);
}

async function fromRecords(corpus: CorpusImport, file: string): Promise<Query[]> {
  const queries: Query[] = [];
  for await (const { record, line } of readRecords(corpus, file)) {
    const first = (names: string[]): string =>
      names.map((name) => textIn(record[name])).find((text) => text !== "") ?? "";
    const id = first(["id", "_id", "qid"]);
    const query = first(["query", "text", "question", "title"]);
    if (id === "" || query === "") corpus.refuse({ file, line }, "has no id, or no query");
    else queries.push({ id, query, place: { file, line } });
  }
  return queries;
}

function fromLines(corpus: CorpusImport, file: string, lines: readonly { text: string; line: number }[]): Query[] {
  return lines.flatMap(({ text, line }) => {
    const match = /^([^\s:]+)(?:\t|\s*:)\s*(\S.*?)\s*$/.exec(text);
    if (match !== null) return [{ id: match[1] as string, query: match[2] as string, place: { file, line } }];
    corpus.refuse({ file, line }, "not an id and a query with a tab or a colon between");
    return [];
  });
}

function fromMarkup(
  corpus: CorpusImport,
  file: string,
  lines: readonly { text: string; line: number }[],
  field: TopicField,
): Query[] {
  const queries: Query[] = [];
  let open: { line: number; text: string } | null = null;
  const end = (): void => {
    if (open === null) return;
    const { line, text } = open;
    const id = numberIn(text);
    const query = (field === "title" ? part(text, "title|query") : part(text, "desc|description")).replace(
      /^(Topic|Description):\s*/,
      "",
    );
    if (id === "" || query === "") corpus.refuse({ file, line }, `a topic without a number, or without a ${field}`);
    else queries.push({ id, query, place: { file, line } });
    open = null;
  };
  for (const { text, line } of lines) {
    if (/^\s*<(top|topic)[\s>]/i.test(text)) {
      end();
      open = { line, text: "" };
    }
    if (open !== null) open.text += `${text}\n`;
    if (/<\/(top|topic)>/i.test(text)) end();
  }
  end();
  return queries;
}

const numberIn = (topic: string): string =>
  /<topic[^>]*\snumber="([^"]+)"/i.exec(topic)?.[1] ?? part(topic, "num").replace(/^Number:\s*/, "");

/** What stands after a tag, up to the next one. */
const part = (topic: string, tags: string): string =>
  readMarkup(new RegExp(`<(?:${tags})>([^<]*)`, "i").exec(topic)?.[1] ?? "").replace(/\s+/g, " ");
