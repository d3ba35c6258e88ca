import { z } from "zod";

/** A host name: letters, digits and hyphens between dots. It is used in file names, so nothing else is allowed. */
export const siteIdSchema = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/,
    "a host name in lower case, such as encyclopedia.example",
  );

const idSchema = z.string().min(1);

export const siteSchema = z.object({
  id: siteIdSchema,
  name: z.string().min(1),
  description: z.string(),
  topics: z.array(z.string()).default([]),
  priors: z
    .object({ authority: z.number().min(0).max(1).default(0.5), popularity: z.number().min(0).max(1).default(0) })
    .prefault({}),
});

export const documentSchema = z.object({
  id: idSchema,
  site: siteIdSchema,
  url: z.string(),
  title: z.string(),
  text: z.string(),
  publishedMs: z.number().int().optional(),
});

const gradesSchema = z.record(idSchema, z.number().int().min(1).max(3));

const webSearchTopicSchema = z.object({
  id: idSchema,
  query: z.string().min(1),
  relevant: gradesSchema,
  /** Documents that were judged and found worthless: they count for judged@k alone. */
  judged: z.array(idSchema).optional(),
});

const webRecommendationTopicSchema = z.object({
  id: idSchema,
  history: z.array(
    z.object({
      doc: idSchema.optional(),
      title: z.string(),
      url: z.string().optional(),
      atMs: z.number().int().optional(),
    }),
  ),
  relevant: gradesSchema,
});

const questionAnsweringTopicSchema = z.object({
  id: idSchema,
  question: z.string().min(1),
  answers: z.array(z.string()).min(1),
  evidence: z.array(idSchema),
  knownWithoutWeb: z.boolean().optional(),
});

const deepResearchTopicSchema = z.object({
  id: idSchema,
  question: z.string().min(1),
  keyPoints: z.array(z.string()),
  evidence: z.array(idSchema),
});

/** A website: what a user agent may know of it. `priors` are in [0, 1]. */
export type Site = z.infer<typeof siteSchema>;
/** A page of a website. */
export type Document = z.infer<typeof documentSchema>;
export type WebSearchTopic = z.infer<typeof webSearchTopicSchema>;
export type WebRecommendationTopic = z.infer<typeof webRecommendationTopicSchema>;
export type QuestionAnsweringTopic = z.infer<typeof questionAnsweringTopicSchema>;
export type DeepResearchTopic = z.infer<typeof deepResearchTopicSchema>;

/** The four tasks, with the schema of a line of `tasks/<task>.jsonl`. */
export const topicSchemas = {
  "web-search": webSearchTopicSchema,
  "web-recommendation": webRecommendationTopicSchema,
  "question-answering": questionAnsweringTopicSchema,
  "deep-research": deepResearchTopicSchema,
} as const;

export type TaskName = keyof typeof topicSchemas;
export const taskNames = Object.keys(topicSchemas) as TaskName[];

/** The YAML head of a corpus: `corpus.yaml`. */
/** It stands in the prose of reports. */
const plainLine = z.string().regex(/^[^\p{C}\u2028\u2029]+$/u, "expected one line without control characters");

export const corpusHeadSchema = z.looseObject({
  name: plainLine,
  version: z.union([plainLine, z.number()]).transform(String),
  language: z.string().default("en"),
  licence: z.string().optional(),
  description: z.string().optional(),
});
export type CorpusHead = z.infer<typeof corpusHeadSchema>;
