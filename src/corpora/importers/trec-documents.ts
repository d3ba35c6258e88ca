import type { CorpusImport, Place } from "./corpus-import.ts";
import { readHtml, readMarkup } from "./html.ts";
import { hostLabel, type Source } from "./site-rule.ts";

/** The elements of TREC's newswire collections that hold the heading and the text; the others are about the document. */
const headings = ["HEADLINE", "HL", "HEAD", "TITLE", "TTL", "TI"];
const bodies = ["LEADPARA", "LP", "TEXT", "GRAPHIC"];

/** A longer document is an end tag that is missing. */
const longestDocument = 64 << 20;

/**
 * Adds the documents of a file of `<DOC>`s: TREC's newswire, TRECWEB (an address in `<DOCHDR>`, then the page's HTML),
 * and the NTCIR form (`<DOC id="..">`). What stands between documents is passed over. With `keepTags` what stands in
 * `<TEXT>` is the text as it is, tags and all.
 */
export async function addTrecDocuments(
  corpus: CorpusImport,
  file: string,
  set: string,
  keepTags: boolean,
): Promise<void> {
  let lines: string[] | null = null;
  let length = 0;
  let place: Place = { file };
  for await (const { text, line } of corpus.lines(file, "utf-8 or windows-1252")) {
    if (/^\s*<DOC(\s[^>]*)?>/i.test(text)) {
      if (lines !== null) corpus.refuse(place, "a document without its end tag");
      lines = [];
      length = 0;
      place = { file, line };
    }
    if (lines === null) continue;
    lines.push(text);
    length += text.length;
    if (/<\/DOC>\s*$/i.test(text)) {
      addDocument(corpus, lines.join("\n"), place, set, keepTags);
      lines = null;
    } else if (length > longestDocument) {
      corpus.refuse(place, "a document longer than 64 MiB");
      lines = null;
    }
  }
  if (lines !== null) corpus.refuse(place, "a document without its end tag");
}

function addDocument(corpus: CorpusImport, markup: string, place: Place, set: string, keepTags: boolean): void {
  const id = (inside(markup, "DOCNO")[0] ?? /^\s*<DOC\s+id="([^"]*)"/i.exec(markup)?.[1] ?? "").trim();
  if (id === "") return corpus.refuse(place, "a document without a DOCNO");
  const header = inside(markup, "DOCHDR")[0];
  if (header !== undefined) {
    const url = /https?:\/\/\S+/i.exec(header)?.[0] ?? "";
    const page = readHtml(markup.slice(markup.search(/<\/DOCHDR>/i)).replace(/^<\/DOCHDR>|<\/DOC>\s*$/gi, ""));
    corpus.document({ id, url, title: page.title, text: page.text }, place);
    return;
  }
  const read = keepTags ? (text: string) => text.trim() : readMarkup;
  const texts = (names: string[]): string[] => names.flatMap((name) => inside(markup, name)).map(read);
  const title = texts(headings).find((text) => text !== "") ?? "";
  const text = texts(bodies).filter((part) => part !== "");
  corpus.document(
    { id, url: "", source: sourceOf(id, set), title: title.replace(/\s+/g, " "), text: text.join("\n") },
    place,
  );
}

/** The letters that a DOCNO begins with name its newspaper or agency: AP880212-0001, FT911-3, LA010189-0018. */
function sourceOf(id: string, set: string): Source | undefined {
  const letters = /^[A-Za-z]{2,}/.exec(id)?.[0];
  const label = letters === undefined ? null : hostLabel(letters);
  return label === null ? undefined : { host: `${label}.${set}.example`, name: letters as string };
}

/** What stands between a tag and its end tag, each time. */
function inside(markup: string, tag: string): string[] {
  return [...markup.matchAll(new RegExp(`<${tag}(?:\\s[^>]*)?>([\\s\\S]*?)</${tag}>`, "gi"))].map(
    ([, text]) => text as string,
  );
}
