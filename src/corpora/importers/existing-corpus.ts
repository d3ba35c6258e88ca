import { documentsFile } from "../files.ts";
import { readDocuments, readSites } from "../read.ts";
import type { CorpusImport } from "./corpus-import.ts";

/**
 * Adds the sites and documents of a corpus that was imported before, for sets that have tasks alone. `seen` is told
 * each document's title. Throws an InputError when it is no sound corpus.
 */
export async function addExistingCorpus(
  corpus: CorpusImport,
  directory: string,
  seen: (id: string, title: string) => void = () => {},
): Promise<void> {
  for (const site of await readSites(directory)) corpus.site(site);
  const file = documentsFile(directory);
  for await (const { document, line } of readDocuments(directory)) {
    const { id, url, site, title, text } = document;
    seen(id, title);
    corpus.document({ id, url, source: { host: site, name: site }, title, text }, { file, line });
  }
}
