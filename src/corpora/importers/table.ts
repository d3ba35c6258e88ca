import { InputError } from "../../errors.ts";
import { type ImportOptions, type ImportReport, importCorpus, textIn } from "./corpus-import.ts";
import { readHtml } from "./html.ts";
import { Judgements } from "./judgements.ts";
import { readRecords } from "./records.ts";
import { hostLabel, hostOf, type Source } from "./site-rule.ts";
import { filesAt } from "./source-files.ts";
import { readQueries } from "./topic-files.ts";

/** The fields of a document that a column can give. */
const fields = ["id", "url", "site", "title", "text"] as const;
type Field = (typeof fields)[number];

export interface TableOptions extends ImportOptions {
  readonly name: string;
  /** `<field>=<column>`, or `<field>=<column>+<column>` for several; a field not named is the column of its name. */
  readonly map: readonly string[];
  /** The text is HTML: its readable text is taken, and its title where the title is empty. */
  readonly html: boolean;
  readonly topics?: string | undefined;
  readonly qrels?: string | undefined;
}

/**
 * Makes a corpus of records: JSON objects, one a line, or CSV or TSV with a head line. `source` is a file or a folder
 * of files. With `topics` and `qrels` (TREC's) it has web-search topics too.
 */
export function importTable(source: string, kind: "jsonl" | "csv", options: TableOptions): Promise<ImportReport> {
  const columns = columnsOf(options.map);
  const { topics, qrels, html } = options;
  if ((topics === undefined) !== (qrels === undefined)) {
    throw new InputError("topics need judgements, and judgements topics; give both, or neither", {
      field: topics === undefined ? "--topics" : "--qrels",
    });
  }
  const pattern = kind === "csv" ? /\.(csv|tsv)(\.gz|\.bz2)?$/ : /\.(jsonl|ndjson|json)(\.gz|\.bz2)?$/;
  const files = filesAt(source, pattern, `${kind} file`);
  const label = hostLabel(options.name);
  if (label === null) throw new InputError("expected letters or digits in the corpus' name", { field: "--name" });
  const head = { name: label, version: "1", language: "en", description: `Imported from ${kind} records` };
  return importCorpus(head, options, async (corpus) => {
    for (const file of files) {
      for await (const { record, line } of readRecords(corpus, file)) {
        const value = (field: Field): string =>
          columns[field]
            .map((column) => textIn(record[column]))
            .filter((text) => text !== "")
            .join("\n");
        const page = html ? readHtml(value("text")) : { title: "", text: value("text") };
        const title = value("title");
        corpus.document(
          {
            id: value("id"),
            url: value("url"),
            source: sourceOf(value("site"), label),
            title: title === "" ? page.title : title,
            text: page.text,
          },
          { file, line },
        );
      }
    }
    if (topics === undefined || qrels === undefined) return;
    const queries = await readQueries(corpus, topics, "title");
    const judgements = new Judgements(corpus);
    await judgements.addQrels(qrels);
    judgements.addTopics(queries);
  });
}

function columnsOf(map: readonly string[]): Record<Field, string[]> {
  const columns = Object.fromEntries(fields.map((field) => [field, [field]])) as unknown as Record<Field, string[]>;
  for (const each of map) {
    const [field, names] = [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)];
    if (!each.includes("=") || !fields.includes(field as Field) || names === "") {
      throw new InputError(
        `expected <field>=<column> with a field of ${fields.join(", ")}, got ${JSON.stringify(each)}`,
        {
          field: "--map",
        },
      );
    }
    columns[field as Field] = names.split("+");
  }
  return columns;
}

/** A site by the name that a record gives: a host name, or any other text, which becomes one below the set's. */
function sourceOf(site: string, set: string): Source | undefined {
  const host = hostOf(`http://${site}`);
  if (host !== null) return { host, name: host };
  const label = hostLabel(site);
  return label === null ? undefined : { host: `${label}.${set}.example`, name: site };
}
