import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { readArchive } from "./archive.ts";
import { type CorpusImport, objectIn, textIn, textsIn } from "./corpus-import.ts";
import { filesAt } from "./source-files.ts";

/** A research question with the points that a good report makes, and the pages these were found on. */
export interface KeyPoints {
  readonly id: string;
  readonly question: string;
  readonly keyPoints: readonly string[];
  /** Page by page: quotes from it that its points rest on. */
  readonly pages: ReadonlyMap<string, readonly string[]>;
}

/**
 * DeepResearchGym's key points: files `<id>_aggregated.json` (the points of a question) and `<id>.json` (points and
 * quotes page by page), loose below `source` or in archives there (.tar.gz). By question id, in the order of the ids
 * as numbers. Files that hold something else are refused.
 */
export async function readKeyPoints(corpus: CorpusImport, source: string): Promise<Map<string, KeyPoints>> {
  const found = new Map<string, KeyPoints>();
  for (const file of filesAt(source, /\.(tar\.gz|json)$/, "file of key points (.json, .tar.gz)")) {
    const entries = file.endsWith(".gz")
      ? await readArchive(file, ".json")
      : [{ name: basename(file), bytes: readFileSync(file) }];
    for (const { name, bytes } of entries) addFile(corpus, found, name, bytes);
  }
  return new Map([...found].sort(([a], [b]) => Number(a) - Number(b) || (a < b ? -1 : 1)));
}

function addFile(corpus: CorpusImport, found: Map<string, KeyPoints>, name: string, bytes: Buffer): void {
  const record = objectIn(bytes.toString("utf8"));
  const points = record?.["key_points"];
  const question = textIn(record?.["question"]);
  if (typeof points !== "object" || points === null || question === "") {
    return corpus.refuse({ file: name }, "no JSON object with a question and key_points");
  }
  const id = basename(name).replace(/(_aggregated)?\.json$/, "");
  const known = found.get(id) ?? { id, question, keyPoints: [], pages: new Map<string, string[]>() };
  if (Array.isArray(points)) {
    const keyPoints = points.map((point) => textIn((point as Record<string, unknown>)["point_content"]).trim());
    found.set(id, { ...known, question, keyPoints: keyPoints.filter((point) => point !== "") });
  } else found.set(id, { ...known, pages: pagesOf(points as Record<string, unknown>) });
}

function pagesOf(points: Record<string, unknown>): Map<string, string[]> {
  const pages = new Map<string, string[]>();
  for (const [page, list] of Object.entries(points)) {
    const quotes = (Array.isArray(list) ? list : []).flatMap((point: Record<string, unknown>) =>
      textsIn(point["spans"]),
    );
    pages.set(
      page,
      [...new Set(quotes.map((quote) => quote.trim()))].filter((quote) => quote !== ""),
    );
  }
  return pages;
}
