import { z } from "zod";
import { siteIdSchema } from "../corpora/format.ts";
import { siteKeys } from "./site-document.ts";
import { duration, flag, mapping, number, pattern, positiveDuration, rate, text } from "./values.ts";

const siteIdsExpected = "a site id or a list of site ids";
const siteIds = () =>
  z.union([siteIdSchema, z.array(siteIdSchema).min(1, { error: siteIdsExpected })], { error: siteIdsExpected });

export const share = () =>
  number(0).max(1e9, { error: "a number from 0 to 1e9" }).describe("A weight; the shares are normalised to sum to 1.");

export const strategyName = () => pattern(/^[a-z0-9][a-z0-9-]*$/, "the name of a strategy, such as multi-agent");
export const modelName = () => pattern(/^[a-z0-9-]+\/\S+$/, "a model such as surrogate/qwen3-4b or openai/<model>");

export const tasks = () =>
  mapping({
    "web-search": share().optional(),
    "web-recommendation": share().optional(),
    "question-answering": share().optional(),
    "deep-research": share().optional(),
  });

export const interests = () =>
  z
    .discriminatedUnion(
      "topics",
      [
        mapping({ topics: z.literal("uniform") }),
        mapping({ topics: z.literal("zipf"), exponent: number(0).default(1).describe("0 is uniform.") }),
      ],
      { error: "one of uniform, zipf" },
    )
    .describe("How popular topics are among users. Without effect on every-topic arrivals.");

const at = () => duration().describe("Virtual time since the start of the run.");
const forTime = () => positiveDuration().describe("How long it lasts.");

const factorExpected = "a number from 0 to 100";
const fractionExpected = "a number above 0, at most 1";

const topicIdsExpected = "a list of topic ids";
const shockedTopics = mapping({
  topics: z
    .array(text("a topic id"), { error: topicIdsExpected })
    .min(1, { error: topicIdsExpected })
    .optional()
    .describe("The topics that people turn to."),
  "gold-sites": siteIds().optional().describe("Instead: the topics whose relevant pages these sites have."),
  share: number(0)
    .max(1, { error: fractionExpected })
    .refine((value) => value > 0, { error: fractionExpected })
    .describe("The fraction of all queries that turn to them."),
});

const setSite = mapping({ site: siteIds(), ...siteKeys });

const setPopulation = mapping({
  population: mapping({
    rate: rate().optional().describe("Queries of the whole population."),
    interests: interests().optional(),
    tasks: tasks().optional(),
  }),
});

const setAssistant = mapping({
  assistant: text("the name of an assistant"),
  share: share().optional(),
  strategy: strategyName().optional(),
  model: modelName().optional(),
  thinking: flag().optional(),
});

/** A change of the world at a virtual time, as YAML writes it. */
export const intervention = z.union(
  [
    mapping({ at: at(), outage: siteIds(), for: forTime() }).describe("Listed, but does not answer."),
    mapping({ at: at(), remove: siteIds() }).describe("No longer listed."),
    mapping({ at: at(), add: text("the path of a YAML file { site, documents }") }).describe("A new site is listed."),
    mapping({ at: at(), block: siteIds() }).describe("The site blocks all agents."),
    mapping({ at: at(), unblock: siteIds() }).describe("The site blocks nobody any more."),
    mapping({
      at: at(),
      demand: number(0).max(100, { error: factorExpected }).describe("The rate of queries is multiplied by it."),
      for: forTime(),
    }).describe("Demand shock."),
    mapping({ at: at(), "topic-shock": shockedTopics, for: forTime() }).describe("Interest turns to some topics."),
    mapping({ at: at(), set: z.union([setSite, setPopulation, setAssistant]) }).describe("Changes a parameter."),
  ],
  {
    error:
      "{ at, outage, for }, { at, remove }, { at, add }, { at, block }, { at, unblock }, { at, demand, for }, " +
      "{ at, topic-shock, for } or { at, set }",
  },
);

export type InterventionDocument = z.output<typeof intervention>;
