import type { RunFacts } from "./run-description.ts";

/** How much of the real world a figure rests on. */
export type Tag = "mechanical" | "estimated from the tape" | "calibrated to a publication" | "assumed";

export interface Assumption {
  /** What part of the report it is about. */
  readonly about: "models" | "traffic" | "time" | "demand" | "arithmetic";
  readonly figures: string;
  readonly tag: Tag;
  readonly because: string;
}

/** The profiles that awesim ships were fitted to published figures; others are whatever their author put in. */
const calibratedProfiles = ["surrogate/qwen3-4b", "surrogate/gemini-3-flash"];

const modelReasons: Readonly<Record<Tag, string>> = {
  mechanical: "No model is at work: what is answered follows from the index.",
  "estimated from the tape": "A real model answered; its answers are on the tape.",
  "calibrated to a publication":
    "A surrogate stands in for a language model; its parameters were fitted to published figures.",
  assumed: "A surrogate with parameters of its own stands in for a language model; nothing was fitted.",
};

/** What stands behind each kind of figure of a run; the least certain of its models decides. */
export function assumptionsOf({ assistants, corpus }: RunFacts): Assumption[] {
  const tag = weakest(assistants.map(({ model }) => tagOf(model)));
  return [
    {
      about: "models",
      figures: "Scores of tasks, where pages are lost, turns and requests, tokens",
      tag,
      because: modelReasons[tag],
    },
    {
      about: "traffic",
      figures: "Who is asked and cited, concentration",
      tag: tag === "mechanical" || tag === "estimated from the tape" ? tag : "assumed",
      because:
        tag === "mechanical" || tag === "estimated from the tape"
          ? `It follows from the answers and from the websites of the corpus ${corpus.name}.`
          : `The surrogate's taste in websites was not fitted to traffic; the websites are those of the corpus ${corpus.name}.`,
    },
    {
      about: "time",
      figures: "Virtual times, latencies",
      tag: "assumed",
      because: "Durations of models and websites are drawn from distributions that the scenario names.",
    },
    {
      about: "demand",
      figures: "How many ask, when, and about what",
      tag: "assumed",
      because: "Users, arrivals and interests are the scenario's.",
    },
    {
      about: "arithmetic",
      figures: "Counts, shares, intervals, queues",
      tag: "mechanical",
      because: "They follow from the recorded facts by the definitions in the reference.",
    },
  ];
}

const order: readonly Tag[] = ["mechanical", "estimated from the tape", "calibrated to a publication", "assumed"];

function weakest(tags: readonly Tag[]): Tag {
  return order[Math.max(0, ...tags.map((tag) => order.indexOf(tag)))] as Tag;
}

function tagOf(model: string | null): Tag {
  if (model === null) return "mechanical";
  if (!model.startsWith("surrogate/")) return "estimated from the tape";
  return calibratedProfiles.includes(model) ? "calibrated to a publication" : "assumed";
}
