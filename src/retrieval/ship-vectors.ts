import { tasksOf } from "../corpora/files.ts";
import { readTopics, type Topic } from "../corpora/read.ts";
import { textSha256 } from "./page-text.ts";
import { openRetrieval, type RetrievalOptions } from "./retrieval.ts";
import { writeVectors } from "./vector-files.ts";

/**
 * Puts the vectors of a corpus's documents and topics into its directory, so that whoever opens it embeds nothing, and
 * has the same vectors on every machine.
 */
export async function shipVectors(corpusDirectory: string, options: RetrievalOptions): Promise<void> {
  const retrieval = await openRetrieval(corpusDirectory, { ...options, central: false });
  try {
    writeVectors(corpusDirectory, "documents", retrieval.embedder, retrieval.documentVectors());
    const topics = new Map<string, Int16Array>();
    for (const task of tasksOf(corpusDirectory)) {
      for await (const { topic } of readTopics(corpusDirectory, task)) {
        const text = requestOf(topic);
        if (text !== undefined) topics.set(textSha256(text), await retrieval.vector(text));
      }
      options.progress?.(topics.size, null, "embedding topics");
    }
    writeVectors(corpusDirectory, "topics", retrieval.embedder, topics);
  } finally {
    retrieval.close();
  }
}

/**
 * Puts the vectors of texts that agents search for into a corpus's directory: a run that searches for no others then
 * needs no encoder, and is the same on every machine.
 */
export async function shipSearches(
  corpusDirectory: string,
  options: RetrievalOptions,
  texts: ReadonlySet<string>,
): Promise<void> {
  const retrieval = await openRetrieval(corpusDirectory, { ...options, central: false });
  try {
    const vectors = new Map<string, Int16Array>();
    for (const text of texts) {
      vectors.set(textSha256(text), await retrieval.vector(text));
      options.progress?.(vectors.size, texts.size, "embedding searches");
    }
    writeVectors(corpusDirectory, "searches", retrieval.embedder, vectors);
  } finally {
    retrieval.close();
  }
}

/** What a user asks, where the topic has it in words. */
function requestOf(topic: Topic): string | undefined {
  if ("query" in topic) return topic.query;
  return "question" in topic ? topic.question : undefined;
}
