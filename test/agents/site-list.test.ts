import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SiteList, type SiteListSettings } from "../../src/agents/site-list.ts";
import { Streams } from "../../src/kernel/random.ts";
import { AgentWorld, findings, ranking, search } from "../support/agent-world.ts";

const sites = [
  {
    id: "green.example",
    name: "Green (Gardens)",
    description: "Green (Gardens) on soil. Greenhouses, too: see green.example.",
    documents: 3,
  },
  { id: "rails.example", name: "Rails", description: "Trains, as Rails sees them.", documents: 9 },
  { id: "birds.example", name: "Birds", description: "Birds and birdsong.", documents: 9 },
  { id: "stars.example", name: "Stars", description: "The sky.", documents: 5 },
];
const plain: SiteListSettings = { order: "fixed", names: "real", descriptions: "full" };

function listWith(settings: Partial<SiteListSettings>, seed = 1): SiteList {
  return new SiteList(sites, { ...plain, ...settings }, new Streams(seed, 0));
}

function shown(list: SiteList, query = "q1"): { site: string; name: string; description: string }[] {
  return list.menuFor(query).group.segments.map(({ text }) => JSON.parse(text) as never);
}

const order = (list: SiteList, query?: string): string[] => list.menuFor(query ?? "q1").sites.map(({ id }) => id);

describe("A list of sites", () => {
  it("is as the corpus has it unless something else is wanted", () => {
    expect(shown(listWith({}))).toEqual(sites.map(({ id, name, description }) => ({ site: id, name, description })));
  });

  it("by size goes from many pages to few, ties by id", () => {
    expect(order(listWith({ order: "size" }))).toEqual([
      "birds.example",
      "rails.example",
      "stars.example",
      "green.example",
    ]);
  });

  it("shuffled is in another order for another query and another seed, and in the same for the same", () => {
    const list = listWith({ order: "shuffled-per-query" });
    const orders = Array.from({ length: 40 }, (_, n) => order(list, `q${n}`).join());
    expect(new Set(orders).size).toBeGreaterThan(10);
    expect(Array.from({ length: 40 }, (_, n) => order(list, `q${n}`).join())).toEqual(orders);
    const other = listWith({ order: "shuffled-per-query" }, 2);
    expect(Array.from({ length: 40 }, (_, n) => order(other, `q${n}`).join())).not.toEqual(orders);
  });

  it("shuffled puts each site in each place equally often", () => {
    const list = listWith({ order: "shuffled-per-query" });
    const first = new Map<string, number>();
    for (let n = 0; n < 2000; n++) {
      const [site] = order(list, `q${n}`) as [string];
      first.set(site, (first.get(site) ?? 0) + 1);
    }
    for (const { id } of sites) expect(first.get(id)).toBeGreaterThan(420); // 500 expected, sd 19
  });

  it("keeps order and masks of the others when a site is removed", () => {
    fc.assert(
      fc.property(fc.constantFrom(...sites), fc.integer({ min: 0, max: 50 }), ({ id }, n) => {
        const settings = { order: "shuffled-per-query", names: "masked" } as const;
        const list = listWith(settings);
        const before = shown(list, `q${n}`).filter(({ site }) => site !== list.menuFor("q").labelOf(id));
        list.remove([id]);
        expect(shown(list, `q${n}`)).toEqual(before);
        expect(list.menuFor("q").lists(id)).toBe(false);
      }),
    );
  });

  it("masked names are numbers by lot, the same all through a run, and lead back to the sites", () => {
    const menu = listWith({ names: "masked" }).menuFor("q1");
    const labels = sites.map(({ id }) => menu.labelOf(id));
    expect(labels.toSorted()).toEqual(["site-1", "site-2", "site-3", "site-4"]);
    expect(labels.map((label) => menu.siteOf(label))).toEqual(sites.map(({ id }) => id));
    expect(menu.names("green.example")).toBe(false);
    const seeds = Array.from({ length: 20 }, (_, seed) =>
      listWith({ names: "masked" }, seed).menuFor("q").labelOf("green.example"),
    );
    expect(new Set(seeds).size).toBe(4);
  });

  it("masks a site's own name and host name in its description, as whole words", () => {
    const [green, rails] = shown(listWith({ descriptions: "masked" }));
    expect(green?.description).toBe("this website on soil. Greenhouses, too: see this website.");
    expect(rails?.description).toBe("Trains, as this website sees them.");
    expect(shown(listWith({ descriptions: "name-only" })).map(({ description }) => description)).toEqual([
      "",
      "",
      "",
      "",
    ]);
  });
});

describe("A user agent with masked names", () => {
  it("asks by them, reaches the sites, and sees them again in the replies", async () => {
    let label = "";
    const world = new AgentWorld({
      siteList: { names: "masked", descriptions: "name-only" },
      model: ({ agent, turn, prompt }) => {
        if (agent !== "user") return turn === 1 ? "<search>page</search>" : findings(`${agent.split(".")[0]}-1`);
        if (turn > 1) return ranking("one-1", "two-1");
        label = /"site":"(site-\d)"/.exec(prompt)?.[1] as string;
        return search("page", label, "one.example", "two.example");
      },
    });
    world.ask();
    await world.run();
    const [contact] = world.factsOf("site.contacted");
    expect(world.factsOf("site.contacted")).toHaveLength(1);
    expect(world.promptOf("user", 1)).not.toMatch(/(one|two)\.example/);
    expect(world.promptOf("user", 2)).toContain(`{"website": "${label}", "summary": "found"`);
    expect(world.promptOf("user", 2)).toContain("Not on the list of websites: not asked.");
    expect(world.factsOf("citation.made").map(({ site }) => site)).toEqual([contact?.site]);
  });
});
