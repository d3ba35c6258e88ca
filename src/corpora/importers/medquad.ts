import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { InputError } from "../../errors.ts";
import { requireDirectory } from "../files.ts";
import type { WebSearchTopic } from "../format.ts";
import { CorpusWriter } from "../write.ts";
import { readArchive } from "./archive.ts";
import { type MedquadPage, parseMedquadPage } from "./medquad-page.ts";
import { medquadSites } from "./medquad-sites.ts";

/** What an import found and what it left out. */
export interface MedquadReport {
  readonly sites: number;
  readonly pages: number;
  readonly judgedTopics: number;
  readonly knownItemTopics: number;
  /** Pages that have a subject and an address, and no answer. */
  readonly pagesWithoutText: number;
  /** Judgements of answers the set does not hold, or whose id two files share. */
  readonly unresolvedJudgements: number;
  /** Records that could not be used, with their place and the reason. */
  readonly badRecords: readonly { record: string; reason: string }[];
}

/** Known-item questions taken: every n-th of those asked on one page only. */
const knownItemTopics = 2_000;

/**
 * Makes a corpus of MedQuAD (Ben Abacha & Demner-Fushman, BMC Bioinformatics 20:511, 2019) as it is published: a
 * folder with the XML files as .tar.gz, the judgements (`*qrels*.txt`) and the LiveQA questions (`*queries*.tsv`).
 *
 * A document is an XML file: its subject and its answers, without the questions, also where an answer begins with one
 * (else the text would hold the query). Web-search topics are the judged questions that have a page of grade 2 or 3
 * (`liveqa-<number>`; the grade is LiveQA's less one, a page's is its best answer's; pages judged worthless stand
 * under `judged`), and known-item questions (`known-<document>-<section>`), whose only relevant page is their own.
 *
 * Throws an InputError when `source` or the archive cannot be used, or `out` exists; nothing is left behind then.
 */
export async function importMedquad(source: string, out: string): Promise<MedquadReport> {
  const names = requireDirectory(source);
  const archive = only(source, names, /\.tar\.gz$/, "the archive of XML files (.tar.gz)");
  const qrels = only(source, names, /qrels.*\.txt$/i, "the judgements (*qrels*.txt)");
  const queries = only(source, names, /queries.*\.tsv$/i, "the LiveQA questions (*queries*.tsv)");

  const badRecords: { record: string; reason: string }[] = [];
  const pages = await readPages(archive, badRecords);
  const judgements = resolveJudgements(readJudgements(qrels, badRecords), pages);
  const judged = judgedTopics(judgements.grades, readQueries(queries, badRecords));
  const known = knownItems(pages);

  const writer = new CorpusWriter(out);
  try {
    writer.writeHead({
      name: "medquad",
      version: "1",
      language: "en",
      licence: "CC BY 4.0",
      description:
        "MedQuAD (Ben Abacha & Demner-Fushman, BMC Bioinformatics 2019): pages of nine NIH websites, with the judged questions of TREC 2017 LiveQA-Med and known-item questions",
    });
    for (const site of medquadSites) writer.writeSite(site);
    for (const page of pages) {
      const { id, url } = page;
      writer.writeDocument({ id, site: siteOf(page), url, title: titleOf(page), text: bodyOf(page) });
    }
    for (const topic of [...judged, ...known]) writer.writeTopic("web-search", topic);
    writer.finish();
  } catch (error) {
    writer.abort();
    throw error;
  }
  return {
    sites: medquadSites.length,
    pages: pages.length,
    judgedTopics: judged.length,
    knownItemTopics: known.length,
    pagesWithoutText: pages.filter((page) => bodyOf(page) === "").length,
    unresolvedJudgements: judgements.unresolved,
    badRecords,
  };
}

type BadRecords = { record: string; reason: string }[];
type Judgement = { question: string; grade: number; answer: string };

function only(directory: string, names: string[], pattern: RegExp, what: string): string {
  const found = names.filter((name) => pattern.test(name));
  if (found.length === 1) return join(directory, found[0] as string);
  throw new InputError(`expected one file that is ${what}, found ${found.length === 0 ? "none" : found.join(", ")}`, {
    file: directory,
  });
}

async function readPages(archive: string, bad: BadRecords): Promise<MedquadPage[]> {
  const pages = new Map<string, MedquadPage>();
  for (const { name, bytes } of await readArchive(archive, ".xml")) {
    try {
      const page = parseMedquadPage(name, bytes);
      if (pages.has(page.id)) throw new Error(`a second page ${page.id}`);
      if (!medquadSites.some(({ id }) => id === siteOf(page))) throw new Error(`no known site: ${page.url}`);
      pages.set(page.id, page);
    } catch (error) {
      bad.push({ record: name, reason: (error as Error).message });
    }
  }
  if (pages.size === 0)
    throw new InputError("holds no page that can be used; give MedQuAD's archive", { file: archive });
  return [...pages.values()];
}

const siteOf = ({ url }: MedquadPage): string => new URL(url).hostname;

/** A page without a subject is called by the last part of its address. */
const titleOf = ({ focus, url }: MedquadPage): string =>
  focus !== ""
    ? focus
    : basename(new URL(url).pathname)
        .replace(/\.\w+$/, "")
        .replace(/[_-]+/g, " ");

const bodyOf = ({ sections }: MedquadPage): string =>
  sections
    .map(({ answer }) => withoutLeadingQuestion(answer))
    .filter((answer) => answer !== "")
    .join("\n\n");

/** Many answers of one site begin with the heading of their section, which is the question in other words. */
const withoutLeadingQuestion = (answer: string): string =>
  answer.replace(/^(What|How|Who|Why|When|Where|Which|Is|Are|Can|Do|Does)\b[^.?!\n]{0,200}\?\s*/, "");

/** Lines of `<question number> <1..4>-<word> <answer id>`. */
function readJudgements(file: string, bad: BadRecords): Judgement[] {
  return linesOf(file).flatMap(({ text, line }) => {
    const match = /^(\S+)\s+([1-4])-\w+\s+(\S+)\s*$/.exec(text);
    if (match === null) {
      bad.push({ record: `${basename(file)}:${line}`, reason: "not a question, a grade and an answer" });
      return [];
    }
    const [, question, grade, answer] = match as unknown as [string, string, string, string];
    return [{ question, grade: Number(grade) - 1, answer }];
  });
}

/** Lines of `<question number> TAB <question>`. */
function readQueries(file: string, bad: BadRecords): Map<string, string> {
  const queries = new Map<string, string>();
  for (const { text, line } of linesOf(file)) {
    const [number, query] = text.split("\t").map((part) => part.trim());
    if (number && query) queries.set(number, query);
    else bad.push({ record: `${basename(file)}:${line}`, reason: "not a number and a question with a tab between" });
  }
  return queries;
}

function linesOf(file: string): { text: string; line: number }[] {
  return readFileSync(file, "utf8")
    .split(/\r?\n/)
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(({ text }) => text.trim() !== "");
}

/** The best grade (0 to 3) a question's judgements give each page. */
function resolveJudgements(
  judgements: Judgement[],
  pages: MedquadPage[],
): { grades: Map<string, Map<string, number>>; unresolved: number } {
  const pagesOfAnswer = new Map<string, string[]>();
  for (const { id, source, innerId, sections } of pages) {
    for (const { pid } of sections) {
      const answer = `${source}_${innerId}_Sec${pid}.txt`;
      pagesOfAnswer.set(answer, [...(pagesOfAnswer.get(answer) ?? []), id]);
    }
  }
  const grades = new Map<string, Map<string, number>>();
  let unresolved = 0;
  for (const { question, grade, answer } of judgements) {
    const [page, ...others] = pagesOfAnswer.get(answer) ?? [];
    if (page === undefined || others.length > 0) {
      unresolved += 1;
      continue;
    }
    const ofQuestion = grades.get(question) ?? new Map<string, number>();
    grades.set(question, ofQuestion.set(page, Math.max(grade, ofQuestion.get(page) ?? 0)));
  }
  return { grades, unresolved };
}

function judgedTopics(grades: Map<string, Map<string, number>>, queries: Map<string, string>): WebSearchTopic[] {
  const topics: (WebSearchTopic & { judged: string[] })[] = [];
  for (const [question, ofPages] of grades) {
    const query = queries.get(question);
    if (query === undefined || ![...ofPages.values()].some((grade) => grade >= 2)) continue;
    const sorted = [...ofPages].sort(([a], [b]) => (a < b ? -1 : 1));
    topics.push({
      id: `liveqa-${question}`,
      query,
      relevant: Object.fromEntries(sorted.filter(([, grade]) => grade > 0)),
      judged: sorted.filter(([, grade]) => grade === 0).map(([page]) => page),
    });
  }
  return topics;
}

/** Questions with an answer that no other page asks too, from pages that name their subject. */
function knownItems(pages: MedquadPage[]): WebSearchTopic[] {
  const pagesAsking = new Map<string, Set<string>>();
  for (const { id, sections } of pages) {
    for (const { question } of sections) {
      const key = question.toLowerCase();
      pagesAsking.set(key, (pagesAsking.get(key) ?? new Set()).add(id));
    }
  }
  const topics = pages
    .filter(({ focus }) => focus !== "")
    .flatMap(({ id, sections }) =>
      sections
        .filter(({ question, answer }) => answer !== "" && pagesAsking.get(question.toLowerCase())?.size === 1)
        .map(({ pid, question }) => ({ id: `known-${id}-${pid}`, query: question, relevant: { [id]: 1 } })),
    );
  const count = Math.min(knownItemTopics, topics.length);
  return Array.from({ length: count }, (_, i) => topics[Math.floor((i * topics.length) / count)] as WebSearchTopic);
}
