import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { CorpusWriter } from "../../src/corpora/write.ts";

export interface Page {
  readonly id: string;
  readonly site: string;
  readonly text: string;
}

/** Folders that are gone when the tests of the file have run. */
export function temporaryFolders(): () => string {
  const root = mkdtempSync(join(tmpdir(), "awesim-words-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  let count = 0;
  return () => join(root, String(++count));
}

/** A corpus of pages without titles; its sites are theirs. */
export function writePages(directory: string, pages: readonly Page[]): string {
  const writer = new CorpusWriter(directory);
  writer.writeHead({ name: "written", version: "1", language: "en" });
  for (const id of new Set(pages.map(({ site }) => site))) {
    writer.writeSite({ id, name: id, description: "", topics: [], priors: { authority: 0.5, popularity: 0 } });
  }
  for (const { id, site, text } of pages) {
    writer.writeDocument({ id, site, url: `https://${site}/${id}`, title: "", text });
  }
  writer.finish();
  return directory;
}
