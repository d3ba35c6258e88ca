import { requireDirectory } from "../files.ts";
import { type CorpusImport, type ImportOptions, type ImportReport, importCorpus, type Place } from "./corpus-import.ts";
import { onlyFile } from "./source-files.ts";

interface Area {
  readonly title: string;
  readonly url: string;
}

/**
 * Makes a corpus of the Anonymous Microsoft Web Data (Breese, Heckerman and Kadie 1998): a folder with
 * `anonymous-msweb.data` and `anonymous-msweb.test`.
 *
 * A document is an area of www.microsoft.com, of which the set has the title and the address alone. Topics are the
 * users of the test file who visited two areas or more: the history is all but the last in the file, which is what is
 * to be found. The set does not say that a user's lines are in the order of the visits, so that this is a held-out
 * area rather than the next one. The users of the data file, the set's training part, give no topics.
 */
export function importMsweb(source: string, options: ImportOptions): Promise<ImportReport> {
  const names = requireDirectory(source);
  const data = onlyFile(source, names, /msweb\.data$/i, "the training part (anonymous-msweb.data)");
  const test = onlyFile(source, names, /msweb\.test$/i, "the test part (anonymous-msweb.test)");
  const head = {
    name: "msweb",
    version: "1",
    language: "en",
    licence: "CC BY 4.0",
    description: "Anonymous Microsoft Web Data (1998): areas of www.microsoft.com, and which users visited which",
  };
  return importCorpus(head, options, async (corpus) => {
    const areas = new Map<string, Area>();
    for (const file of [data, test]) await addAreas(corpus, file, areas);
    for await (const user of readUsers(corpus, test, areas)) {
      const target = user.visited.at(-1);
      if (target === undefined || user.visited.length < 2) {
        corpus.count("test users with fewer than two areas");
        continue;
      }
      const history = user.visited.slice(0, -1).map((doc) => ({ doc, ...(areas.get(doc) as Area) }));
      corpus.topic("web-recommendation", { id: user.id, history, relevant: { [target]: 1 } }, user.place);
    }
  });
}

/** Lines of `A,<id>,1,"<title>","<path>"`. Both files list all areas; the second time they are known. */
async function addAreas(corpus: CorpusImport, file: string, areas: Map<string, Area>): Promise<void> {
  for await (const { text, line } of corpus.lines(file, "utf-8 or windows-1252")) {
    if (!text.startsWith("A,")) continue;
    const match = /^A,(\d+),\d+,"(.*)","(\/[^"]*)"\s*$/.exec(text);
    if (match === null) {
      corpus.refuse({ file, line }, "not an area with its number, title and path");
      continue;
    }
    const [, id, title, path] = match as unknown as [string, string, string, string];
    if (areas.has(id)) continue;
    const url = `http://www.microsoft.com${path}`;
    areas.set(id, { title, url });
    corpus.document({ id, url, title, text: "" }, { file, line });
  }
}

/** Users in file order: `C,"<id>",<id>`, then a line `V,<area>,1` for each area visited. */
async function* readUsers(
  corpus: CorpusImport,
  file: string,
  areas: ReadonlyMap<string, Area>,
): AsyncGenerator<{ id: string; visited: string[]; place: Place }> {
  let user: { id: string; visited: string[]; place: Place } | null = null;
  for await (const { text, line } of corpus.lines(file, "utf-8 or windows-1252")) {
    const [kind, value] = text.split(",") as [string, string | undefined];
    if (kind === "C") {
      if (user !== null) yield user;
      user = { id: (value ?? "").replaceAll('"', ""), visited: [], place: { file, line } };
    } else if (kind === "V") {
      const area = value ?? "";
      if (user === null || !areas.has(area)) corpus.refuse({ file, line }, "a visit of no user, or to no area");
      else if (!user.visited.includes(area)) user.visited.push(area);
    } else if (!/^[AINT]$/.test(kind)) corpus.refuse({ file, line }, "neither an area, nor a user, nor a visit");
  }
  if (user !== null) yield user;
}
