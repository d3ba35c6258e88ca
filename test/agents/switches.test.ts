import { describe, expect, it } from "vitest";
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { AgentWorld, type AgentWorldOptions, type Asked, findings, ranking, search } from "../support/agent-world.ts";

const notes = parse(readFileSync("prompts/reminders.yaml", "utf8")) as Record<string, string>;
const oneSite = search("page", "one.example");
const pages = {
  "one.example": ["first page\n\nA page with a long body.", "second page\n\nAnother."],
  "two.example": ["page two\n\nBody."],
};

/** The user agent says these things turn by turn, then the last again; content agents search and hand over. */
function worldOf(
  says: readonly (string | { text: string; thought: string })[],
  options: Partial<AgentWorldOptions> & { contentAgent?: (asked: Asked) => string } = {},
): AgentWorld {
  const { contentAgent = diligent, ...rest } = options;
  return new AgentWorld({
    pages,
    ...rest,
    model: (asked) =>
      asked.agent === "user" ? (says[asked.turn - 1] ?? (says.at(-1) as string)) : contentAgent(asked),
  });
}

function diligent({ agent, turn }: Asked): string {
  return turn === 1 ? "<search>page</search>" : findings(`${agent.split(".")[0]}-1`);
}

/** The replies in the last information block of a prompt. */
function repliesIn(prompt: string): { website: string; summary?: string; documents: Record<string, string>[] }[] {
  return JSON.parse(/<information>\n(.*)\n<\/information>/s.exec(prompt)?.[1] as string) as never;
}

describe("final-answer", () => {
  it("forced asks a user agent that is out of turns once more, and takes an answer only", async () => {
    const world = worldOf([oneSite, oneSite, oneSite, ranking("one-1")], {
      agents: { turns: 3, finalAnswer: "forced" },
    });
    const asked = world.ask();
    await world.run();
    expect(asked.outcome?.answer?.documents.map(({ id }) => id)).toEqual(["one-1"]);
    expect(world.promptOf("user", 4)).toContain(notes["final-answer"]);
    expect(world.promptOf("user", 3)).toContain(notes["last-turn"]);
    expect(world.factsOf("query.completed")).toMatchObject([{ outcome: "answered", turns: 4 }]);
  });

  it("forced does not make another search: then the query has no answer", async () => {
    const world = worldOf([oneSite], { agents: { turns: 2, finalAnswer: "forced" } });
    const asked = world.ask();
    await world.run();
    expect(asked.outcome?.answer).toBeNull();
    expect(world.factsOf("action.taken").at(-1)).toMatchObject({
      turn: 3,
      valid: false,
      problem: "action-not-allowed",
    });
    expect(world.factsOf("site.contacted")).toHaveLength(2);
  });

  it("none makes the last search and ends, and content agents out of turns hand over nothing", async () => {
    const world = worldOf([oneSite], {
      agents: { turns: 2, finalAnswer: "none", contentAgentTurns: 2 },
      contentAgent: () => "<search>page</search>",
    });
    world.ask();
    await world.run();
    expect(world.factsOf("query.completed")).toMatchObject([{ outcome: "unanswered", turns: 2 }]);
    expect(world.factsOf("site.answered").map(({ outcome }) => outcome)).toEqual(["empty", "empty"]);
  });
});

describe("format-retries", () => {
  function retrying(formatRetries: number, bad: number): AgentWorld {
    let left = bad;
    return new AgentWorld({
      pages,
      agents: { formatRetries },
      model: ({ agent }) => (agent === "user" && left-- > 0 ? "<search>no such thing</search>" : ranking()),
    });
  }

  it("asks again with the same prompt and another seed, within the turn; later turns do not see it", async () => {
    const world = retrying(4, 3);
    world.ask();
    await world.run();
    const asked = world.asked.map(({ caller, turn, prompt }) => ({ caller, turn, prompt }));
    expect(asked.map(({ caller }) => caller)).toEqual([
      "u1/q1/user/1",
      "u1/q1/user/1.1",
      "u1/q1/user/1.2",
      "u1/q1/user/1.3",
    ]);
    expect(new Set(asked.map(({ prompt }) => prompt)).size).toBe(1);
    expect(world.factsOf("model.answered").map(({ retry }) => retry)).toEqual([undefined, 1, 2, 3]);
    expect(world.factsOf("action.taken")).toMatchObject([{ turn: 1, kind: "answer", valid: true }]);
    expect(world.factsOf("query.completed")).toMatchObject([{ turns: 1 }]);
  });

  it("takes the last output for the turn's when they are used up", async () => {
    const world = retrying(2, 3);
    world.ask();
    await world.run();
    expect(world.factsOf("action.taken").map(({ valid }) => valid)).toEqual([false, true]);
    expect(world.promptOf("user", 2)).toContain("not a valid action (bad-payload)");
  });

  it("0 spends a turn on each", async () => {
    const world = retrying(0, 3);
    world.ask();
    await world.run();
    expect(world.factsOf("query.completed")).toMatchObject([{ turns: 4 }]);
  });
});

describe("Models of any name and provider", () => {
  it.each([0, 4])("have the same chances to mend a malformed output (format-retries %i)", async (formatRetries) => {
    const names = ["openai/gemini-3-pro", "openai/gpt-4o", "openai/never-heard-of", "surrogate/qwen3-4b"];
    const told = await Promise.all(
      names.map(async (modelName) => {
        const script = ["oops", "<search>no site</search>", oneSite, "", "oops", ranking("one-1")];
        let asked = 0;
        const world = new AgentWorld({
          pages,
          agents: { formatRetries },
          modelName,
          model: (call) => (call.agent === "user" ? (script[asked++] ?? ranking()) : diligent(call)),
        });
        world.ask();
        await world.run();
        expect(world.factsOf("action.taken").some(({ valid }) => !valid)).toBe(formatRetries === 0);
        return { facts: world.facts, prompts: world.asked.map(({ prompt }) => prompt) };
      }),
    );
    for (const each of told) expect(each).toEqual(told[0]);
  });
});

describe("content-agent-on-invalid", () => {
  const contentAgent = ({ turn }: Asked): string =>
    ["<search>page</search>", "oops", findings("one-1")][turn - 1] as string;

  it("stop ends the session with nothing, whatever it found", async () => {
    const world = worldOf([oneSite, ranking()], { agents: { contentAgentOnInvalid: "stop" }, contentAgent });
    world.ask();
    await world.run();
    expect(world.factsOf("site.answered")).toMatchObject([{ outcome: "empty", documents: [] }]);
    expect(world.asked.filter(({ agent }) => agent === "one.example")).toHaveLength(2);
  });

  it("remind keeps what was found: the next turn hands it over", async () => {
    const world = worldOf([oneSite, ranking()], { contentAgent });
    world.ask();
    await world.run();
    expect(world.factsOf("site.answered")).toMatchObject([{ outcome: "answered", documents: ["one-1"] }]);
  });
});

describe("thoughts", () => {
  const thinking = { text: oneSite, thought: "They might know." };
  const inline = `<think>Perhaps not.</think>\n${oneSite}`;

  it("fed-back stand before the output in later turns, wherever the model wrote them", async () => {
    const world = worldOf([thinking, inline, ranking()], { agents: { thoughts: "fed-back" } });
    world.ask();
    await world.run();
    const prompt = world.promptOf("user", 3);
    expect(prompt).toContain(`[Turn 1]\n<think>\nThey might know.\n</think>\n${oneSite}\n`);
    expect(prompt).toContain(`[Turn 2]\n<think>\nPerhaps not.\n</think>\n${oneSite}\n`);
  });

  it("dropped are not shown again", async () => {
    const world = worldOf([thinking, inline, ranking()]);
    world.ask();
    await world.run();
    expect(world.promptOf("user", 3)).not.toMatch(/might know|Perhaps not|think>/);
  });

  it("an empty output with a thought is an empty output, not the word of another language for it", async () => {
    const world = worldOf([{ text: "", thought: "Hm." }, ranking()], { agents: { thoughts: "fed-back" } });
    world.ask();
    await world.run();
    expect(world.promptOf("user", 2)).toContain("[Turn 1]\n<think>\nHm.\n</think>\n");
    expect(world.promptOf("user", 2)).not.toMatch(/None|null|undefined/);
  });
});

describe("document-text and show-url", () => {
  async function documentsWith(shown: AgentWorldOptions["shown"] & object, strategy = "multi-agent") {
    const world = worldOf([oneSite, ranking()], { shown, strategy });
    world.ask();
    await world.run();
    return { user: repliesIn(world.promptOf("user", 2))[0]?.documents, world };
  }

  it("full shows user agents whole pages", async () => {
    const { user } = await documentsWith({ text: "full", showUrl: false });
    expect(user).toEqual([{ doc_id: "one-1", doc_text: "first page\n\nA page with a long body." }]);
  });

  it("a snippet is the first characters, never half of one; content agents see all", async () => {
    const { user, world } = await documentsWith({ text: { characters: 13 }, showUrl: false });
    expect(user).toEqual([{ doc_id: "one-1", doc_text: "first page\n\nA..." }]);
    expect(world.promptOf("one.example", 2)).toContain("A page with a long body.");
    const emoji = worldOf([oneSite, ranking()], {
      pages: { "one.example": ["page 😀"] },
      shown: { text: { characters: 6 }, showUrl: false },
    });
    emoji.ask();
    await emoji.run();
    expect(repliesIn(emoji.promptOf("user", 2))[0]?.documents[0]?.["doc_text"]).toBe("page ...");
  });

  it("summary-only shows titles beside the summary, and titles alone where nobody summarises", async () => {
    const shown = { text: "title", showUrl: false } as const;
    expect((await documentsWith(shown)).user).toEqual([{ doc_id: "one-1", doc_text: "first page" }]);
    const { world } = await documentsWith(shown, "tool-p");
    expect(repliesIn(world.promptOf("user", 2))).toEqual([
      {
        website: "one.example",
        documents: [
          { doc_id: "one-1", doc_text: "first page" },
          { doc_id: "one-2", doc_text: "second page" },
        ],
      },
    ]);
  });

  it("show-url adds the address", async () => {
    const { user } = await documentsWith({ text: "title", showUrl: true });
    expect(user).toEqual([{ doc_id: "one-1", url: "https://one.example/1", doc_text: "first page" }]);
  });
});

describe("content-agent-sees", () => {
  it("query shows the query alone, query+task what the person wants too", async () => {
    for (const contentAgentSees of ["query", "query+task"] as const) {
      const world = worldOf([oneSite, ranking()], { agents: { contentAgentSees } });
      world.ask("q1", "a wish of the person");
      await world.run();
      expect(world.promptOf("one.example", 1)).toContain("Query: page\n");
      expect(world.promptOf("one.example", 1).includes("a wish of the person")).toBe(contentAgentSees === "query+task");
    }
  });
});

describe("summary-reminder", () => {
  async function remindedTurns(agents: AgentWorldOptions["agents"] & object): Promise<number[]> {
    const world = worldOf([oneSite, oneSite, ranking()], { agents });
    world.ask();
    await world.run();
    const prompts = world.asked.filter(({ agent }) => agent === "user");
    return prompts.filter(({ prompt }) => prompt.includes(notes["long-history"] as string)).map(({ turn }) => turn);
  }

  it("counts the turns alone, so that a long list of sites does not bring it", async () => {
    expect(await remindedTurns({ summaryReminder: 80 })).toEqual([3]);
  });

  it("counts the whole prompt where that is wanted: then it is there from the first turn on", async () => {
    expect(await remindedTurns({ summaryReminder: 80, summaryReminderCounts: "prompt" })).toEqual([1, 2, 3]);
  });

  it("off never comes", async () => {
    expect(await remindedTurns({ summaryReminder: null, summaryReminderCounts: "prompt" })).toEqual([]);
  });
});

describe("result-order", () => {
  it.each([
    ["request", ["one.example", "two.example"]],
    ["completion", ["two.example", "one.example"]],
  ] as const)("%s", async (resultOrder, expected) => {
    const world = worldOf([search("page", "one.example", "two.example"), ranking()], {
      agents: { resultOrder },
      siteMs: (site) => (site === "one.example" ? 900 : 100),
    });
    world.ask();
    await world.run();
    expect(repliesIn(world.promptOf("user", 2)).map(({ website }) => website)).toEqual(expected);
  });
});

describe("answer-ids", () => {
  it.each([
    ["any", ["two-1", "one-1"]],
    ["retrieved-only", ["one-1"]],
  ] as const)("%s: an id counts once, and only what was shown is cited", async (answerIds, expected) => {
    const world = worldOf([oneSite, ranking("two-1", "one-1", "two-1")], { agents: { answerIds } });
    const asked = world.ask();
    await world.run();
    expect(asked.outcome?.answer?.documents.map(({ id }) => id)).toEqual(expected);
    expect(world.factsOf("citation.made").map(({ document }) => document)).toEqual(["one-1"]);
    expect([...(asked.outcome?.seen.keys() ?? [])]).toEqual(["one-1"]);
  });
});

describe("max-sites-per-search", () => {
  it("asks no more, and says so; unlimited asks all", async () => {
    for (const [maxSitesPerSearch, asked] of [
      [1, 1],
      [Number.POSITIVE_INFINITY, 2],
    ] as const) {
      const world = worldOf([search("page", "one.example", "two.example"), ranking()], {
        agents: { maxSitesPerSearch },
      });
      world.ask();
      await world.run();
      expect(world.factsOf("site.contacted")).toHaveLength(asked);
      expect(world.promptOf("user", 2).includes("not asked")).toBe(asked === 1);
    }
  });
});
