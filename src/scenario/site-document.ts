import { z } from "zod";
import { choice, distribution, integerOr, mapping, number, positiveDuration, text } from "./values.ts";

const namesExpected = "a name or a list of names";
const names = () =>
  z.union(
    [text(namesExpected), z.array(text(namesExpected), { error: namesExpected }).min(1, { error: namesExpected })],
    {
      error: namesExpected,
    },
  );

const capacity = () => integerOr("unlimited", 1).describe("Requests a site works on at once.");
const queueLimit = () => integerOr("unlimited", 0).describe("Requests that may wait for a site.");
const latency = () => distribution().describe("Time of a search in the site.");

const blocks = () =>
  z
    .union(
      [
        choice("none", "agents", "documents"),
        mapping({
          strategy: names().optional().describe("Strategies whose agents are blocked."),
          assistant: names().optional().describe("Assistants that are blocked, by their names."),
          only: choice("documents").optional().describe("They are answered, without documents."),
        }),
      ],
      { error: "none, agents, documents, or { strategy, assistant, only: documents }" },
    )
    .describe("Whom a site blocks: nobody, all agents, or named ones; documents: it answers and withholds its pages.");

/** How one site behaves, where it differs from the others; also what an intervention can set. */
export const siteKeys = {
  capacity: capacity().optional(),
  latency: latency().optional(),
  "queue-limit": queueLimit().optional(),
  blocks: blocks().optional(),
};

/** How sites behave unless something else is said. */
export const siteDefaults = {
  capacity: capacity().default("unlimited"),
  latency: latency().prefault({ distribution: "lognormal", median: "300ms", sigma: 0.4 }),
  "queue-limit": queueLimit().default("unlimited"),
  blocks: blocks().default("none"),
};

const filesExpected = "a list of paths of YAML files { site, documents }";

/** What sites earn and pay, in one currency, and when they leave. All of it is assumed. */
export const economy = mapping({
  every: positiveDuration().describe("How often accounts are closed."),
  "revenue-per-citation": number(0).default(1),
  "price-per-request": number(0).default(0).describe("What a site gets for a request that it answers."),
  "cost-per-request": number(0).default(0).describe("What each request costs the site."),
  "exit-below": z
    .number({ error: "a number" })
    .describe("A site whose revenue less its costs in one such time is below leaves."),
  entrants: z
    .array(text("a path"), { error: filesExpected })
    .default([])
    .describe("Sites that enter, one for each that leaves, in this order."),
}).describe("Entry and exit of sites by what they earn.");

export type BlocksDocument = z.output<ReturnType<typeof blocks>>;
