import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { InputError } from "../../errors.ts";
import { requireDirectory } from "../files.ts";
import { type CorpusImport, type ImportOptions, type ImportReport, importCorpus, textIn } from "./corpus-import.ts";
import { Judgements } from "./judgements.ts";
import { hostLabel } from "./site-rule.ts";

export interface BeirOptions extends ImportOptions {
  /** The file of judgements in `qrels/`: `test`, `dev` or `train`. */
  readonly split: string;
}

/**
 * Makes a corpus of a data set in BEIR's format: a folder with `corpus.jsonl`, `queries.jsonl` (each may be packed)
 * and `qrels/<split>.tsv`. Topics are the queries that the split judges. A document's site is the host of
 * `metadata.url`, where there is one.
 */
export function importBeir(source: string, options: BeirOptions): Promise<ImportReport> {
  requireDirectory(source);
  const documents = oneOf(source, ["corpus.jsonl", "corpus.jsonl.gz", "corpus.jsonl.bz2"]);
  const queries = oneOf(source, ["queries.jsonl", "queries.jsonl.gz", "queries.jsonl.bz2"]);
  const qrels = oneOf(source, [`qrels/${options.split}.tsv`, `qrels/${options.split}.tsv.gz`]);
  const set = basename(resolve(source));
  const head = {
    name: hostLabel(set) ?? "beir",
    version: "1",
    description: `${set}, a set in the format of BEIR (Thakur et al. 2021); judgements: ${options.split}`,
  };
  return importCorpus({ ...head, language: "en" }, options, async (corpus) => {
    for await (const { record, line } of corpus.objects(documents)) {
      corpus.document(
        {
          id: textIn(record["_id"]),
          url: textIn((record["metadata"] as Record<string, unknown> | null | undefined)?.["url"]),
          title: textIn(record["title"]),
          text: textIn(record["text"]),
        },
        { file: documents, line },
      );
    }
    const asked = [];
    for await (const { record, line } of corpus.objects(queries)) {
      asked.push({ id: textIn(record["_id"]), query: textIn(record["text"]), place: { file: queries, line } });
    }
    const judgements = new Judgements(corpus);
    await addTsv(corpus, judgements, qrels);
    judgements.addTopics(asked);
  });
}

/** Lines of query, document and score with tabs between, under a head line. */
async function addTsv(corpus: CorpusImport, judgements: Judgements, file: string): Promise<void> {
  for await (const { text, line } of corpus.lines(file)) {
    const columns = text.split("\t").map((column) => column.trim());
    if (line === 1 && columns[0] === "query-id") continue;
    if (columns.length !== 3) corpus.refuse({ file, line }, "not a query, a document and a score with tabs between");
    else judgements.add(columns[0] as string, columns[1] as string, columns[2] as string, { file, line });
  }
}

function oneOf(directory: string, names: readonly string[]): string {
  const found = names.map((name) => join(directory, name)).find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new InputError(`holds no ${names[0]}; give the folder of a BEIR set, unpacked`, { file: directory });
}
