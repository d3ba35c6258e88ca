import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Statement } from "better-sqlite3";
import { type CacheDatabase, isDamage, openCacheDatabase } from "./cache-database.ts";
import type { Embedder } from "./embedders/embedder.ts";
import { textSha256 } from "./page-text.ts";
import { fileSafe, int16View } from "./vector-files.ts";

/** Vectors held in memory: 4,096 of 512 dimensions are 4 MB. */
const memoryLimit = 4096;

/**
 * The vectors of texts under one embedder, each made once: looked for in memory, among the ones a corpus ships, and in
 * a file shared by all corpora and processes, by the SHA-256 of the text.
 */
export class VectorCache {
  private readonly memory = new Map<string, Int16Array>();
  private readonly pending = new Map<string, Promise<Int16Array>>();
  private readonly stored: StoredVectors | undefined;

  constructor(
    readonly embedder: Embedder,
    folder: string,
    /** Vectors made elsewhere, by the SHA-256 of their text. */
    private readonly shipped: ReadonlyMap<string, Int16Array> = new Map(),
  ) {
    if (embedder.costly) this.stored = new StoredVectors(embedder, folder);
  }

  /** The vector of a text: at once when it was made before, else as a promise. Equal calls share one. */
  vector(text: string): Int16Array | Promise<Int16Array> {
    const known = this.memory.get(text) ?? this.pending.get(text);
    if (known !== undefined) return known;
    const sha256 = textSha256(text);
    const found = this.lookUp(sha256);
    if (found !== undefined) return this.remember(text, found);
    const made = this.embedder.embed(text).then((vector) => {
      this.stored?.put([[sha256, vector]]);
      return this.remember(text, vector);
    });
    this.pending.set(text, made);
    return made.finally(() => this.pending.delete(text));
  }

  /** A vector made before, by the SHA-256 of its text. */
  lookUp(sha256: string): Int16Array | undefined {
    return this.shipped.get(sha256) ?? this.stored?.get(sha256);
  }

  /** Makes the vectors of texts that are not known, in their order, and stores them. They are not held in memory. */
  async embedAll(texts: readonly { sha256: string; text: string }[]): Promise<Int16Array[]> {
    const vectors = await Promise.all(texts.map(({ text }) => this.embedder.embed(text)));
    this.stored?.put(texts.map(({ sha256 }, i) => [sha256, vectors[i] as Int16Array]));
    return vectors;
  }

  close(): void {
    this.stored?.close();
  }

  private remember(text: string, vector: Int16Array): Int16Array {
    if (this.memory.size >= memoryLimit) this.memory.delete(this.memory.keys().next().value as string);
    this.memory.set(text, vector);
    return vector;
  }
}

/** One SQLite file an embedder. When it breaks while in use it is given up for the rest of the run. */
class StoredVectors {
  private readonly database: CacheDatabase;
  private readonly select: Statement<[Buffer]>;
  private readonly insert: Statement<[Buffer, Buffer]>;
  private broken = false;

  constructor(
    private readonly embedder: Embedder,
    folder: string,
  ) {
    const identity = createHash("sha256").update(embedder.identity).digest("hex").slice(0, 16);
    this.database = openCacheDatabase(
      join(folder, `${fileSafe(embedder.name)}-${identity}.sqlite`),
      1,
      "CREATE TABLE vectors (text_sha256 BLOB PRIMARY KEY, integers BLOB NOT NULL) WITHOUT ROWID",
    );
    this.select = this.database.prepare("SELECT integers FROM vectors WHERE text_sha256 = ?");
    this.insert = this.database.prepare("INSERT OR IGNORE INTO vectors VALUES (?, ?)");
  }

  get(sha256: string): Int16Array | undefined {
    const row = this.guarded(() => this.select.get(Buffer.from(sha256, "hex"))) as { integers: Buffer } | undefined;
    return row?.integers.length === this.embedder.dimensions * 2 ? int16View(row.integers) : undefined;
  }

  put(vectors: readonly (readonly [sha256: string, vector: Int16Array])[]): void {
    this.guarded(() =>
      this.database
        .transaction(() => {
          for (const [sha256, vector] of vectors) {
            this.insert.run(
              Buffer.from(sha256, "hex"),
              Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
            );
          }
        })
        .immediate(),
    );
  }

  close(): void {
    this.database.close();
  }

  private guarded<Result>(use: () => Result): Result | undefined {
    if (this.broken) return undefined;
    try {
      return use();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.broken = true;
      return undefined;
    }
  }
}
