import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RunControl } from "../../src/run/control.ts";
import { execute } from "../../src/run/execute.ts";
import { type Gathered, gatherInputs } from "../../src/run/gather.ts";
import { livePorts, openModels } from "../../src/run/live-ports.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import type { Fact, FactOf, FactType } from "../../src/trace/facts.ts";
import { siteIds, smallWeb } from "../support/small-web.ts";

const web = smallWeb();
let gathered: Gathered;

beforeAll(async () => {
  gathered = await gatherInputs({
    loaded: loadScenario(web.scenario("any")),
    promptsDirectory: null,
    cacheDirectory: web.cache,
    replication: 0,
    progress: () => {},
  });
});
afterAll(() => gathered.retrieval.close());

/** A busy quarter of an hour with few places, impatient agents and sites that come and go. */
const busyRun = fc.record({
  seed: fc.nat(1000),
  capacity: fc.constantFrom<number | "unlimited">(1, 2, "unlimited"),
  queueLimit: fc.constantFrom<number | "unlimited">(0, 1, "unlimited"),
  timeoutMs: fc.constantFrom(50, 3000, 20_000),
  latencyMs: fc.constantFrom(0, 100, 4000),
  turns: fc.constantFrom(1, 3, 15),
  contentAgentTurns: fc.constantFrom(1, 2, 15),
  outages: fc.array(fc.record({ site: fc.nat(6), atS: fc.nat(900), forS: fc.integer({ min: 1, max: 300 }) }), {
    maxLength: 5,
  }),
  removals: fc.array(fc.record({ site: fc.nat(6), atS: fc.nat(900) }), { maxLength: 2 }),
});
type BusyRun = typeof busyRun extends fc.Arbitrary<infer T> ? T : never;

function scenarioOf(run: BusyRun): string {
  const site = (n: number) => siteIds[n] as string;
  const interventions = [
    ...run.outages.map(({ site: n, atS, forS }) => ({ at: `${atS}s`, outage: site(n), for: `${forS}s` })),
    ...run.removals.map(({ site: n, atS }) => ({ at: `${atS}s`, remove: site(n) })),
  ];
  return web.scenario("busy", {
    seed: String(run.seed),
    until: "15m",
    population: "{ users: 9, arrivals: { process: poisson, rate: 240/h } }",
    agents: JSON.stringify({
      turns: run.turns,
      "content-agent-turns": run.contentAgentTurns,
      "request-timeout": `${run.timeoutMs}ms`,
      "summary-reminder": 500,
    }),
    sites: JSON.stringify({
      default: {
        capacity: run.capacity,
        "queue-limit": run.queueLimit,
        latency: { distribution: "constant", value: `${run.latencyMs}ms` },
      },
    }),
    interventions: JSON.stringify(interventions),
  });
}

async function factsOf(run: BusyRun): Promise<Fact[]> {
  const loaded = loadScenario(scenarioOf(run));
  const inputs = { ...gathered.inputs, loaded };
  const calls = { live: 0, tape: 0, surrogate: 0, unused: 0 };
  const models = await openModels(loaded);
  const ports = livePorts({ inputs, retrieval: gathered.retrieval, models, tape: null, calls, now: () => 0 });
  const facts: Fact[] = [];
  const end = await execute({
    inputs,
    ports,
    directory: null,
    level: "full",
    control: new RunControl(),
    observers: [{ listen: (fact) => facts.push(fact) }],
    onTurn: () => {},
  });
  expect(end.error).toBeNull();
  expect(end.status).toBe("completed");
  return facts;
}

function ofType<Type extends FactType>(facts: readonly Fact[], type: Type): FactOf<Type>[] {
  return facts.filter((fact): fact is FactOf<Type> => fact.type === type);
}

const unique = (values: readonly string[]) => new Set(values).size === values.length;

describe("In every run", () => {
  it("queries, messages, requests and answers keep their order and their number", async () => {
    await fc.assert(
      fc.asyncProperty(busyRun, async (run) => {
        const facts = await factsOf(run);
        everyQueryEndsOnce(facts);
        everyMessageIsSentBeforeItArrives(facts);
        everyRequestIsAnsweredOnce(facts);
        citationsWereShown(facts);
        noAgentExceedsItsTurns(facts, run);
        if (run.capacity !== "unlimited") noSiteExceedsItsCapacity(facts, run.capacity);
      }),
      { numRuns: 12 },
    );
  });
});

function everyQueryEndsOnce(facts: readonly Fact[]): void {
  const arrived = ofType(facts, "query.arrived").map(({ query }) => query);
  const completed = ofType(facts, "query.completed").map(({ query }) => query);
  expect(unique(arrived)).toBe(true);
  expect([...completed].sort()).toEqual([...arrived].sort());
  expect(ofType(facts, "query.scored").map(({ query }) => query)).toEqual(completed);
}

function everyMessageIsSentBeforeItArrives(facts: readonly Fact[]): void {
  const sent = new Map(ofType(facts, "message.sent").map((fact) => [fact.message, fact]));
  const received = ofType(facts, "message.received");
  expect(sent.size).toBe(ofType(facts, "message.sent").length);
  expect(unique(received.map(({ message }) => message))).toBe(true);
  for (const fact of received) {
    const { seq, from, to, kind } = sent.get(fact.message) as FactOf<"message.sent">;
    expect(fact).toMatchObject({ from, to, kind });
    expect(fact.seq).toBeGreaterThan(seq);
  }
  for (const { inReplyTo, from, to } of sent.values()) {
    if (inReplyTo !== undefined) expect(sent.get(inReplyTo)).toMatchObject({ from: to, to: from });
  }
}

/** A request of a query that ended by itself was answered, refused or given up, once; others at most once. */
function everyRequestIsAnsweredOnce(facts: readonly Fact[]): void {
  const failed = new Set(
    ofType(facts, "query.completed").flatMap((fact) => (fact.outcome === "failed" ? [fact.query] : [])),
  );
  const requestOf = ({ query, site, request }: FactOf<"site.contacted"> | FactOf<"site.answered">) =>
    `${query} ${site} ${request}`;
  const contacted = ofType(facts, "site.contacted");
  const answered = ofType(facts, "site.answered").map(requestOf);
  expect(unique(contacted.map(requestOf))).toBe(true);
  expect(unique(answered)).toBe(true);
  const known = new Set(contacted.map(requestOf));
  expect(answered.every((each) => known.has(each))).toBe(true);
  const done = new Set(answered);
  for (const each of contacted) if (!failed.has(each.query)) expect(done.has(requestOf(each))).toBe(true);
  for (const { outcome, documents } of ofType(facts, "site.answered"))
    expect(documents.length > 0).toBe(outcome === "answered");
}

function citationsWereShown(facts: readonly Fact[]): void {
  const shown = new Set(
    ofType(facts, "site.answered").flatMap(({ query, documents }) => documents.map((id) => `${query} ${id}`)),
  );
  for (const { query, document } of ofType(facts, "citation.made"))
    expect(shown.has(`${query} ${document}`)).toBe(true);
  for (const { query, answer } of ofType(facts, "query.completed")) {
    expect(unique(answer as string[])).toBe(true);
    expect(ofType(facts, "citation.made").flatMap((fact) => (fact.query === query ? [fact.document] : []))).toEqual(
      answer,
    );
  }
}

function noAgentExceedsItsTurns(facts: readonly Fact[], { turns, contentAgentTurns }: BusyRun): void {
  const last = new Map<string, number>();
  for (const { query, agent, turn } of ofType(facts, "model.asked")) {
    // One model call a turn: no output is asked for again behind the agent's back.
    expect(turn).toBe((last.get(`${query} ${agent}`) ?? 0) + 1);
    // A user agent that has used its turns up is asked once more, for its answer.
    expect(turn).toBeLessThanOrEqual(agent === "user" ? turns + 1 : contentAgentTurns);
    last.set(`${query} ${agent}`, turn);
  }
}

/** A content agent is at work from its first model call to its site's reply, or until its request is given up. */
function noSiteExceedsItsCapacity(facts: readonly Fact[], capacity: number): void {
  const atWork = new Map<string, Set<string>>();
  for (const fact of facts) {
    if (fact.type === "model.asked" && fact.agent !== "user") {
      const [site, request] = fact.agent.split("/") as [string, string];
      const working = atWork.get(site) ?? new Set();
      atWork.set(site, working.add(`${fact.query} ${request}`));
      expect(working.size, `${site} at ${fact.t}`).toBeLessThanOrEqual(capacity);
    } else if (fact.type === "message.sent" && fact.kind === "reply") {
      const request = requestOfMessage(facts, fact.inReplyTo as string);
      atWork.get(fact.from)?.delete(`${fact.query} ${request}`);
    } else if (fact.type === "site.answered") {
      atWork.get(fact.site)?.delete(`${fact.query} ${fact.request}`);
    }
  }
}

/** The number of the request that a message carries: its fact stands right before the message's. */
function requestOfMessage(facts: readonly Fact[], message: string): number {
  const at = facts.findIndex((fact) => fact.type === "message.sent" && fact.message === message);
  return (facts[at - 1] as FactOf<"site.contacted">).request;
}
