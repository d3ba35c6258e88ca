import type { WebSearchTopic } from "../format.ts";
import type { CorpusImport, Place } from "./corpus-import.ts";

/** The grades of documents by topic, as TREC's qrels and their kin give them. */
export class Judgements {
  private readonly grades = new Map<string, Map<string, number>>();

  constructor(private readonly corpus: CorpusImport) {}

  /**
   * Adds a judgement, or refuses it: `grade` is a whole number; 0 and less is worthless, more than 3 counts as 3. Of
   * two on the same pair the better one holds.
   */
  add(topic: string, document: string, grade: string, place: Place): void {
    const value = Number(grade);
    if (topic === "" || document === "" || grade.trim() === "" || !Number.isInteger(value)) {
      return this.corpus.refuse(place, "not a topic, a document and a whole grade");
    }
    if (value > 3) this.corpus.count("grades above 3, taken as 3");
    const taken = Math.max(0, Math.min(3, value));
    const ofTopic = this.grades.get(topic) ?? new Map<string, number>();
    const before = ofTopic.get(document);
    if (before !== undefined) this.corpus.count("repeated judgements, the better one taken");
    this.grades.set(topic, ofTopic.set(document, Math.max(taken, before ?? 0)));
  }

  /** Reads TREC's qrels: lines of topic, iteration, document, grade. */
  async addQrels(file: string): Promise<void> {
    for await (const { text, line } of this.corpus.lines(file)) {
      const columns = text.trim().split(/\s+/);
      if (columns.length !== 4) this.corpus.refuse({ file, line }, "not a topic, an iteration, a document and a grade");
      else this.add(columns[0] as string, columns[2] as string, columns[3] as string, { file, line });
    }
  }

  /** Adds the web-search topics that have a relevant document, in the order of `queries`. */
  addTopics(queries: readonly { id: string; query: string; place: Place }[]): void {
    for (const { id, query, place } of queries) {
      const grades = this.grades.get(id);
      if (grades === undefined) {
        this.corpus.count("queries without judgements");
        continue;
      }
      this.grades.delete(id);
      const sorted = [...grades].sort(([a], [b]) => (a < b ? -1 : 1));
      const relevant = Object.fromEntries(sorted.filter(([, grade]) => grade > 0));
      const judged = sorted.filter(([, grade]) => grade === 0).map(([document]) => document);
      if (Object.keys(relevant).length === 0) this.corpus.count("queries without a relevant document");
      else this.corpus.topic("web-search", topicOf(id, query, relevant, judged), place);
    }
    for (const grades of this.grades.values()) this.corpus.count("judgements of unknown queries", grades.size);
  }
}

function topicOf(id: string, query: string, relevant: Record<string, number>, judged: string[]): WebSearchTopic {
  return judged.length === 0 ? { id, query, relevant } : { id, query, relevant, judged };
}
