import { type DefaultTreeAdapterTypes, parse, parseFragment } from "parse5";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** What a reader of the page sees nothing of, and what stands around its text. */
const skipped = new Set(
  (
    "audio button canvas datalist dialog footer head iframe map math nav noscript object script select style svg " +
    "template textarea title video"
  ).split(" "),
);
const blocks = new Set(
  (
    "address article aside blockquote body br caption dd details div dl dt fieldset figcaption figure form h1 h2 h3 " +
    "h4 h5 h6 header hr html legend li main ol p pre section summary table tbody tfoot thead tr ul"
  ).split(" "),
);

/**
 * The title and the readable text of an HTML page, by the parsing rules of browsers: blocks on lines of their own,
 * without scripts, styles, navigation, footers, form controls and what is hidden. Where the page says by one `<main>`
 * what its content is, that alone.
 */
export function readHtml(html: string): { title: string; text: string } {
  const { childNodes } = parse(html, { scriptingEnabled: false });
  const [main, ...others] = elementsNamed(childNodes, "main");
  const content = main === undefined || others.length > 0 ? "" : textOf([main]);
  const title = elementsNamed(childNodes, "title")[0]?.childNodes ?? [];
  return {
    title: title
      .map((node) => (isText(node) ? node.value : ""))
      .join("")
      .replace(/\s+/gu, " ")
      .trim(),
    text: content === "" ? textOf(childNodes) : content,
  };
}

/** The text of a piece of markup whose elements may have any names. */
export function readMarkup(markup: string): string {
  return textOf(parseFragment(markup, { scriptingEnabled: false }).childNodes);
}

/** Depth first without recursion: pages nest deeper than the stack is. */
function textOf(roots: readonly Node[]): string {
  const lines: string[] = [];
  let line: string[] = [];
  const endLine = (): void => {
    const text = line.join("").replace(/\s+/gu, " ").trim();
    if (text !== "") lines.push(text);
    line = [];
  };
  const open: (Node | "end of block" | "end of cell")[] = [...roots].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === "end of block") endLine();
    else if (node === "end of cell") line.push(" ");
    else if (isText(node)) line.push(node.value);
    else if (isElement(node) && !isSkipped(node)) {
      if (blocks.has(node.tagName)) {
        endLine();
        open.push("end of block");
      } else if (node.tagName === "td" || node.tagName === "th") open.push("end of cell");
      for (let i = node.childNodes.length - 1; i >= 0; i--) open.push(node.childNodes[i] as Node);
    }
  }
  endLine();
  return lines.join("\n");
}

/** In the order of the page. */
function elementsNamed(roots: readonly Node[], name: string): Element[] {
  const found: Element[] = [];
  const open: Node[] = [...roots].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isElement(node)) continue;
    if (node.tagName === name) found.push(node);
    for (let i = node.childNodes.length - 1; i >= 0; i--) open.push(node.childNodes[i] as Node);
  }
  return found;
}

const isText = (node: Node): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === "#text";
const isElement = (node: Node): node is Element => "tagName" in node;
const isSkipped = ({ tagName, attrs }: Element): boolean =>
  skipped.has(tagName) ||
  attrs.some(
    ({ name, value }) =>
      name === "hidden" || (name === "aria-hidden" && value === "true") || (name === "role" && value === "navigation"),
  );
