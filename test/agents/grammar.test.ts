import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actionKinds, blockJson, parseAction, plainLine } from "../../src/agents/grammar.ts";
import { foreignText } from "../support/foreign-text.ts";

const kind = fc.constantFrom(...actionKinds);
/** Text that holds no tag of the grammar. */
const untagged = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("<"));
/** All that any reader may take for the end of a line. */
const lineBreaks = /[\n\r\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/;

function read(output: string) {
  return parseAction(output, actionKinds);
}

describe("An output with one action", () => {
  it("is that action, with what stands between its tags, trimmed, whatever stands around it", () => {
    fc.assert(
      fc.property(kind, untagged, untagged, untagged, (kind, before, payload, after) => {
        const expected = { action: { kind, payload: payload.trim() } };
        expect(read(`${before}<${kind}>${payload}</${kind}>${after}`)).toEqual(expected);
      }),
    );
  });

  it("is read after the thought; actions in the thought are none", () => {
    expect(read("<think>I could <answer>[]</answer></think>\n<search>x</search>")).toEqual({
      action: { kind: "search", payload: "x" },
    });
    expect(read("no opening tag, <search>y</search></think><search>x</search>")).toEqual({
      action: { kind: "search", payload: "x" },
    });
  });

  it("may quote the tags of other kinds: a summary quoted in an answer is part of the answer", () => {
    expect(read("<answer>they wrote <summary>s</summary> and <plan></answer>")).toEqual({
      action: { kind: "answer", payload: "they wrote <summary>s</summary> and <plan>" },
    });
    expect(read("<summary>I tried <search>x</search></summary>")).toEqual({
      action: { kind: "summary", payload: "I tried <search>x</search>" },
    });
  });
});

describe("An output that is no action says why", () => {
  it.each([
    ["", "empty"],
    [" \n ", "empty"],
    ["<think>so</think>", "empty"],
    ["<think>for ever <answer>[]</answer>", "unclosed-thought"],
    ["I would search.", "no-action"],
    ["<Search>x</Search>", "no-action"],
    ["<search >x</search>", "no-action"],
    ["</search>", "no-action"],
    ["<search>x", "unclosed-action"],
    ["</search><search>x", "unclosed-action"],
    ["<search>x</answer>", "unclosed-action"],
    ["<search>x</search><answer>[]</answer>", "several-actions"],
    ["<answer>[]</answer> and then <summary>s</summary>", "several-actions"],
    ["<search>x</search><search>y</search>", "several-actions"],
    ["<search>x</search><search>", "several-actions"],
  ])("%j: %s", (output, problem) => {
    expect(read(output)).toEqual({ problem });
  });

  it("an action of a kind that is not allowed, and never one of another kind inside it", () => {
    expect(parseAction("<plan><search>x</search></plan>", ["search", "answer"])).toEqual({
      problem: "action-not-allowed",
    });
  });

  it("any text at all is either one action or one problem", () => {
    fc.assert(
      fc.property(foreignText, (text) => {
        const parsed = read(text);
        expect("action" in parsed).toBe(!("problem" in parsed));
        if ("action" in parsed) expect(text).toContain(`<${parsed.action.kind}>`);
      }),
    );
  });
});

describe("Foreign text in a prompt", () => {
  it("as a plain line is one line without a tag", () => {
    fc.assert(
      fc.property(foreignText, (text) => {
        const line = plainLine(text);
        expect(line).not.toMatch(lineBreaks);
        expect(line).not.toMatch(/<\/?(search|answer|summary|plan|scripts|information|think)>/);
        expect(read(line)).not.toHaveProperty("action");
      }),
    );
  });

  it("as a plain line keeps its words", () => {
    expect(plainLine("  how to\nprune <b>apple</b> trees\u2028now ")).toBe("how to prune <b>apple</b> trees now");
  });

  it("as JSON of a block is one line without a tag, and comes back unchanged", () => {
    fc.assert(
      fc.property(foreignText, foreignText, (id, text) => {
        const json = blockJson({ doc_id: id, doc_text: text });
        expect(json).not.toMatch(lineBreaks);
        expect(json).not.toContain("<");
        expect(JSON.parse(json)).toEqual({ doc_id: id, doc_text: text });
        expect(read(json)).toEqual({ problem: "no-action" });
      }),
    );
  });

  it("as JSON of a block: any JSON value comes back", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(blockJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
