import { z } from "zod";
import { tasksOf, topicsFile } from "../../src/corpora/files.ts";
import { topicSchemas } from "../../src/corpora/format.ts";
import { readJsonLines } from "../../src/corpora/json-lines.ts";
import type { Grades } from "../../src/metrics/ranking.ts";

/** Pages that were judged and found worthless stand under `judged`, where a corpus has them. */
const topicSchema = topicSchemas["web-search"].extend({ judged: z.array(z.string()).default([]) });
export type SearchTopic = z.output<typeof topicSchema>;

export async function readSearchTopics(corpus: string): Promise<SearchTopic[]> {
  const topics: SearchTopic[] = [];
  if (!tasksOf(corpus).includes("web-search")) return topics;
  for await (const { value } of readJsonLines(topicsFile(corpus, "web-search"), topicSchema)) topics.push(value);
  return topics;
}

export function gradesOf({ relevant, judged }: SearchTopic): Grades {
  return new Map([...judged.map((id) => [id, 0] as const), ...Object.entries(relevant)]);
}

/** Topics by the part of their id before the first hyphen; ids without one are one set, `all`. */
export function groupedById(topics: readonly SearchTopic[]): Map<string, SearchTopic[]> {
  const groups = new Map<string, SearchTopic[]>();
  for (const topic of topics) {
    const set = topic.id.includes("-") ? (topic.id.split("-", 1)[0] as string) : "all";
    const group = groups.get(set);
    if (group === undefined) groups.set(set, [topic]);
    else group.push(topic);
  }
  return groups;
}
