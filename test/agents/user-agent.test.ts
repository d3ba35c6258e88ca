import { describe, expect, it } from "vitest";
import {
  AgentWorld,
  type AgentWorldOptions,
  type Asked,
  findings,
  modelMs,
  ranking,
  search,
  siteMs,
} from "../support/agent-world.ts";

const twoSites = search("page", "two.example", "one.example");

/** A content agent that searches and hands over its first page. */
function diligent({ agent, turn }: Asked): string {
  return turn === 1 ? "<search>page</search>" : findings(`${agent.split(".")[0]}-1`);
}

/** A world whose user agent says these things, turn by turn, and then the last one again. */
function worldOf(turns: readonly string[], options: Partial<AgentWorldOptions> = {}): AgentWorld {
  return new AgentWorld({
    ...options,
    model: (asked) => (asked.agent === "user" ? (turns[asked.turn - 1] ?? (turns.at(-1) as string)) : diligent(asked)),
  });
}

/** What the information blocks of a prompt hold. */
function informationIn(prompt: string): unknown[] {
  return [...prompt.matchAll(/<information>\n(.*?)\n<\/information>/gs)].map(([, json]) => JSON.parse(json as string));
}

describe("A user agent's states", () => {
  it("follow the paper's steps: plan, ask, act, search, await the content agents, plan again, answer", async () => {
    const world = worldOf([twoSites, ranking("one-1", "two-1")]);
    const asked = world.ask();
    await world.run();
    expect(asked.states).toEqual([..."planning acting.searching acting.awaitingSites planning answering".split(" ")]);
    expect(asked.outcome?.answer?.documents.map(({ id }) => id)).toEqual(["one-1", "two-1"]);
    expect([...(asked.outcome?.contactedSites ?? [])]).toEqual(["two.example", "one.example"]);
  });

  it("take in summaries, plans and scripts, and end out of turns", async () => {
    const world = worldOf(["<plan>p</plan>", "<scripts>s</scripts>", "<summary>m</summary>"], { agents: { turns: 3 } });
    const asked = world.ask();
    await world.run();
    expect(asked.states).toEqual([..."planning planning planning acting.summarising outOfTurns".split(" ")]);
    expect(asked.outcome?.answer).toBeNull();
    expect(world.factsOf("query.completed")).toMatchObject([{ outcome: "unanswered", turns: 3, answer: [] }]);
  });
});

describe("An output that is no action", () => {
  it("is counted with its problem, costs a turn, and is answered with the reminder; what was found stays", async () => {
    const bad = ["nothing", "<search>unclosed", '<search>"page"</search>', "<answer>1</answer>"];
    const world = worldOf([twoSites, ...bad, ranking("two-1")]);
    const asked = world.ask();
    await world.run();
    const problems = world.factsOf("action.taken").filter(({ agent }) => agent === "user");
    expect(problems.map(({ valid, problem }) => (valid ? "valid" : problem))).toEqual([
      ..."valid no-action unclosed-action bad-payload bad-payload valid".split(" "),
    ]);
    const last = world.promptOf("user", 6);
    for (const output of bad) expect(last).toContain(`\n${output}\n`);
    expect(informationIn(last)).toHaveLength(1);
    expect(world.promptOf("user", 3).split("\n").at(-2)).toContain("not a valid action (no-action)");
    expect(asked.outcome?.answer?.documents.map(({ id }) => id)).toEqual(["two-1"]);
    expect(world.factsOf("query.completed")).toMatchObject([{ outcome: "answered", turns: 6 }]);
  });

  it("and two actions at once: neither is taken, whatever they are", async () => {
    const world = worldOf([`${twoSites}<answer>[]</answer>`, "<answer>[]</answer><summary>s</summary>", ranking()]);
    world.ask();
    await world.run();
    expect(world.factsOf("site.contacted")).toEqual([]);
    expect(world.factsOf("action.taken").map(({ problem }) => problem)).toEqual([
      "several-actions",
      "several-actions",
      undefined,
    ]);
    expect(world.promptOf("user", 3)).not.toContain("summarised]");
  });
});

describe("An answer", () => {
  it("that quotes a summary is an answer, and leaves the history alone", async () => {
    const world = worldOf([twoSites, '<answer>["one-1", "<summary>s</summary>"]</answer>']);
    const asked = world.ask();
    await world.run();
    expect(asked.outcome?.answer?.documents.map(({ id }) => id)).toEqual(["one-1"]);
  });

  it("counts pages that were shown to the agent only, each once", async () => {
    const world = worldOf([search("page", "one.example"), ranking("two-1", "one-1", "one-1", "made-up")]);
    world.ask();
    await world.run();
    expect(world.factsOf("query.completed")[0]?.answer).toEqual(["one-1"]);
    expect(world.factsOf("citation.made").map(({ document }) => document)).toEqual(["one-1"]);
  });
});

describe("A summary", () => {
  it("replaces what was said; what was found still counts", async () => {
    const world = worldOf([twoSites, "<summary>one-1 is good</summary>", ranking("one-1")]);
    const asked = world.ask();
    await world.run();
    const prompt = world.promptOf("user", 3);
    expect(prompt).toContain("[Turns 1 to 2, summarised]\none-1 is good\n");
    expect(prompt).not.toContain("[Turn 1]");
    expect(informationIn(prompt)).toEqual([]);
    expect(prompt).toContain("replaced by your summary");
    expect(asked.outcome?.answer?.documents.map(({ id }) => id)).toEqual(["one-1"]);
  });
});

describe("Thoughts", () => {
  it("are not shown again in later turns, nor counted as actions, even one that never ends", async () => {
    const turns = [
      "<think>secret one <answer>[]</answer></think>\n<plan>p</plan>",
      "secret two</think><plan>q</plan>",
      "<think>secret three <answer>[]</answer>",
      ranking(),
    ];
    const world = worldOf(turns);
    world.ask();
    await world.run();
    const last = world.promptOf("user", 4);
    expect(last).not.toContain("secret");
    expect(last).toContain("[Turn 1]\n<plan>p</plan>\n[Turn 2]\n<plan>q</plan>\n[Turn 3]\nNote: ");
    expect(world.factsOf("action.taken").map(({ problem }) => problem)).toEqual([
      undefined,
      undefined,
      "unclosed-thought",
      undefined,
    ]);
  });
});

describe("Notes", () => {
  const notesIn = (prompt: string) => prompt.split("\n").filter((line) => line.startsWith("Note:"));

  it("tell of the last turn on the last turn, and on no other", async () => {
    const world = worldOf(["<plan>p</plan>"], { agents: { turns: 4 } });
    world.ask();
    await world.run();
    const isTold = [1, 2, 3, 4].map((turn) => world.promptOf("user", turn).includes("last turn"));
    expect(isTold).toEqual([false, false, false, true]);
  });

  it("tell of the last turn when it is the first", async () => {
    const world = worldOf(["<plan>p</plan>"], { agents: { turns: 1 } });
    world.ask();
    await world.run();
    expect(world.promptOf("user", 1)).toContain("last turn");
  });

  it("do not pile up: each prompt has those of its turn", async () => {
    const world = worldOf(["nothing", "nothing", "<plan>p</plan>"], { agents: { turns: 14 } });
    world.ask();
    await world.run();
    expect(notesIn(world.promptOf("user", 3))).toHaveLength(1);
    expect(notesIn(world.promptOf("user", 4))).toEqual([]);
    expect(notesIn(world.promptOf("user", 13))).toHaveLength(1);
    expect(notesIn(world.promptOf("user", 14))).toHaveLength(1);
  });

  it("come after more than 5 searches in a row and more than 10 turns, as in the paper", async () => {
    const world = worldOf([search("page", "one.example")], { agents: { turns: 13 } });
    world.ask();
    await world.run();
    const isTold = (word: string) => [6, 7, 11, 12].map((turn) => world.promptOf("user", turn).includes(word));
    expect(isTold("searches in a row")).toEqual([false, true, true, true]);
    expect(isTold("most of your turns")).toEqual([false, false, false, true]);
  });

  it("of a long history look at the history alone, and go with a summary", async () => {
    const long = "long ".repeat(200);
    const pages = { "one.example": [`page ${long}`], "two.example": ["page"] };
    const turns = [search("page", "one.example"), "<summary>s</summary>", ranking()];
    const world = worldOf(turns, { pages, agents: { summaryReminder: 200 } });
    world.ask();
    await world.run();
    const isTold = [1, 2, 3].map((turn) => world.promptOf("user", turn).includes("Consider a summary"));
    expect(isTold).toEqual([false, true, false]);
  });
});

describe("Lists of sites", () => {
  it.each([
    ["empty", '{"query": "page", "websites": []}'],
    ["a string", '{"query": "page", "websites": "one.example"}'],
    ["unknown", '{"query": "page", "websites": ["elsewhere.com"]}'],
    ["missing", '"page"'],
  ])("that are %s ask nobody and search nothing", async (_, payload) => {
    const world = worldOf([`<search>${payload}</search>`, ranking()]);
    world.ask();
    await world.run();
    expect(world.factsOf("site.contacted")).toEqual([]);
    expect(world.factsOf("search.answered")).toEqual([]);
    expect(world.centralSearches).toBe(0);
    expect(world.factsOf("action.taken")[0]).toMatchObject({ valid: false, problem: "bad-payload" });
  });

  it("with repeats and unknown names ask each known site once, and say who was not asked", async () => {
    const world = worldOf([search("page", "two.example", "elsewhere.com", "two.example"), ranking()]);
    world.ask();
    await world.run();
    expect(world.factsOf("site.contacted").map(({ site }) => site)).toEqual(["two.example"]);
    expect(world.centralSearches).toBe(0);
    expect(informationIn(world.promptOf("user", 2))).toMatchObject([
      [{ website: "two.example" }, { website: "elsewhere.com", documents: [] }],
    ]);
  });

  it("longer than is allowed are cut, and what was cut is said", async () => {
    const world = worldOf([twoSites, ranking()], { agents: { maxSitesPerSearch: 1 } });
    world.ask();
    await world.run();
    expect(world.factsOf("site.contacted").map(({ site }) => site)).toEqual(["two.example"]);
    const summary = "Too many websites in one search: not asked.";
    expect(informationIn(world.promptOf("user", 2))).toMatchObject([
      [{ website: "two.example" }, { website: "one.example", documents: [], summary }],
    ]);
  });
});

describe("Replies of sites", () => {
  it("are shown in the order of the request, whichever comes first", async () => {
    const slowFirst = (site: string) => (site === "two.example" ? 5000 : siteMs);
    const world = worldOf([twoSites, ranking()], { siteMs: slowFirst });
    world.ask();
    await world.run();
    expect(world.factsOf("site.answered").map(({ site }) => site)).toEqual(["one.example", "two.example"]);
    expect(informationIn(world.promptOf("user", 2))).toMatchObject([
      [{ website: "two.example" }, { website: "one.example" }],
    ]);
  });

  it("come from sites that take no time at all, too", async () => {
    const world = worldOf([twoSites, ranking()], { siteMs: () => 0 });
    world.ask();
    await world.run();
    expect(world.factsOf("site.answered").map(({ site, outcome }) => [site, outcome])).toEqual([
      ["two.example", "answered"],
      ["one.example", "answered"],
    ]);
  });

  it("are the same prompt for every order of completion", async () => {
    const prompts = await Promise.all(
      [0, 1, 2, 3].map(async (slow) => {
        const world = worldOf([twoSites, ranking()], {
          siteMs: (_, entity) => (entity.endsWith(String(slow)) ? 900 : siteMs),
        });
        world.ask();
        await world.run();
        return world.promptOf("user", 2);
      }),
    );
    expect(new Set(prompts).size).toBe(1);
  });

  it("of several searches in a row are all kept, with requests numbered through", async () => {
    const world = worldOf([search("page", "one.example"), search("page", "two.example"), ranking("two-1", "one-1")]);
    const asked = world.ask();
    await world.run();
    expect(world.factsOf("site.contacted").map(({ request }) => request)).toEqual([1, 2]);
    expect(informationIn(world.promptOf("user", 3))).toHaveLength(2);
    expect(asked.outcome?.answer?.documents.map(({ id }) => id)).toEqual(["two-1", "one-1"]);
  });
});

describe("A request that is not answered in time", () => {
  const never = 3_600_000;

  it("is withdrawn: the others' replies are shown, the site's place is free", async () => {
    const modelOf = (caller: string) => (caller.includes("two.example") ? never : modelMs);
    const sites = { "two.example": { capacity: 1 } };
    const world = worldOf([twoSites, ranking("one-1")], { modelMs: modelOf, sites });
    const asked = world.ask();
    await world.run(61_000 + modelMs);
    expect(world.factsOf("site.answered")).toMatchObject([
      { site: "one.example", outcome: "answered" },
      { site: "two.example", outcome: "timeout", documents: [], t: modelMs + 60_000 },
    ]);
    expect(asked.outcome?.answer?.documents.map(({ id }) => id)).toEqual(["one-1"]);
    expect(informationIn(world.promptOf("user", 2))).toMatchObject([
      [{ website: "two.example", summary: "This website did not answer in time." }, { website: "one.example" }],
    ]);
    world.ask("q2");
    await world.run(63_500 + modelMs);
    expect(world.asked.some(({ query, agent }) => query === "q2" && agent === "two.example")).toBe(true);
  });

  it("while it waits at the site is withdrawn from the queue", async () => {
    // q1's request is sent later than q2's, arrives first and takes the only place for ever.
    const world = worldOf([search("page", "two.example"), ranking()], {
      modelMs: (caller) => (caller.includes("q1/two.example") ? never : caller.includes("q1/user") ? 1500 : modelMs),
      siteMs: (_, entity) => (entity === "q2/2" ? 2000 : siteMs),
      sites: { "two.example": { capacity: 1 } },
    });
    world.ask("q1");
    world.ask("q2");
    await world.run();
    expect(world.factsOf("site.queued")).toMatchObject([{ query: "q2" }]);
    expect(world.factsOf("site.answered")).toMatchObject([
      { query: "q2", outcome: "timeout" },
      { query: "q1", outcome: "timeout" },
    ]);
    expect(world.asked.some(({ query, agent }) => query === "q2" && agent === "two.example")).toBe(false);
  });

  it("leaves what its searches found among what was found: it was lost on the way back", async () => {
    const modelOf = (caller: string) => (caller.endsWith("two.example/1/2") ? never : modelMs);
    const world = worldOf([search("page", "two.example"), ranking()], { modelMs: modelOf });
    const asked = world.ask();
    await world.run();
    expect([...(asked.outcome?.found ?? [])]).toEqual(["two-1"]);
    expect([...(asked.outcome?.seen.keys() ?? [])]).toEqual([]);
  });

  it("ignores the reply that comes too late", async () => {
    const late = (site: string, entity: string) => (site === "two.example" && entity === "q1/4" ? 90_000 : siteMs);
    const world = worldOf([twoSites, ranking("two-1", "one-1")], { siteMs: late });
    const asked = world.ask();
    await world.run();
    const ofTwo = world.factsOf("site.answered").filter(({ site }) => site === "two.example");
    expect(ofTwo).toMatchObject([{ outcome: "timeout" }]);
    expect(world.factsOf("message.received").filter(({ from }) => from === "two.example")).toHaveLength(1);
    expect(asked.outcome?.answer?.documents.map(({ id }) => id)).toEqual(["one-1"]);
  });

  it("and is still on its way is not worked on when it arrives", async () => {
    const slow = (site: string, entity: string) => (site === "two.example" && entity === "q1/2" ? 90_000 : siteMs);
    const world = worldOf([twoSites, "<plan>p</plan>", "<plan>p</plan>", ranking("one-1")], {
      siteMs: slow,
      sites: { "two.example": { capacity: 1 } },
    });
    world.ask();
    await world.run();
    expect(world.factsOf("site.answered").map(({ outcome }) => outcome)).toEqual(["answered", "timeout"]);
    expect(world.asked.some(({ agent }) => agent === "two.example")).toBe(false);
  });
});

describe("The facts of agents", () => {
  it("hold no id of a state machine and no wall time, and are the same in every run of one process", async () => {
    const facts = async () => {
      const world = worldOf([twoSites, "nothing", "<summary>s</summary>", ranking("one-1")]);
      world.ask("q1");
      world.ask("q2");
      await world.run();
      return JSON.stringify(world.facts);
    };
    const first = await facts();
    expect(await facts()).toBe(first);
    expect(/"x:\d|xstate|[":]1[5-9]\d{11}\b/.exec(first)).toBeNull();
  });

  it("number a query's messages by itself: another query shifts nothing", async () => {
    const messages = async (queries: readonly string[]) => {
      const world = worldOf([twoSites, ranking("one-1")]);
      for (const query of queries) world.ask(query);
      await world.run();
      return world
        .factsOf("message.sent")
        .filter(({ query }) => query === "q1")
        .map(({ seq: _, ...rest }) => rest);
    };
    expect(await messages(["q0", "q1", "q2"])).toEqual(await messages(["q1"]));
  });
});
