import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actionKinds, parseAction } from "../../src/agents/grammar.ts";
import { readSiteSearch } from "../../src/agents/payloads.ts";
import type { Hit } from "../../src/agents/ports.ts";
import { promptText } from "../../src/agents/prompt.ts";
import type { Task } from "../../src/agents/task.ts";
import { loadProfile } from "../../src/models/surrogate/profile.ts";
import { answerText, surrogateModel } from "../../src/models/surrogate/surrogate.ts";
import { packageRoot } from "../../src/package-root.ts";
import { findTask } from "../../src/tasks/registry.ts";
import { type PageText, reminders, request, siteIds, type Turn, userAgentPromptOf } from "./prompts.ts";

const tasks = ["web-search", "web-recommendation", "question-answering", "deep-research"];
const menus = ["sites", "central", "none"] as const;
const each = tasks.flatMap((task) => menus.map((menu) => [task, menu] as const));

function profileWith(changes: (text: string) => string): string {
  const text = readFileSync(join(packageRoot, "src/models/surrogate/profiles/gemini-3-flash.yaml"), "utf8");
  const file = join(mkdtempSync(join(tmpdir(), "awesim-profile-")), "mine.yaml");
  writeFileSync(file, changes(text));
  return file;
}

const careful = profileWith((text) =>
  text.replace(/rate(-after-note)?: [\d.]+/g, "rate$1: 0").replace(/noise: [\d.]+/g, "noise: 0"),
);
const model = surrogateModel(careful);

const tower: PageText = {
  id: "towers/7",
  text: "The lighthouse of Sorn\nThe lighthouse of Sorn was built by Ada Brook in 1874. It is 41 metres tall. Gulls nest there.",
};
const other: PageText = { id: "soup", text: "Leek soup\nSlice the leeks and simmer them in stock." };
const apple: PageText = {
  id: "apple",
  text: "Planting apple trees\nPlant an apple tree in autumn. Water the tree well.",
};
const known: PageText = { id: "v3", text: "When to plant an apple tree\nPlant an apple tree in autumn, tree by tree." };

const hits = (pages: readonly PageText[], site: string): Map<string, Hit> =>
  new Map(pages.map(({ id }) => [id, { id, site, textSha256: "", tokens: 1 }]));

/** One search and what it brought, in the words of the menu. */
function turn(menu: "sites" | "central" | "none", text: string, pages: readonly PageText[]): Turn[] {
  const site = siteIds[0] as string;
  if (menu === "none") return [{ output: "Let me think." }];
  if (menu === "central") return [{ output: `<search>${text}</search>`, pages }];
  const output = `<search>${JSON.stringify({ query: text, websites: [site] })}</search>`;
  return [{ output, replies: [{ site, summary: "", pages }] }];
}

function lastAnswer(task: string, menu: (typeof menus)[number], query: string, pages: readonly PageText[], seed = 5) {
  const parts = userAgentPromptOf(task, menu, query, turn(menu, query, pages), [reminders["last-turn"]]);
  const parsed = parseAction(model.ask(request(parts, seed)).text, ["answer"]);
  return "action" in parsed ? parsed.action.payload : expect.fail(parsed.problem);
}

describe("in every task and with every menu, the surrogate", () => {
  const text = fc.oneof(
    fc.constantFrom("Who built the lighthouse of Sorn?", "</answer>", "\n[1] x\n", "[Turn 2]", "Note: last turn"),
    fc.string({ unit: "binary", maxLength: 20 }),
  );
  const page = fc.record({ id: fc.constantFrom("p1", "p2", "a b"), text: fc.array(text).map((all) => all.join(". ")) });
  const prompt = fc.record({
    query: text.map((each) => `apple ${each}`),
    pages: fc.array(page, { maxLength: 4 }),
    seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    isLast: fc.boolean(),
  });

  it.each(each)("writes valid actions, the same to the parts and to the text: %s, %s", (task, menu) => {
    const profile = loadProfile(careful);
    fc.assert(
      fc.property(prompt, ({ query, pages, seed, isLast }) => {
        const notes = isLast ? [reminders["last-turn"]] : [];
        const parts = userAgentPromptOf(task, menu, query, turn(menu, query, pages), notes);
        const asked = request(parts, seed);
        const answer = model.ask(asked);
        expect(answerText(profile, promptText(parts), asked.parameters, seed)).toEqual(answer);
        const parsed = parseAction(answer.text, actionKinds);
        if (!("action" in parsed)) expect.fail(parsed.problem);
        const { kind, payload } = parsed.action;
        const isListed = (name: string) => siteIds.includes(name);
        if (kind === "search") {
          expect(menu).not.toBe("none");
          expect(menu === "sites" ? readSiteSearch(payload, isListed, 9) : payload).toBeTruthy();
        }
        if (kind === "answer") {
          const seen = menu === "none" ? hits([], "") : hits(pages, siteIds[0] as string);
          expect((findTask(task) as Task).readAnswer(payload, seen)).not.toBeNull();
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("a short answer", () => {
  it.each([
    ["Who built the lighthouse of Sorn?", "Ada Brook [towers/7]"],
    ["In what year was the lighthouse of Sorn built?", "1874 [towers/7]"],
    ["How tall is the lighthouse of Sorn in metres?", "41 metres [towers/7]"],
  ])("is the words of the right kind from the best sentence: %s", (question, expected) => {
    for (const menu of ["sites", "central"] as const) {
      expect(lastAnswer("question-answering", menu, question, [other, tower])).toBe(expected);
    }
  });

  it("comes from general knowledge where nothing was found, if the profile knows the fact", () => {
    const withKnowledge = (share: string) =>
      surrogateModel(
        profileWith((text) =>
          text
            .replace(/parametric-knowledge: [\d.]+/, `parametric-knowledge: ${share}`)
            .replace(/guesses: [\d.]+/, "guesses: 0"),
        ),
      );
    const ask = (share: string, question: string) =>
      withKnowledge(share).ask(request(userAgentPromptOf("question-answering", "none", question), 3)).text;
    const all = [1, 2, 3].map(() => ask("1", "What is the capital of France?"));
    expect(all.every((text) => text.includes("Paris"))).toBe(true);
    expect(ask("0", "What is the capital of France?")).toBe("<answer>unknown</answer>");
    expect(ask("1", "Who built the lighthouse of Sorn?")).toBe("<answer>unknown</answer>");
  });
});

describe("a recommendation", () => {
  it("searches for what the latest visits are about, and leaves out what was visited", () => {
    const parsed = parseAction(model.ask(request(userAgentPromptOf("web-recommendation", "central", ""), 1)).text, [
      "search",
    ]);
    if (!("action" in parsed)) expect.fail(parsed.problem);
    expect(parsed.action.payload).toMatch(/tree/);
    expect(parsed.action.payload).toMatch(/apple/);
    expect(JSON.parse(lastAnswer("web-recommendation", "central", "apple tree", [known, apple, other]))[0]).toBe(
      "apple",
    );
  });
});

describe("a report", () => {
  const question = "Why was the lighthouse of Sorn built and how tall is it?";

  it("is planned first, then its searches are written down, then made", () => {
    const kinds: string[] = [];
    const turns: Turn[] = [];
    for (let n = 0; n < 3; n++) {
      const { text } = model.ask(request(userAgentPromptOf("deep-research", "sites", question, turns), n));
      const parsed = parseAction(text, actionKinds);
      kinds.push("action" in parsed ? parsed.action.kind : parsed.problem);
      turns.push({ output: text });
    }
    expect(kinds).toEqual(["plan", "scripts", "search"]);
  });

  it.each(["sites", "central"] as const)("cites its sources so that they are found again: %s", (menu) => {
    const payload = lastAnswer("deep-research", menu, question, [tower, other]);
    const answer = findTask("deep-research").readAnswer(payload, hits([tower, other], siteIds[0] as string));
    expect(answer?.citations).toEqual([{ site: siteIds[0] }]);
    expect(answer?.documents.map(({ id }) => id)).toContain("towers/7");
    expect(payload).toMatch(/41 metres tall \[1\]\./);
  });

  it("says so where there is nothing to report", () => {
    const payload = lastAnswer("deep-research", "none", question, []);
    expect(payload).toContain("Nothing that was found");
    expect(findTask("deep-research").readAnswer(payload, new Map())?.citations).toEqual([]);
  });
});
