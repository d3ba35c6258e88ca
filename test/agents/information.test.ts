import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAction, actionKinds } from "../../src/agents/grammar.ts";
import { pageSegment, pagesInformation, repliesInformation } from "../../src/agents/information.ts";
import { promptText } from "../../src/agents/prompt.ts";
import { foreignText } from "../support/foreign-text.ts";

const page = fc.record({ id: foreignText, text: foreignText });
const segmentOf = ({ id, text }: { id: string; text: string }) => pageSegment(id, text);

/** What stands between the only tags of a block. */
function contentOf(block: string): unknown {
  expect(block.match(/<\/?information>/g)).toEqual(["<information>", "</information>"]);
  expect(block.startsWith("<information>\n")).toBe(true);
  expect(block.endsWith("\n</information>\n")).toBe(true);
  return JSON.parse(block.slice("<information>".length, -"</information>\n".length));
}

describe("An information block", () => {
  it("is valid JSON between its tags, with the pages' texts unchanged", () => {
    fc.assert(
      fc.property(fc.array(page, { maxLength: 4 }), (pages) => {
        const block = promptText([pagesInformation(pages.map(segmentOf))]);
        expect(contentOf(block)).toEqual(pages.map(({ id, text }) => ({ doc_id: id, doc_text: text })));
        expect(parseAction(block, actionKinds)).toEqual({ problem: "no-action" });
      }),
    );
  });

  it("of replies is too, in the order of the replies, whatever sites and pages say", () => {
    const reply = fc.record({ site: foreignText, summary: foreignText, pages: fc.array(page, { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(reply, { maxLength: 4 }), (replies) => {
        const block = promptText([
          repliesInformation(replies.map((each) => ({ ...each, pages: each.pages.map(segmentOf) }))),
        ]);
        expect(contentOf(block)).toEqual(
          replies.map(({ site, summary, pages }) => ({
            website: site,
            summary,
            documents: pages.map(({ id, text }) => ({ doc_id: id, doc_text: text })),
          })),
        );
        expect(parseAction(block, actionKinds)).toEqual({ problem: "no-action" });
      }),
    );
  });

  it("has as many lines as its items need: a page's text adds none", () => {
    fc.assert(
      fc.property(foreignText, (text) => {
        const block = promptText([pagesInformation([pageSegment("d", text)])]);
        expect(block.split(/\r\n|[\n\r\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/)).toHaveLength(6);
      }),
    );
  });
});
