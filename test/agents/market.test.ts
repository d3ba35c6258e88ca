import { describe, expect, it } from "vitest";
import { AgentWorld, findings, ranking, search } from "../support/agent-world.ts";

const hour = 3_600_000;

/** Each hour one query cites a page of one.example; two.example is asked and has nothing. */
async function worldOf(economy: unknown): Promise<AgentWorld> {
  const world = new AgentWorld({
    pages: { "one.example": ["first page"], "two.example": ["second page"], "idle.example": ["third page"] },
    sites: { economy },
    model: ({ agent, turn }) => {
      if (agent === "user") return turn === 1 ? search("page", "one.example", "two.example") : ranking("one-1");
      return turn === 1 ? "<search>page</search>" : agent === "one.example" ? findings("one-1") : findings();
    },
  });
  for (let n = 0; n < 3; n++) world.kernel.at(n * hour, () => world.ask(`q${n}`));
  await world.run(3 * hour - 1);
  return world;
}

const changes = (world: AgentWorld) => world.factsOf("site.changed").map(({ t, site, change }) => [t, site, change]);

describe("Sites that earn and pay", () => {
  it("leave when a period's balance is below the threshold, and are asked no more", async () => {
    const world = await worldOf({ every: "1h", "cost-per-request": 0.4, "exit-below": -0.3 });
    expect(changes(world)).toEqual([[hour, "two.example", "left"]]);
    const outcomes = world.factsOf("site.answered").map(({ query, site, outcome }) => [query, site, outcome]);
    expect(outcomes.filter(([, site]) => site === "two.example")).toEqual([["q0", "two.example", "empty"]]);
  });

  it("stay when a price per request covers the costs", async () => {
    const world = await worldOf({
      every: "1h",
      "cost-per-request": 0.4,
      "price-per-request": 0.4,
      "exit-below": -0.3,
    });
    expect(changes(world)).toEqual([]);
  });

  it("without traffic earn nothing: a threshold above 0 is theirs too", async () => {
    const world = await worldOf({ every: "1h", "exit-below": 0.5 });
    expect(changes(world)).toEqual([
      [hour, "two.example", "left"],
      [hour, "idle.example", "left"],
    ]);
  });
});
