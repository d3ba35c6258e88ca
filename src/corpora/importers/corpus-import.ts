import { basename } from "node:path";
import { InputError } from "../../errors.ts";
import { type CorpusHead, type Site, siteSchema, type TaskName, topicSchemas } from "../format.ts";
import { isCovered, type Topic } from "../read.ts";
import { CorpusWriter } from "../write.ts";
import { SitePriors } from "./site-priors.ts";
import { type SiteRule, type Source, siteByRule } from "./site-rule.ts";
import { SiteWords } from "./site-words.ts";
import { readByteLines } from "./source-files.ts";

/** What every importer takes. */
export interface ImportOptions {
  /** The corpus' directory; it must not exist. */
  readonly out: string;
  readonly sites?: SiteRule;
  /** A list of real popularity, for the sites' priors. */
  readonly sitePriors?: string | undefined;
  /** Told the number of documents so far, now and then. */
  readonly progress?: (documents: number) => void;
  /** Stops the import; nothing is left behind then. */
  readonly signal?: AbortSignal;
}

/** What an import found and what it left out. */
export interface ImportReport {
  readonly sites: number;
  readonly documents: number;
  /** Documents with a title or an address alone. */
  readonly documentsWithoutText: number;
  readonly topics: Partial<Record<TaskName, number>>;
  /** Topics whose ground truth names a document the set does not hold: runs leave them out. */
  readonly uncoveredTopics: number;
  /** Pairs of a topic and a document with a grade, worthless ones included. */
  readonly judgements: number;
  /** What the format's oddities came to, by what it is. */
  readonly counts: Readonly<Record<string, number>>;
  /** Records that could not be used. */
  readonly badRecords: number;
  /** The first thousand of them: `<file>:<line>` and the reason. */
  readonly firstBadRecords: readonly { record: string; reason: string }[];
}

/** A document as a set gives it. */
export interface SourceDocument {
  readonly id: string;
  /** Empty when the set gives none. */
  readonly url: string;
  readonly source?: Source | undefined;
  readonly title: string;
  readonly text: string;
}

/** Where a record stands: its line, or its number among the records of a file without lines; both from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly record?: number;
}

export interface Line {
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

const badRecordsKept = 1000;

/**
 * Runs an importer: `fill` adds documents, then topics, to the corpus it is given. The corpus appears under its name
 * when all is written; when anything fails, nothing is left behind.
 *
 * Throws an InputError when a file of the set cannot be used, no document can, or `out` exists; and the signal's
 * reason when it is stopped.
 */
export async function importCorpus(
  head: CorpusHead,
  options: ImportOptions,
  fill: (corpus: CorpusImport) => Promise<void>,
): Promise<ImportReport> {
  const priors = options.sitePriors === undefined ? null : new SitePriors(options.sitePriors);
  const writer = new CorpusWriter(options.out);
  try {
    const corpus = new CorpusImport(writer, head, options);
    await fill(corpus);
    return corpus.finish(priors);
  } catch (error) {
    writer.abort();
    throw error;
  }
}

/** A corpus being made of a set's records: checks each, gives documents their sites, and counts what is left out. */
export class CorpusImport {
  private readonly documents = new Set<string>();
  private readonly topicIds = new Map<TaskName, Set<string>>();
  private readonly siteOf = new Map<string, { name: string; documents: number; record: Site | null }>();
  private readonly words = new SiteWords();
  private readonly counts: Record<string, number> = {};
  private readonly bad: { record: string; reason: string }[] = [];
  private badRecords = 0;
  private withoutText = 0;
  private uncovered = 0;
  private judgements = 0;

  constructor(
    private readonly writer: CorpusWriter,
    private readonly head: CorpusHead,
    private readonly options: ImportOptions,
  ) {}

  /** Counts a record that cannot be used. */
  refuse({ file, line, record }: Place, reason: string): void {
    this.badRecords += 1;
    if (this.bad.length >= badRecordsKept) return;
    const place = line !== undefined ? `:${line}` : record !== undefined ? ` record ${record}` : "";
    this.bad.push({ record: `${basename(file)}${place}`, reason });
  }

  /** Counts an oddity that the report names. */
  count(what: string, times = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + times;
  }

  has(document: string): boolean {
    return this.documents.has(document);
  }

  /** A site as the set describes it; its documents then name it as their source. */
  site(site: Site): void {
    this.siteOf.set(site.id, { name: site.name, documents: 0, record: site });
  }

  /** Adds a document, or refuses it. */
  document({ id, url, source, title, text }: SourceDocument, place: Place): void {
    this.options.signal?.throwIfAborted();
    if (id === "" || /\s/.test(id)) return this.refuse(place, `no document id: ${JSON.stringify(id).slice(0, 80)}`);
    if (this.documents.has(id)) return this.refuse(place, `a second document ${id}`);
    this.documents.add(id);
    if (this.documents.size % 100 === 0) this.options.progress?.(this.documents.size);
    if (text === "") this.withoutText += 1;
    const known = source !== undefined && (this.siteOf.get(source.host)?.record ?? null) !== null;
    const { host, name } = known
      ? source
      : siteByRule(this.options.sites ?? "auto", { id, url, source }, this.head.name);
    const site = this.siteOf.get(host) ?? { name, documents: 0, record: null };
    site.documents += 1;
    this.siteOf.set(host, site);
    if (site.record === null) this.words.add(host, title === "" ? text.slice(0, 200) : title);
    this.writer.writeDocument({ id, site: host, url, title, text });
  }

  /** Adds a topic, or refuses it. Documents come before topics, so that it shows which topics they cover. */
  topic<Task extends TaskName>(task: Task, topic: Topic<Task>, place: Place): void {
    this.options.signal?.throwIfAborted();
    const ids = this.topicIds.get(task) ?? new Set();
    const issue = topicSchemas[task].safeParse(topic).error?.issues[0];
    if (issue !== undefined) return this.refuse(place, `${issue.path.join(".")}: ${issue.message}`);
    if (ids.has(topic.id)) return this.refuse(place, `a second topic ${topic.id}`);
    this.topicIds.set(task, ids.add(topic.id));
    if (!isCovered(topic, (id) => this.documents.has(id))) this.uncovered += 1;
    if ("relevant" in topic) this.judgements += Object.keys(topic.relevant).length;
    if ("judged" in topic) this.judgements += topic.judged?.length ?? 0;
    this.writer.writeTopic(task, topic);
  }

  /**
   * The lines of a file that are not blank, without line end. One that is not UTF-8 is refused, or read as
   * Windows-1252, as old collections are written.
   */
  async *lines(file: string, encoding: "utf-8" | "utf-8 or windows-1252" = "utf-8"): AsyncGenerator<Line> {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const second = encoding === "utf-8" ? null : new TextDecoder("windows-1252");
    for await (const { bytes, line } of readByteLines(file)) {
      this.options.signal?.throwIfAborted();
      const text = decoded(bytes, decoder) ?? second?.decode(bytes);
      if (text === undefined) this.refuse({ file, line }, "holds bytes that are not UTF-8 text");
      else if (text.trim() !== "") yield { text: text.endsWith("\r") ? text.slice(0, -1) : text, line };
    }
  }

  /** The JSON objects of a JSONL file; lines that hold none are refused. */
  async *objects(file: string): AsyncGenerator<{ record: Record<string, unknown>; line: number }> {
    for await (const { text, line } of this.lines(file)) {
      const record = objectIn(text);
      if (record === null) this.refuse({ file, line }, `no JSON object: ${JSON.stringify(text.slice(0, 40))}`);
      else yield { record, line };
    }
  }

  finish(priors: SitePriors | null): ImportReport {
    if (this.documents.size === 0) {
      const first = this.bad[0];
      const why = first === undefined ? "" : `; the first bad record is ${first.record}: ${first.reason}`;
      throw new InputError(`no document could be made of what was given${why}`);
    }
    this.writer.writeHead(this.head);
    const telling = this.words.telling();
    const sites = [...this.siteOf].sort(([a, x], [b, y]) => y.documents - x.documents || (a < b ? -1 : 1));
    const popularity = priors?.popularity(sites.map(([id]) => id));
    for (const [id, { name, documents, record }] of sites) {
      const topics = telling.get(id) ?? [];
      const about = topics.length === 0 ? "" : ` Frequent in their titles: ${topics.join(", ")}.`;
      const described = {
        id,
        name,
        description: `${documents} ${documents === 1 ? "page" : "pages"}.${about}`,
        topics,
      };
      const site = siteSchema.parse(record ?? described);
      const listed = popularity?.get(id);
      if (listed !== undefined) site.priors.popularity = listed;
      this.writer.writeSite(site);
    }
    this.options.signal?.throwIfAborted();
    this.writer.finish();
    return {
      sites: sites.length,
      documents: this.documents.size,
      documentsWithoutText: this.withoutText,
      topics: Object.fromEntries([...this.topicIds].map(([task, ids]) => [task, ids.size])),
      uncoveredTopics: this.uncovered,
      judgements: this.judgements,
      counts: this.counts,
      badRecords: this.badRecords,
      firstBadRecords: this.bad,
    };
  }
}

function decoded(bytes: Buffer, decoder: InstanceType<typeof TextDecoder>): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The JSON object that a text is, or null. */
export function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** A field as text: numbers are written out, anything else but a string is empty. */
export function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : "";
}

/** A field as a list of texts. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textIn) : [];
}
