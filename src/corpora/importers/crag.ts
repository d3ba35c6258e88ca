import {
  type CorpusImport,
  type ImportOptions,
  type ImportReport,
  importCorpus,
  type Place,
  textIn,
  textsIn,
} from "./corpus-import.ts";
import { readHtml } from "./html.ts";
import { hostOf } from "./site-rule.ts";
import { filesAt } from "./source-files.ts";

/**
 * Makes a corpus of CRAG (Yang et al. 2024): a JSONL file, or a folder of them, packed or not; each record a question
 * with its answer and the HTML pages that a search engine found for it.
 *
 * A page's id is `<question>/<rank>`; of pages with the same address the first stands for all. Pages that came without
 * HTML keep their snippet. CRAG judges no page, so the topics name no evidence. Questions whose answer was
 * missing when the set was made (`nan`) are left out.
 */
export function importCrag(source: string, options: ImportOptions): Promise<ImportReport> {
  const files = filesAt(source, /\.jsonl(\.bz2|\.gz)?$/, "file of records (.jsonl, .jsonl.bz2)");
  const head = {
    name: "crag",
    version: "1",
    language: "en",
    licence: "CC BY-NC 4.0; the pages are their owners'",
    description: "CRAG (Yang et al. 2024): questions with short answers, and the web pages found for them",
  };
  return importCorpus(head, options, async (corpus) => {
    const addresses = new Set<string>();
    const topics: { topic: Parameters<typeof corpus.topic<"question-answering">>[1]; place: Place }[] = [];
    for (const file of files) {
      for await (const { record, line } of corpus.objects(file)) {
        const place = { file, line };
        const [id, question] = [textIn(record["interaction_id"]), textIn(record["query"])];
        const answers = answersOf(record);
        if (id === "" || question === "") {
          corpus.refuse(place, "has no interaction_id, or no query");
          continue;
        }
        addPages(corpus, id, record["search_results"], addresses, place);
        if (answers.length === 0) corpus.count("questions without an answer");
        else topics.push({ topic: { id, question, answers, evidence: [] }, place });
      }
    }
    for (const { topic, place } of topics) corpus.topic("question-answering", topic, place);
  });
}

function addPages(corpus: CorpusImport, question: string, results: unknown, seen: Set<string>, place: Place): void {
  if (!Array.isArray(results)) return corpus.refuse(place, "has no list search_results");
  (results as (Record<string, unknown> | null)[]).forEach((result, index) => {
    const url = textIn(result?.["page_url"]);
    if (hostOf(url) === null) return corpus.refuse(place, `search result ${index + 1}: no web address`);
    if (seen.has(url)) return corpus.count("pages found again");
    seen.add(url);
    const page = readHtml(textIn(result?.["page_result"]));
    if (page.text === "") corpus.count("pages without text, whose snippet was taken");
    corpus.document(
      {
        id: `${question}/${index + 1}`,
        url,
        title: textIn(result?.["page_name"]) || page.title,
        text: page.text || readHtml(textIn(result?.["page_snippet"])).text,
      },
      place,
    );
  });
}

/** The answer and its alternatives, which stand as a JSON list in a string. */
function answersOf(record: Record<string, unknown>): string[] {
  const others: unknown = record["alternative_answers"];
  const alternatives = typeof others === "string" ? parsedList(others) : textsIn(others);
  const answers = [textIn(record["answer"]), ...alternatives].map((answer) => answer.trim());
  return [...new Set(answers)].filter((answer) => answer !== "" && answer.toLowerCase() !== "nan");
}

function parsedList(text: string): string[] {
  try {
    return textsIn(JSON.parse(text));
  } catch {
    return [];
  }
}
