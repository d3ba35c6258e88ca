import { requireDirectory } from "../files.ts";
import { type ImportOptions, type ImportReport, importCorpus } from "./corpus-import.ts";
import { addExistingCorpus } from "./existing-corpus.ts";
import { readKeyPoints } from "./key-points.ts";

export interface KeyPointOptions extends ImportOptions {
  /** A corpus that holds the pages (ClueWeb22's); without it the pages are the quotes from them. */
  readonly documents?: string | undefined;
}

/**
 * Makes a corpus of research questions with key points (Researchy Questions, by DeepResearchGym and AutoGEO): a folder
 * with the key points, loose or as .tar.gz archives.
 *
 * The pages are ClueWeb22's, which may not be passed on. Without `documents` each page that key points by page name
 * is the quotes from it: an excerpt, under the id it has in ClueWeb22, without address or host. A topic's evidence are
 * the pages its points come from, where the set says. Questions without any point are left out.
 */
export function importKeyPoints(source: string, options: KeyPointOptions): Promise<ImportReport> {
  requireDirectory(source);
  const head = {
    name: "researchy-keypoints",
    version: "1",
    language: "en",
    licence: "MIT; the quotes are their owners'",
    description: "Research questions with key points (DeepResearchGym), over excerpts of the pages these come from",
  };
  return importCorpus(head, options, async (corpus) => {
    const questions = await readKeyPoints(corpus, source);
    if (options.documents !== undefined) await addExistingCorpus(corpus, options.documents);
    else {
      for (const { id, pages } of questions.values()) {
        for (const [page, quotes] of pages) {
          if (corpus.has(page)) corpus.count("pages quoted for a second question");
          else corpus.document({ id: page, url: "", title: "", text: quotes.join("\n") }, { file: `${id}.json` });
        }
      }
    }
    for (const { id, question, keyPoints, pages } of questions.values()) {
      if (keyPoints.length === 0) corpus.count("questions without key points");
      else {
        const topic = { id, question, keyPoints: [...keyPoints], evidence: [...pages.keys()] };
        corpus.topic("deep-research", topic, { file: `${id}_aggregated.json` });
      }
    }
  });
}
