import { InputError } from "../../errors.ts";
import { type ImportOptions, type ImportReport, importCorpus } from "./corpus-import.ts";
import { Judgements } from "./judgements.ts";
import { hostLabel } from "./site-rule.ts";
import { filesAt } from "./source-files.ts";
import { readQueries, type TopicField } from "./topic-files.ts";
import { addTrecDocuments } from "./trec-documents.ts";

export interface TrecOptions extends ImportOptions {
  readonly name: string;
  readonly topics: string;
  readonly qrels: string;
  readonly field: TopicField;
  /** clean_trec: tags in a text are text. */
  readonly keepTags: boolean;
}

/**
 * Makes a corpus of a TREC collection: a file or folder of documents, a file of topics, and its qrels. A document's
 * site is the host of its address (TRECWEB), or what its DOCNO begins with (newswire).
 */
export function importTrec(source: string, options: TrecOptions): Promise<ImportReport> {
  const label = hostLabel(options.name);
  if (label === null) throw new InputError("expected letters or digits in the corpus' name", { field: "--name" });
  const files = filesAt(source, /./, "file");
  const head = { name: label, version: "1", language: "en", description: "A collection in TREC's format" };
  return importCorpus(head, options, async (corpus) => {
    for (const file of files) await addTrecDocuments(corpus, file, label, options.keepTags);
    const queries = await readQueries(corpus, options.topics, options.field);
    const judgements = new Judgements(corpus);
    await judgements.addQrels(options.qrels);
    judgements.addTopics(queries);
  });
}
