import { z } from "zod";
import { interests, intervention, modelName, share, strategyName, tasks } from "./intervention-document.ts";
import { protocolNames } from "./protocol.ts";
import { economy, siteDefaults, siteKeys } from "./site-document.ts";
import {
  choice,
  distribution,
  duration,
  flag,
  integer,
  integerOr,
  mapping,
  number,
  pattern,
  positiveDuration,
  rate,
  text,
} from "./values.ts";

const horizon = z
  .union(
    [
      z.literal("terminating"),
      mapping({ "steady-state": mapping({ "warm-up": duration(), "cool-down": duration() }) }),
    ],
    {
      error: "terminating, or { steady-state: { warm-up, cool-down } }",
    },
  )
  .default("terminating")
  .describe("terminating: the whole run counts. steady-state: warm-up and cool-down are cut from the measures.");

const dayProfile = () => {
  const expected = "a list of 24 weights, not all 0";
  return z
    .array(number(0), { error: expected })
    .length(24, { error: expected })
    .refine((weights) => weights.some((weight) => weight > 0), { error: expected });
};

const chance = () => {
  const expected = "a number from 0 to 1";
  return z.number({ error: expected }).min(0, { error: expected }).max(1, { error: expected });
};

const arrivals = z
  .discriminatedUnion(
    "process",
    [
      mapping({
        process: z.literal("poisson"),
        rate: rate().describe("Queries of the whole population, for example 200/h."),
      }),
      mapping({
        process: z.literal("diurnal"),
        rate: rate().describe("Queries of the whole population, on average over a day."),
        profile: dayProfile().optional().describe("24 weights, one an hour from midnight on; default an assumed day."),
      }),
      mapping({
        process: z.literal("every-topic"),
        rate: rate().describe("Topics, over all tasks; each arrives at every assistant at the same time."),
        topics: integer(1).optional().describe("Only the first N topics of each task in use; default all."),
      }),
      mapping({
        process: z.literal("trace"),
        file: text("the path of a file with one time a line")
          .optional()
          .describe("A file with one arrival time a line (milliseconds or a duration), relative to the scenario."),
        times: z.array(duration(), { error: "a list of times" }).optional().describe("The arrival times themselves."),
      }),
    ],
    { error: "one of poisson, diurnal, every-topic, trace" },
  )
  .describe("When queries arrive.");

const assistant = mapping({
  share: share().optional().describe("Share of the users; leave it out everywhere for equal shares."),
  strategy: strategyName(),
  model: modelName().default("surrogate/qwen3-4b"),
  thinking: flag().default(true),
  name: text("a name").optional().describe("Who it is; keeps its users when another assistant is taken away."),
});

const thinkingSwitch = () =>
  pattern(
    /^(unset|chat-template|reasoning-effort=[a-z]+)$/,
    "unset, chat-template or reasoning-effort=<level>, such as reasoning-effort=low",
  );

const sites = z
  .object(
    {
      default: mapping(siteDefaults).prefault({}),
      economy: economy.optional(),
    },
    { error: "a mapping with the keys default and economy, and site ids" },
  )
  .catchall(mapping(siteKeys))
  .prefault({})
  .describe("How sites behave: default for all, and what differs for single ones, by site id.");

const formatRetries = () => {
  const expected = "an integer from 0 to 5";
  return integer(0, expected).max(5, { error: expected });
};

const documentText = () =>
  pattern(/^(full|summary-only|snippet:[1-9]\d{0,6})$/, "full, summary-only or snippet:<characters>");

/** A scenario file as YAML writes it, apart from contradictions between its values. */
export const documentSchema = mapping({
  name: pattern(/^[a-z0-9]+(-[a-z0-9]+)*$/, "a name of lower-case letters, digits and hyphens, such as one-day"),
  seed: integer(0).default(1).describe("Seed of all randomness."),
  corpus: text("the name of a corpus, or a path").describe("A name under corpora/, or a path."),
  until: positiveDuration().optional().describe("Virtual length of the run; every-topic arrivals end by themselves."),
  horizon,
  population: mapping({
    users: integer(1).default(100),
    arrivals,
    interests: interests().prefault({ topics: "uniform" }),
    tasks: tasks().default({ "web-search": 1 }).describe("Shares of the tasks among queries."),
    clicks: mapping({
      model: choice("none", "position-based", "cascade").default("none").describe("How people follow citations."),
      attraction: chance().default(0.3).describe("The chance that a place that is looked at is clicked."),
      examination: chance().default(0.7).describe("position-based: how the chance to look falls from place to place."),
      satisfaction: chance().default(0.7).describe("cascade: the chance that a click ends the search."),
    }).prefault({}),
  }),
  assistants: z
    .array(assistant, { error: "a list of assistants" })
    .min(1, { error: "at least one assistant" })
    .describe("The user agents that people use, with their market shares."),
  plugins: z
    .array(text("the path of a module, such as ./my-strategy.ts"), { error: "a list of modules" })
    .default([])
    .describe("Modules with strategies of your own, from the scenario's folder or the working directory."),
  protocol: choice(...protocolNames)
    .default("awesim")
    .describe("Whose defaults the switches of agents and tool-e take; what is given here beside it holds."),
  retrieval: mapping({
    index: choice("dense", "bm25", "hybrid").default("dense"),
    embedder: pattern(
      /^(sentence|hashing|transformers\/\S+)$/,
      "sentence, hashing or transformers/<model or directory>",
    ).default("sentence"),
    "documents-per-site": integer(1).default(3).describe("Documents a search in a site returns."),
    bm25: mapping({
      k1: number(0).max(1000, { error: "a number from 0 to 1000" }).default(1.2).describe("Saturation of word counts."),
      b: number(0).max(1, { error: "a number from 0 to 1" }).default(0.75).describe("Weight of a document's length."),
    }).prefault({}),
    hybrid: mapping({
      "rank-constant": integer(0).default(60).describe("The k of reciprocal rank fusion."),
      depth: integer(1).default(100).describe("Documents of each list that are fused."),
    }).prefault({}),
  }).prefault({}),
  "tool-e": mapping({
    k: integer(1)
      .default(5)
      .describe("Sites a search goes to where the strategy chooses them: tool-e, redde, random-sites, popular-sites."),
  }).prefault({}),
  agents: mapping({
    turns: integer(1).default(15).describe("Turns a user agent has for a query."),
    "content-agent-turns": integer(1).default(15).describe("Turns a content agent has for a request."),
    "documents-per-answer": integer(1).default(3).describe("Documents a content agent may return."),
    "max-sites-per-search": integerOr("unlimited", 1).default(10).describe("Sites one search may name."),
    "summary-reminder": integerOr("off", 1)
      .default(8000)
      .describe("Tokens after which an agent is reminded to summarise."),
    "summary-reminder-counts": choice("history", "prompt")
      .default("history")
      .describe("Whether these are the tokens of its turns, or of its whole prompt."),
    "final-answer": choice("forced", "none")
      .default("forced")
      .describe("Whether a user agent out of turns is asked once more, and a content agent hands over what it found."),
    "format-retries": formatRetries()
      .default(0)
      .describe("How often a user agent's model is asked again within a turn when its output is no action."),
    "content-agent-on-invalid": choice("stop", "remind")
      .default("remind")
      .describe("What a content agent does after an output that is no action."),
    thoughts: choice("fed-back", "dropped").default("dropped").describe("Whether models see their earlier thoughts."),
    "document-text": documentText().default("full").describe("How much of a page's text user agents see."),
    "show-url": flag().default(false).describe("Whether user agents see the addresses of pages."),
    "content-agent-sees": choice("query", "query+task")
      .default("query")
      .describe("Whether content agents see what the person wants, beside the query."),
    "result-order": choice("request", "completion")
      .default("request")
      .describe("The order in which user agents see the replies to one search."),
    "answer-ids": choice("any", "retrieved-only")
      .default("retrieved-only")
      .describe("Whether an answer may hold ids of pages that were not shown."),
    "request-timeout": positiveDuration().prefault("5m").describe("How long a user agent waits for a content agent."),
  }).prefault({}),
  "site-list": mapping({
    order: choice("fixed", "size", "shuffled-per-query").default("fixed").describe("The order of the list of sites."),
    names: choice("real", "masked").default("real").describe("Whether sites are listed by name, or by a number."),
    descriptions: choice("full", "name-only", "masked")
      .default("full")
      .describe("Descriptions as they are, none, or without the site's own name."),
  }).prefault({}),
  models: mapping({
    latency: distribution()
      .prefault({ distribution: "lognormal", median: "1500ms", sigma: 0.5 })
      .describe("Virtual time of a model call."),
    endpoint: mapping({
      "base-url": z.url({ error: "a URL" }).optional(),
      "base-url-variable": text("the name of an environment variable").default("OPENAI_BASE_URL"),
      "key-variable": text("the name of an environment variable").default("OPENAI_API_KEY"),
      concurrency: integer(1).default(64),
      "thinking-on": thinkingSwitch().default("unset").describe("What a call with thinking sends to ask for it."),
      "thinking-off": thinkingSwitch().default("reasoning-effort=minimal").describe("And one without thinking."),
      stream: flag().default(false).describe("Ask for answers piece by piece."),
      context: integer(1).optional().describe("Tokens of prompt and answer; default by the model's name."),
      timeout: positiveDuration().prefault("30m").describe("Real time after which a call is given up."),
    }).prefault({}),
  }).prefault({}),
  judge: mapping({
    model: pattern(/^openai\/\S+$/, "a language model, openai/<model>").describe("Who judges answers and reports."),
    votes: integer(1).default(3).describe("Votes on each question; the majority decides."),
  })
    .optional()
    .describe("A language model that judges what rules cannot; without one these measures are null."),
  sites,
  interventions: z.array(intervention, { error: "a list of interventions" }).default([]),
  statistics: mapping({ window: positiveDuration().prefault("1h") }).prefault({}),
});

/** What it parses to is the resolved document: the words of the file, complete, and valid input again. */
export type ScenarioDocument = z.output<typeof documentSchema>;
