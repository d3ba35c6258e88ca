import { requireDirectory } from "../files.ts";
import {
  type CorpusImport,
  type ImportOptions,
  type ImportReport,
  importCorpus,
  type Line,
  type Place,
} from "./corpus-import.ts";
import { cranfieldSource } from "./cranfield-sources.ts";
import { Judgements } from "./judgements.ts";
import { onlyFile } from "./source-files.ts";

/**
 * Makes a corpus of the Cranfield collection (Cleverdon 1967) in SMART's format: a folder with the documents
 * (`cran.all*`), the queries (`cran.qry`) and the judgements (`cranqrel`).
 *
 * The judgements number the queries by their place in the file, 1 to 225, not by their ids. Their codes are inverted:
 * 1 (a complete answer) becomes grade 3, 2 grade 2, 3 and 4 (background, minimum interest) grade 1. The code -1,
 * which stands once a query and is explained nowhere, is taken as judged worthless. A document's site is its
 * publisher. A title that the text repeats at its head stands once.
 */
export function importCranfield(source: string, options: ImportOptions): Promise<ImportReport> {
  const names = requireDirectory(source);
  const documents = onlyFile(source, names, /^cran\.all/i, "the documents (cran.all*)");
  const queries = onlyFile(source, names, /^cran\.qry/i, "the queries (cran.qry)");
  const qrels = onlyFile(source, names, /^cranqrel(\.txt)?(\.gz)?$/i, "the judgements (cranqrel)");
  const head = {
    name: "cranfield",
    version: "1",
    language: "en",
    description: "The Cranfield collection: abstracts on aerodynamics with 225 queries and graded judgements",
  };
  return importCorpus(head, options, async (corpus) => {
    for await (const { id, fields, place } of readSmart(corpus, documents)) {
      const title = plain(fields["T"]);
      const text = plain(fields["W"]);
      const body = title !== "" && text.startsWith(title) ? text.slice(title.length).trim() : text;
      corpus.document({ id, url: "", source: cranfieldSource(plain(fields["B"])), title, text: body }, place);
    }
    const numbered = [];
    for await (const { id, fields, place } of readSmart(corpus, queries)) {
      numbered.push({ id: String(numbered.length + 1), query: plain(fields["W"]), smartId: id, place });
    }
    const judgements = new Judgements(corpus);
    for await (const line of corpus.lines(qrels)) addJudgement(corpus, judgements, line, qrels);
    judgements.addTopics(numbered);
  });
}

const gradeOfCode: Readonly<Record<string, string>> = { "1": "3", "2": "2", "3": "1", "4": "1", "-1": "0" };

function addJudgement(corpus: CorpusImport, judgements: Judgements, { text, line }: Line, file: string): void {
  const [query, document, code, ...rest] = text.trim().split(/\s+/);
  const grade = gradeOfCode[code ?? ""];
  if (query === undefined || document === undefined || grade === undefined || rest.length > 0) {
    return corpus.refuse({ file, line }, "not a query, a document and a code of 1 to 4 or -1");
  }
  if (code === "-1") corpus.count("judgements of code -1, taken as worthless");
  judgements.add(query, document, grade, { file, line });
}

/** The records of a SMART file: `.I id`, then fields `.T`, `.A`, `.B`, `.W`; a field that comes twice goes on. */
async function* readSmart(
  corpus: CorpusImport,
  file: string,
): AsyncGenerator<{ id: string; fields: Record<string, string>; place: Place }> {
  let record: { id: string; fields: Record<string, string>; place: Place } | null = null;
  let field = "";
  for await (const { text, line } of corpus.lines(file, "utf-8 or windows-1252")) {
    const start = /^\.I\s+(\S+)\s*$/.exec(text);
    const name = /^\.([A-Z])\s*$/.exec(text)?.[1];
    if (start !== null) {
      if (record !== null) yield record;
      record = { id: start[1] as string, fields: {}, place: { file, line } };
      field = "";
    } else if (name !== undefined && record !== null) field = name;
    else if (record === null || field === "") corpus.refuse({ file, line }, "text outside of a record's fields");
    else record.fields[field] = `${record.fields[field] ?? ""}${text}\n`;
  }
  if (record !== null) yield record;
}

const plain = (text: string | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
