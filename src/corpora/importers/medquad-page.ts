import { basename } from "node:path";
import { XMLParser, XMLValidator } from "fast-xml-parser";

/** One XML file of MedQuAD: a web page about one subject, cut into questions and answers. */
export interface MedquadPage {
  /** `<source>/<file name>`: the ids inside the files are not unique. */
  readonly id: string;
  /** The sub-collection and the id inside the file, as the judgements name them. */
  readonly source: string;
  readonly innerId: string;
  readonly url: string;
  /** The subject; empty when the file names none. */
  readonly focus: string;
  readonly sections: readonly { pid: string; question: string; answer: string }[];
}

type Element = { [name: string]: unknown };

/** Names differ in case between files (`QAPair`, `qaPairs`), so all are taken in lower case. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  parseAttributeValue: false,
  htmlEntities: true,
  transformTagName: (name) => name.toLowerCase(),
  isArray: (name) => name === "qapair" || name === "pair",
});

/** Reads one file. Throws an Error that says what is wrong with it. */
export function parseMedquadPage(fileName: string, bytes: Buffer): MedquadPage {
  const xml = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const valid = XMLValidator.validate(xml);
  if (valid !== true) throw new Error(`no well-formed XML: line ${valid.err.line}: ${valid.err.msg}`);
  const document = parser.parse(xml) as Element;
  const root = (document.document ?? document.doc ?? document.diseasefile) as Element | undefined;
  if (root === undefined)
    throw new Error(`its root is ${Object.keys(document).at(-1)}, not Document, doc or DiseaseFile`);

  const source = attribute(root, "source", "corpus");
  const pairs = element(root.qapairs);
  return {
    id: `${source}/${basename(fileName)}`,
    source,
    innerId: attribute(root, "id", "docid", "fid"),
    url: attribute(root, "url"),
    focus: plain(textOf(root.focus ?? root["doctitle-focus"])),
    sections: ((pairs.qapair ?? pairs.pair ?? []) as unknown[]).map(element).map((pair) => ({
      pid: attribute(pair, "pid"),
      question: plain(textOf(pair.question)),
      answer: paragraphs(textOf(pair.answer)),
    })),
  };
}

function attribute(element: Element, ...names: string[]): string {
  for (const name of names) {
    const value = element[`@${name}`];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  throw new Error(`no attribute ${names.join(" or ")}`);
}

/** The parser gives "" for an empty element. */
const element = (value: unknown): Element => (typeof value === "object" && value !== null ? (value as Element) : {});

/** An element with attributes is an object that holds its text, one without is the text. */
const textOf = (value: unknown): string => (typeof value === "string" ? value : String(element(value)["#text"] ?? ""));

const plain = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Text without the indentation of the source: one space between words, one line feed between lines. */
const paragraphs = (text: string): string =>
  text
    .split("\n")
    .map(plain)
    .filter((line) => line !== "")
    .join("\n");
