import { describe, expect, it } from "vitest";
import { AgentWorld, type AgentWorldOptions, findings, ranking, search } from "../support/agent-world.ts";

/** One query asks both sites, whose content agents find and hand over their page. */
async function repliesIn(options: Partial<AgentWorldOptions>, ask?: (world: AgentWorld) => void) {
  const world = new AgentWorld({
    ...options,
    model: ({ agent, turn }) => {
      if (agent === "user") return turn === 1 ? search("page", "one.example", "two.example") : ranking();
      return turn === 1 ? "<search>page</search>" : findings(`${agent.split(".")[0]}-1`);
    },
  });
  world.ask("q1");
  ask?.(world);
  await world.run();
  const outcomes = world
    .factsOf("site.answered")
    .map(({ query, site, outcome, documents }) => [query, site, outcome, documents.length]);
  return { world, outcomes: outcomes.toSorted() };
}

const open = ["q1", "two.example", "answered", 1];

describe("A site that blocks", () => {
  it("agents refuses them on arrival, and no content agent is at work", async () => {
    const { world, outcomes } = await repliesIn({ sites: { "one.example": { blocks: "agents" } } });
    expect(outcomes).toEqual([["q1", "one.example", "blocked", 0], open]);
    expect(world.asked.some(({ agent }) => agent === "one.example")).toBe(false);
    expect(world.promptOf("user", 2)).toContain("does not answer agents like you");
  });

  it("documents answers and withholds them", async () => {
    const { world, outcomes } = await repliesIn({ sites: { "one.example": { blocks: "documents" } } });
    expect(outcomes).toEqual([["q1", "one.example", "answered", 0], open]);
    expect(world.promptOf("user", 2)).not.toContain("first page");
    expect(world.promptOf("user", 2)).toContain("found");
  });

  it.each([
    ["multi-agent", "blocked"],
    ["tool-e", "answered"],
  ])("agents of the strategy %s: one of multi-agent gets %s", async (strategy, outcome) => {
    const { outcomes } = await repliesIn({ sites: { default: { blocks: { strategy } } } });
    expect(outcomes.map(([, , each]) => each)).toEqual([outcome, outcome]);
  });

  it("from a time on answers what is at work, and nothing that comes later, until it blocks nobody", async () => {
    const { world, outcomes } = await repliesIn(
      {
        interventions: [
          { at: "2s", block: "one.example" },
          { at: "20s", unblock: "one.example" },
        ],
      },
      (each) => {
        each.kernel.at(5_000, () => each.ask("q2"));
        each.kernel.at(30_000, () => each.ask("q3"));
      },
    );
    expect(outcomes.filter(([, site]) => site === "one.example")).toEqual([
      ["q1", "one.example", "answered", 0],
      ["q2", "one.example", "blocked", 0],
      ["q3", "one.example", "answered", 1],
    ]);
    expect(world.factsOf("site.changed").map(({ t, change }) => [t, change])).toEqual([
      [2_000, "blocks agents"],
      [20_000, "blocks nobody"],
    ]);
  });

  it("withholds documents, where it has a search engine and no content agent, by blocking", async () => {
    const world = new AgentWorld({
      strategy: "tool-e",
      selects: ["one.example", "two.example"],
      sites: { "one.example": { blocks: "documents" } },
      model: ({ turn }) => (turn === 1 ? "<search>page</search>" : ranking()),
    });
    world.ask();
    await world.run();
    expect(world.factsOf("site.answered").map(({ site, outcome }) => [site, outcome])).toEqual([
      ["one.example", "blocked"],
      ["two.example", "answered"],
    ]);
  });
});

describe("A queue limit that is set", () => {
  it("holds from then on", async () => {
    const { outcomes } = await repliesIn({
      sites: { default: { capacity: 1 } },
      interventions: [{ at: 0, set: { site: ["one.example", "two.example"], "queue-limit": 0 } }],
    });
    expect(outcomes).toHaveLength(2);
  });
});
