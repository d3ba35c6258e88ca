import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/agents/task.ts";
import { strategyNames } from "../../src/strategies/registry.ts";
import { webSearch } from "../../src/tasks/web-search.ts";
import { AgentWorld, type AgentWorldOptions, ranking, search, siteMs } from "../support/agent-world.ts";

const pages = {
  "a.example": ["page one", "page two", "page three", "page four"],
  "b.example": ["page five"],
  "c.example": ["nothing"],
  "d.example": ["page six"],
};

/** A user agent that searches once, or as often as given, and then answers with nothing. */
function worldOf(strategy: string, says: readonly string[], options: Partial<AgentWorldOptions> = {}): AgentWorld {
  return new AgentWorld({ pages, strategy, ...options, model: ({ turn }) => says[turn - 1] ?? ranking() });
}

async function run(
  strategy: string,
  says: readonly string[] = ["<search>page</search>"],
  options: Partial<AgentWorldOptions> = {},
) {
  const world = worldOf(strategy, says, options);
  const asked = world.ask();
  await world.run();
  return { world, asked, contacted: world.factsOf("site.contacted").map(({ site }) => site) };
}

const repliesIn = (prompt: string): unknown =>
  JSON.parse(/<information>\n(.*)\n<\/information>/s.exec(prompt)?.[1] as string);
const doc = (id: string, text: string) => ({ doc_id: id, doc_text: text });

describe("A search of sites without content agents", () => {
  it("is a contact to each, goes through its machine, and comes back grouped by site", async () => {
    const { world, asked, contacted } = await run("tool-p", [search("page", "b.example", "a.example", "c.example")]);
    expect(contacted).toEqual(["b.example", "a.example", "c.example"]);
    expect(repliesIn(world.promptOf("user", 2))).toEqual([
      { website: "b.example", documents: [doc("b-1", "page five")] },
      { website: "a.example", documents: [doc("a-1", "page one"), doc("a-2", "page two"), doc("a-3", "page three")] },
      { website: "c.example", documents: [] },
    ]);
    expect(world.asked.every(({ agent }) => agent === "user")).toBe(true);
    expect(world.factsOf("search.answered")).toMatchObject([
      { agent: "user", site: "b.example", documents: ["b-1"] },
      { agent: "user", site: "a.example", documents: ["a-1", "a-2", "a-3"] },
      { agent: "user", site: "c.example", documents: [] },
    ]);
    expect(world.factsOf("site.answered").map(({ outcome, t }) => [outcome, t])).toEqual([
      ["answered", 1000 + 3 * siteMs], // there, the search, back
      ["answered", 1000 + 3 * siteMs],
      ["empty", 1000 + 3 * siteMs],
    ]);
    expect(asked.outcome).toMatchObject({ asksSites: true, answer: { documents: [] } });
    expect([...(asked.outcome?.contactedSites ?? [])]).toEqual(contacted);
    expect([...(asked.outcome?.found ?? [])]).toEqual(["b-1", "a-1", "a-2", "a-3"]);
    expect([...(asked.outcome?.seen.keys() ?? [])]).toEqual(["b-1", "a-1", "a-2", "a-3"]);
  });

  it("shows as many pages as are wanted, so that measures tell a fourth place from none", async () => {
    const says = [search("page", "a.example"), ranking("a-1", "a-2", "a-3", "a-4")];
    const recalls = await Promise.all(
      [3, 4].map(async (documentsPerSearch) => {
        const { asked } = await run("tool-p", says, { agents: { documentsPerSearch } });
        const topic = { id: "t", query: "q", relevant: { "a-1": 1, "a-4": 1 }, goldSites: ["a.example"] };
        const scores = webSearch.score(topic, asked.outcome as Outcome);
        return [scores["recall@3"], scores["recall@5"]];
      }),
    );
    expect(recalls).toEqual([
      [0.5, 0.5],
      [0.5, 1],
    ]);
  });

  it("waits for a place, is refused when too many wait, and is not answered by a site that is down or removed", async () => {
    const sites = { default: { capacity: 1, "queue-limit": 1 } };
    const world = worldOf("tool-p", [search("page", "a.example")], { sites });
    for (const query of ["q1", "q2", "q3"]) world.ask(query);
    await world.run();
    expect(world.factsOf("site.queued")).toMatchObject([{ query: "q2", waiting: 1 }]);
    expect(world.factsOf("site.answered").map(({ query, outcome, t }) => [query, outcome, t])).toEqual([
      ["q3", "down", 1200],
      ["q1", "answered", 1300],
      ["q2", "answered", 1400],
    ]);
    const interventions = [
      { at: "1150ms", outage: "a.example", for: "1h" }, // while it searches
      { at: "10ms", remove: "b.example" }, // while it is still on the list of this query
    ];
    const down = await run("tool-p", [search("page", "a.example", "b.example")], { interventions });
    expect(down.world.factsOf("site.answered").map(({ site, outcome }) => [site, outcome])).toEqual([
      ["b.example", "down"],
      ["a.example", "down"],
    ]);
    expect(down.world.factsOf("search.answered")).toEqual([]);
    expect(down.world.promptOf("user", 2)).toContain("This website does not answer at present.");
  });

  it("is given up when the site takes too long, and frees its place", async () => {
    const { world } = await run("tool-p", [search("page", "a.example"), search("page", "a.example")], {
      agents: { requestTimeoutMs: 150 },
      sites: { default: { capacity: 1 } },
    });
    expect(world.factsOf("site.answered").map(({ outcome }) => outcome)).toEqual(["timeout", "timeout"]);
    expect(world.factsOf("site.queued")).toEqual([]);
    expect(world.factsOf("search.answered")).toEqual([]);
  });
});

describe("A search that names its sites", () => {
  it.each(["tool-p", "multi-agent"])(
    "in %s reaches no site that it does not name, and never all of them",
    async (strategy) => {
      const payloads = [
        '{"query": "page", "websites": []}',
        '"page"',
        "page",
        '{"query": "page", "websites": "a.example"}',
      ];
      const { world, contacted } = await run(
        strategy,
        payloads.map((payload) => `<search>${payload}</search>`),
      );
      const problems = world.factsOf("action.taken").map(({ problem }) => problem);
      expect(problems).toEqual(["bad-payload", "bad-payload", "bad-payload", "bad-payload", undefined]);
      expect(contacted).toEqual([]);
      expect(world.centralSearches).toBe(0);
    },
  );
});

describe("tool-e and redde", () => {
  it.each([
    ["tool-e", "vectors"],
    ["redde", "redde"],
  ])("%s asks the first sites that the index selects, for the text of each search", async (strategy, by) => {
    const selects = ["d.example", "a.example", "b.example"];
    const { world, contacted, asked } = await run(strategy, ["<search>page</search>", "<search>six</search>"], {
      selects,
    });
    expect(contacted).toEqual(["d.example", "a.example", "d.example", "a.example"]);
    expect(world.selections).toEqual([
      { query: "page", by, k: 2 },
      { query: "six", by, k: 2 },
    ]);
    expect(asked.states).toContain("acting.awaitingSites");
    expect(world.centralSearches).toBe(0);
    expect(world.promptOf("user", 1)).not.toContain("a.example");
  });

  it("pass over sites that were removed before the query came", async () => {
    const selects = ["d.example", "a.example", "b.example", "c.example"];
    const world = worldOf("tool-e", ["<search>page</search>"], {
      selects,
      interventions: [{ at: "1ms", remove: ["d.example", "b.example"] }],
    });
    world.kernel.at(2, () => world.ask());
    await world.run();
    expect(world.factsOf("site.contacted").map(({ site }) => site)).toEqual(["a.example", "c.example"]);
  });

  it("take an empty search for none", async () => {
    const { world } = await run("tool-e", ["<search> </search>"]);
    expect(world.factsOf("action.taken")[0]).toMatchObject({ valid: false, problem: "bad-payload" });
  });
});

describe("The baselines", () => {
  it("oracle-sites asks exactly the gold sites that are listed, and says so where there are none", async () => {
    expect(
      (await run("oracle-sites", undefined, { goldSites: ["d.example", "b.example", "x.example"] })).contacted,
    ).toEqual(["b.example", "d.example"]);
    const none = await run("oracle-sites");
    expect(none.contacted).toEqual([]);
    expect(repliesIn(none.world.promptOf("user", 2))).toEqual([]);
    expect(none.world.factsOf("query.completed")).toMatchObject([{ outcome: "answered" }]);
  });

  it("no other strategy is told the gold sites", async () => {
    for (const strategy of strategyNames().filter((name) => name !== "oracle-sites")) {
      const says = ["tool-p", "multi-agent"].includes(strategy)
        ? [search("six", "a.example")]
        : ["<search>six</search>"];
      const [one, other] = await Promise.all(
        [["d.example"], []].map(
          async (goldSites) => (await run(strategy, says, { goldSites, selects: ["a.example"] })).world.facts,
        ),
      );
      expect(one).toEqual(other);
    }
  });

  it("random-sites draws others for other searches, and the same among those left when one is taken away", async () => {
    const drawn = new Set<string>();
    for (let n = 0; n < 30; n++) {
      const world = worldOf("random-sites", ["<search>page</search>"]);
      world.ask(`q${n}`);
      const less = worldOf("random-sites", ["<search>page</search>"], {
        pages: Object.fromEntries(Object.entries(pages).filter(([site]) => site !== "c.example")),
      });
      less.ask(`q${n}`);
      await Promise.all([world.run(), less.run()]);
      const [all, left] = [world, less].map((each) => each.factsOf("site.contacted").map(({ site }) => site)) as [
        string[],
        string[],
      ];
      expect(all).toHaveLength(2);
      if (!all.includes("c.example")) expect(left).toEqual(all);
      else expect(left).toContain(all.find((site) => site !== "c.example"));
      drawn.add(all.join());
    }
    expect(drawn.size).toBeGreaterThan(6);
  });

  it("closed-book has no search, and answers from what the model knows", async () => {
    const { world, asked, contacted } = await run("closed-book", ["<search>page</search>", ranking("a-1")], {
      agents: { answerIds: "any" },
    });
    expect(contacted).toEqual([]);
    expect(world.factsOf("action.taken")[0]).toMatchObject({ valid: false, problem: "action-not-allowed" });
    expect(asked.outcome).toMatchObject({ asksSites: false, answer: { documents: [{ id: "a-1" }] } });
  });
});
