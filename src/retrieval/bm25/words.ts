import Database from "better-sqlite3";

/** Changes whenever texts give other words. */
export const wordsVersion = "fts5 porter unicode61, 35 stop words, 1";

/** The tokenizer of SQLite's FTS5: letters and digits of any script, folded, without diacritics, Porter's stems. */
const tokenizer = "tokenize = 'porter unicode61 remove_diacritics 2'";

/** The English stop words that Lucene has, and what an apostrophe leaves of "it's" and "don't". */
const stopWords = `a an and are as at be but by for if in into is it no not of on or s such t that the their then there
  these they this to was will with`.split(/\s+/);

/** They are taken out as whole words before the words are stemmed: "ore" and "ate" have the stems "or" and "at". */
const stopWord = new RegExp(`(?<![\\p{L}\\p{N}\\p{M}])(?:${stopWords.join("|")})(?![\\p{L}\\p{N}\\p{M}])`, "giu");

const withoutStopWords = (text: string): string => text.replace(stopWord, " ");

/**
 * Texts taken apart into words by FTS5. Its query language and its scores are not used: a query is a text like another,
 * so nothing in it can be syntax.
 */
export class Words {
  private readonly database: Database.Database;
  private readonly insert: Database.Statement<[number, string]>;
  private readonly clear: Database.Statement<[]>;
  private readonly select: Database.Statement<[], [word: string, text: number]>;

  /** In memory for single texts; with `onDisk` in a temporary file, for as many as there is room for. */
  constructor({ onDisk }: { onDisk: boolean }) {
    this.database = new Database(onDisk ? "" : ":memory:");
    this.database.pragma("journal_mode = OFF");
    this.database.pragma("synchronous = OFF");
    this.database.pragma("cache_size = -65536"); // in KiB
    this.database.exec(`
      CREATE VIRTUAL TABLE texts USING fts5(text, ${tokenizer}, content = '', columnsize = 0);
      CREATE VIRTUAL TABLE words USING fts5vocab(texts, 'instance');`);
    this.insert = this.database.prepare("INSERT INTO texts (rowid, text) VALUES (?, ?)");
    this.clear = this.database.prepare("INSERT INTO texts (texts) VALUES ('delete-all')");
    this.select = this.database.prepare<[], [string, number]>("SELECT term, doc FROM words").raw();
  }

  /** How often each word is in a text, ascending by word in code units of UTF-8. For single texts only. */
  of(text: string): Map<string, number> {
    this.insert.run(0, withoutStopWords(text));
    const counts = new Map<string, number>();
    for (const [word] of this.select.iterate()) counts.set(word, (counts.get(word) ?? 0) + 1);
    this.clear.run();
    return counts;
  }

  /** Takes texts in, each under its number, ascending. */
  add(texts: Iterable<readonly [number: number, text: string]>): void {
    this.database.transaction(() => {
      for (const [number, text] of texts) this.insert.run(number, withoutStopWords(text));
    })();
  }

  /** Every word of the texts taken in, as often as it occurs: ascending by word, then by text. */
  instances(): IterableIterator<[word: string, text: number]> {
    return this.select.iterate();
  }

  close(): void {
    this.database.close();
  }
}
