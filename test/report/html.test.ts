import fc from "fast-check";
import { parse, parseFragment } from "parse5";
import { describe, expect, it } from "vitest";
import { html, scriptJson } from "../../src/report/page/html.ts";

interface Node {
  readonly nodeName: string;
  readonly value?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Node[];
}

/** Any text, with pieces that mean something in markup strewn in. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "<script>",
        "</script",
        "<!--",
        "-->",
        "]]>",
        "&amp;",
        "&",
        "'",
        '"',
        "`",
        "\u2028",
        "\u202e",
        "\0",
      ),
    ),
  )
  .map((parts) => parts.join(""));

/** Line ends become one in HTML, and what is no character or turns the direction is replaced. */
const shown = (value: string): string =>
  value
    .replace(/[\u202a-\u202e\u2066-\u2069\u200e\u200f\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, "\ufffd")
    .replace(/\r\n?/g, "\n");

describe("Markup with texts put in", () => {
  it("has them as text between tags, whatever they hold", () => {
    fc.assert(
      fc.property(text, (value) => {
        const { childNodes } = parseFragment(html`<p>${value}</p>`.text) as unknown as Node;
        const [paragraph] = childNodes as [Node];
        expect(childNodes).toHaveLength(1);
        expect(paragraph.nodeName).toBe("p");
        expect(paragraph.childNodes?.map(({ nodeName }) => nodeName).filter((name) => name !== "#text")).toEqual([]);
        expect((paragraph.childNodes ?? []).map((node) => node.value).join("")).toBe(shown(value));
      }),
    );
  });

  it("has them as values of quoted attributes", () => {
    fc.assert(
      fc.property(text, (value) => {
        const { childNodes } = parseFragment(html`<p title="${value}"></p>`.text) as unknown as Node;
        expect((childNodes as [Node])[0].attrs).toEqual([{ name: "title", value: shown(value) }]);
      }),
    );
  });

  it("takes markup and lists of it as they are, and null as nothing", () => {
    expect(html`<ul>${["<", "b"].map((each) => html`<li>${each}</li>`)}${null}${0}</ul>`.text).toBe(
      "<ul><li>&lt;</li><li>b</li>0</ul>",
    );
  });
});

describe("JSON in a script element", () => {
  it("comes back whole, and ends neither the element nor a line", () => {
    fc.assert(
      fc.property(fc.array(text), (values) => {
        const json = scriptJson({ values }).text;
        expect(json).not.toMatch(/[<>\u2028\u2029\n]/);
        const page = parse(`<script type="application/json">${json}</script><p>after</p>`) as unknown as Node;
        const found = JSON.stringify(page, (key, value: unknown) => (key === "parentNode" ? undefined : value));
        expect(found).toContain('"after"');
        const visible = values.map((value) => shown(value).replaceAll("\n", "")).join();
        const read = (JSON.parse(json) as { values: string[] }).values
          .map((value) => value.replace(/\r|\n/g, ""))
          .join();
        expect(read).toBe(visible);
      }),
    );
  });
});
