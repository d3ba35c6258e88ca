import { describe, expect, it } from "vitest";
import {
  AgentWorld,
  type AgentWorldOptions,
  findings,
  modelMs,
  ranking,
  search,
  siteMs,
} from "../support/agent-world.ts";

/** All queries ask one site, whose content agent needs one turn and finds nothing. */
function worldOf(options: Partial<AgentWorldOptions>): AgentWorld {
  return new AgentWorld({
    ...options,
    model: ({ agent, turn }) => {
      if (agent !== "user") return findings();
      return turn === 1 ? search("page", "one.example") : ranking();
    },
  });
}

const outcomes = (world: AgentWorld) =>
  world.factsOf("site.answered").map(({ query, outcome, t }) => [query, outcome, t]);
const started = (world: AgentWorld) =>
  world.asked.filter(({ agent }) => agent === "one.example").map(({ query, atMs }) => [query, atMs]);

/** A query's request reaches its site after one model call and one message. */
const arrival = modelMs + siteMs;
const reply = arrival + modelMs + siteMs;

describe("A site", () => {
  it("of unlimited capacity works on all requests at once", async () => {
    const world = worldOf({});
    for (const query of ["q1", "q2", "q3"]) world.ask(query);
    await world.run();
    expect(started(world)).toEqual([
      ["q1", arrival],
      ["q2", arrival],
      ["q3", arrival],
    ]);
    expect(world.factsOf("site.queued")).toEqual([]);
  });

  it("of capacity 1 lets requests wait, and takes them in the order they came", async () => {
    const world = worldOf({ sites: { default: { capacity: 1 } } });
    for (const query of ["q1", "q2", "q3"]) world.ask(query);
    await world.run();
    expect(started(world)).toEqual([
      ["q1", arrival],
      ["q2", arrival + modelMs],
      ["q3", arrival + 2 * modelMs],
    ]);
    expect(world.factsOf("site.queued")).toMatchObject([
      { query: "q2", waiting: 1, t: arrival },
      { query: "q3", waiting: 2, t: arrival },
    ]);
  });

  it("with a full queue refuses", async () => {
    const world = worldOf({ sites: { default: { capacity: 1, "queue-limit": 1 } } });
    for (const query of ["q1", "q2", "q3"]) world.ask(query);
    await world.run();
    expect(outcomes(world)).toEqual([
      ["q3", "down", arrival + siteMs],
      ["q1", "empty", reply],
      ["q2", "empty", reply + modelMs],
    ]);
  });

  it("with no queue at all refuses what it cannot take at once", async () => {
    const world = worldOf({ sites: { default: { capacity: 2, "queue-limit": 0 } } });
    for (const query of ["q1", "q2", "q3"]) world.ask(query);
    await world.run();
    expect(world.factsOf("site.queued")).toEqual([]);
    expect(outcomes(world).filter(([, outcome]) => outcome === "down")).toEqual([["q3", "down", arrival + siteMs]]);
  });
});

describe("An outage", () => {
  it("refuses what is at work and what waits, and what comes while it lasts; then the site works again", async () => {
    const world = worldOf({
      sites: { default: { capacity: 1 } },
      interventions: [{ at: "1500ms", outage: "one.example", for: "1s" }],
    });
    for (const query of ["q1", "q2"]) world.ask(query);
    await world.run(1000);
    world.ask("q3"); // its request arrives at 2100
    await world.run(2000);
    world.ask("q4"); // at 3100, after the outage
    await world.run();
    expect(outcomes(world)).toEqual([
      ["q1", "down", 1600],
      ["q2", "down", 1600],
      ["q3", "down", 2200],
      ["q4", "empty", 3100 + modelMs + siteMs],
    ]);
    expect(started(world).map(([query]) => query)).toEqual(["q1", "q4"]);
    expect(world.promptOf("user", 2)).toContain("This website does not answer at present.");
  });

  it("that overlaps another ends with the later of the two", async () => {
    const world = worldOf({
      interventions: [
        { at: "0s", outage: "one.example", for: "3s" },
        { at: "1s", outage: "one.example", for: "4s" },
      ],
    });
    for (const atMs of [0, 2000, 3950]) {
      await world.run(atMs);
      world.ask(`q${atMs}`);
    }
    await world.run();
    expect(outcomes(world).map(([query, outcome]) => [query, outcome])).toEqual([
      ["q0", "down"],
      ["q2000", "down"],
      ["q3950", "empty"],
    ]);
  });

  it("takes effect before a request that arrives at its very time, and ends before one that arrives at its end", async () => {
    const world = worldOf({ interventions: [{ at: `${arrival}ms`, outage: "one.example", for: "500ms" }] });
    world.ask("q1");
    await world.run(500);
    world.ask("q2");
    await world.run();
    expect(outcomes(world).map(([query, outcome]) => [query, outcome])).toEqual([
      ["q1", "down"],
      ["q2", "empty"],
    ]);
  });
});

describe("A removed site", () => {
  it("is no longer listed; agents that still have the old list are refused", async () => {
    const world = worldOf({ interventions: [{ at: "500ms", remove: ["one.example"] }] });
    world.ask("q1");
    await world.run(600);
    world.ask("q2");
    await world.run();
    expect(outcomes(world)).toEqual([["q1", "down", arrival + siteMs]]);
    expect(world.asked.find(({ query }) => query === "q2")?.prompt).not.toContain('"site":"one.example"');
    expect(world.asked.find(({ query }) => query === "q2")?.prompt).toContain('"site":"two.example"');
    const ofSecond = world.factsOf("action.taken").filter(({ query }) => query === "q2");
    expect(ofSecond[0]).toMatchObject({ valid: false, problem: "bad-payload" });
  });

  it("stays away when an outage of it ends", async () => {
    const world = worldOf({
      interventions: [
        { at: "100ms", outage: "one.example", for: "300ms" },
        { at: "200ms", remove: "one.example" },
      ],
    });
    world.ask("q1");
    await world.run();
    expect(outcomes(world)).toMatchObject([["q1", "down", arrival + siteMs]]);
  });
});

describe("A site's capacity, set while requests wait", () => {
  it("lets them in at once when it grows", async () => {
    const world = worldOf({
      sites: { default: { capacity: 1 } },
      interventions: [{ at: "1500ms", set: { site: "one.example", capacity: 2 } }],
    });
    for (const query of ["q1", "q2", "q3"]) world.ask(query);
    await world.run();
    expect(started(world)).toEqual([
      ["q1", arrival],
      ["q2", 1500],
      ["q3", arrival + modelMs],
    ]);
  });

  it("ends no work when it shrinks", async () => {
    const world = worldOf({
      interventions: [{ at: "1500ms", set: { site: "one.example", capacity: 1 } }],
    });
    for (const query of ["q1", "q2"]) world.ask(query);
    await world.run(1600);
    world.ask("q3");
    world.ask("q4");
    await world.run();
    expect(outcomes(world).every(([, outcome]) => outcome === "empty")).toBe(true);
    expect(started(world)).toEqual([
      ["q1", arrival],
      ["q2", arrival],
      ["q3", 1600 + arrival],
      ["q4", 1600 + arrival + modelMs],
    ]);
  });
});
