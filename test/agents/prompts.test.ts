import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { History } from "../../src/agents/history.ts";
import { plainMenu } from "../../src/agents/menu.ts";
import { group, type PromptPart, promptText, promptTokens, segment, segmentsOf } from "../../src/agents/prompt.ts";
import { fillTemplate, findTemplate, readPrompts } from "../../src/agents/templates.ts";
import { InputError } from "../../src/errors.ts";
import { packageRoot } from "../../src/package-root.ts";
import { foreignText } from "../support/foreign-text.ts";

const folder = mkdtempSync(join(tmpdir(), "awesim-prompts-"));
afterAll(() => rmSync(folder, { recursive: true }));
const shipped = readPrompts(join(packageRoot, "prompts"));
const userAgentFile = "user-agent.web-search.sites.md";

/** The shipped prompts with one file written anew. */
function promptsWith(file: string, text: string): string {
  const directory = mkdtempSync(join(folder, "p-"));
  cpSync(join(packageRoot, "prompts"), directory, { recursive: true });
  writeFileSync(join(directory, file), text);
  return directory;
}

function problemOf(file: string, text: string): string {
  const directory = promptsWith(file, text);
  try {
    readPrompts(directory);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toContain(join(directory, file));
    return (error as InputError).message;
  }
  throw new Error("expected an error");
}

describe("The text of a prompt", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 30 });

  it("is the texts of its segments, those of groups included, in order", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, fc.array(text, { maxLength: 4 })), { maxLength: 6 }), (parts) => {
        const made: PromptPart[] = parts.map((each) =>
          Array.isArray(each) ? group(each.map(segment)) : segment(each),
        );
        const texts = [...segmentsOf(made)].map((each) => each.text);
        expect(promptText(made)).toBe(texts.join(""));
        expect(texts.every((each) => each.endsWith("\n"))).toBe(true);
        expect(promptTokens(made)).toBe([...segmentsOf(made)].reduce((sum, { tokens }) => sum + tokens, 0));
      }),
    );
  });

  it("decides the hashes: another text, another hash; the same text, the same", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), fc.array(text, { maxLength: 4 }), (one, other) => {
        const lines = (texts: readonly string[]) => texts.map((each) => segment(each).text);
        const same = JSON.stringify(lines(one)) === JSON.stringify(lines(other));
        expect(group(one.map(segment)).hash === group(other.map(segment)).hash).toBe(same);
      }),
    );
  });
});

describe("A history", () => {
  it("shows turns and what came back, until a summary replaces them; notes stand at the end of the next prompt only", () => {
    const history = new History();
    history.add(1, "<search>x</search>", group([segment("found")]));
    history.notes = ["Note: one."];
    expect(promptText(history.parts)).toBe("[Turn 1]\n<search>x</search>\nfound\nNote: one.\n");
    history.add(2, "<search>y</search>", null);
    history.notes = [];
    expect(promptText(history.parts)).toBe("[Turn 1]\n<search>x</search>\nfound\n[Turn 2]\n<search>y</search>\n");
    history.replace(3, "x and y");
    expect(promptText(history.parts)).toBe("[Turns 1 to 3, summarised]\nx and y\n");
    expect(history.tokens).toBe(promptTokens(history.parts));
  });
});

describe("A user agent's prompt", () => {
  const template = findTemplate(shipped, "user-agent", "web-search", "sites");
  const lineCount = (prompt: string) => prompt.split(/\r\n|[\n\r\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/).length;
  const filled = (query: string, description: string) =>
    promptText(
      fillTemplate(template, { sites: plainMenu([{ id: "a.example", name: "A", description }]).group, query }),
    );

  it("keeps a hostile query and a hostile site on their own lines, without a tag", () => {
    const plain = filled("q", "d");
    fc.assert(
      fc.property(foreignText, foreignText, (query, description) => {
        const prompt = filled(query, description);
        expect(lineCount(prompt)).toBe(lineCount(plain));
        for (const tag of ["<search>", "</search>", "<answer>", "</answer>", "<information>", "</information>"]) {
          expect(prompt.split(tag).length).toBe(plain.split(tag).length);
        }
      }),
    );
  });
});

describe("Reading prompts", () => {
  const body = "Sites:\n{{sites}}\nQuery: {{query}}\n";
  const head = (text: string) => `---\n${text}\n---\n`;

  it("hashes the files' names and texts", () => {
    const changed = readPrompts(
      promptsWith(userAgentFile, readFileSync(join(packageRoot, "prompts", userAgentFile), "utf8") + "!"),
    );
    expect(changed.sha256).not.toBe(shipped.sha256);
    expect(readPrompts(join(packageRoot, "prompts")).sha256).toBe(shipped.sha256);
  });

  it("takes Windows line ends", () => {
    const text = readFileSync(join(packageRoot, "prompts", userAgentFile), "utf8").replaceAll("\n", "\r\n");
    const template = findTemplate(readPrompts(promptsWith(userAgentFile, text)), "user-agent", "web-search", "sites");
    const values = { sites: plainMenu([]).group, query: "q" };
    const original = findTemplate(shipped, "user-agent", "web-search", "sites");
    expect(promptText(fillTemplate(template, values))).toBe(promptText(fillTemplate(original, values)));
  });

  it.each([
    ["a text without a head", body, /YAML head/],
    ["a head that is no YAML", head("role: [user-agent") + body, /YAML/],
    ["a head that is a list", head("- role") + body, /role/],
    ["a head without a role", head("variables: [sites, query]") + body, /role/],
    ["a variable that is not declared", head("role: user-agent\nvariables: [sites]") + body, /query/],
    [
      "a variable that is declared and not used",
      head("role: user-agent\nvariables: [sites, query, more]") + body,
      /more/,
    ],
    [
      "a variable that is misspelt",
      head("role: user-agent\nvariables: [sites, query]") + body + "{{ query }}\n",
      /\{\{ query \}\}/,
    ],
  ])("refuses %s, and names the file", (_, text, expected) => {
    expect(problemOf(userAgentFile, text)).toMatch(expected);
  });

  it.each([
    ["no YAML", "invalid: [", /YAML/],
    ["a reminder too few", "invalid: x\n", /many-searches/],
    ["a reminder that is no text", "invalid: 3\n", /invalid/],
  ])("refuses reminders with %s", (_, text, expected) => {
    expect(problemOf("reminders.yaml", text)).toMatch(expected);
  });

  it("refuses a directory that is not there or empty, and two prompts for one purpose", () => {
    const empty = join(folder, "empty");
    mkdirSync(empty, { recursive: true });
    for (const directory of [join(folder, "none"), empty]) expect(() => readPrompts(directory)).toThrow(InputError);
    const again = readFileSync(join(packageRoot, "prompts", userAgentFile), "utf8");
    expect(problemOf("zz-another.md", again)).toMatch(/user-agent.web-search.sites/);
  });
});
