import { type CorpusImport, textIn } from "./corpus-import.ts";
import { filesAt } from "./source-files.ts";

/** A page that a recorded agent was shown; `site` is null when the search was over all sites. */
interface ShownPage {
  readonly id: string;
  readonly site: string | null;
  readonly text: string;
  readonly place: { file: string; line: number };
}

/**
 * The pages that the user agents of recorded runs were shown: `next_obs` in the lines of
 * `user_agent_trajectory_<id>.jsonl`, where `<information>` holds a list of `{doc_id, doc_text}`, or of
 * `{website, documents: [..]}`. A page shown several times counts once, under the site that one of them names.
 * What else is in an observation (errors, summaries alone) is passed over.
 */
export async function readShownPages(corpus: CorpusImport, directory: string): Promise<Map<string, ShownPage>> {
  const pages = new Map<string, ShownPage>();
  for (const file of filesAt(directory, /user_agent_trajectory_[^/]*\.jsonl$/, "user_agent_trajectory_<id>.jsonl")) {
    for await (const { record, line } of corpus.objects(file)) {
      for (const { id, site, text } of pagesIn(textIn(record["next_obs"]))) {
        const before = pages.get(id);
        if (before === undefined || before.site === null) pages.set(id, { id, site, text, place: { file, line } });
      }
    }
  }
  return pages;
}

function* pagesIn(observation: string): Generator<{ id: string; site: string | null; text: string }> {
  for (const [, block] of observation.matchAll(/<information>([\s\S]*?)<\/information>/g)) {
    const list = parsed(block as string);
    for (const item of Array.isArray(list) ? (list as (Record<string, unknown> | null)[]) : []) {
      const site = textIn(item?.["website"]);
      const documents = Array.isArray(item?.["documents"]) ? (item["documents"] as (typeof item | null)[]) : [item];
      for (const document of documents) {
        const id = textIn(document?.["doc_id"]);
        if (id === "") continue;
        yield { id, site: site === "" || site === "global" ? null : site, text: textIn(document?.["doc_text"]) };
      }
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
