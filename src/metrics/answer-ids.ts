import { strip } from "./python-text.ts";

/**
 * The document ids in the text of an `<answer>` as the released code of AgentWebBench reads them
 * (`parse_answer_field`): a JSON array gives its elements, each written as Python's `str()` would; any other text
 * loses one pair of outer brackets and is split at commas, and its parts lose blanks and quotes at their ends.
 */
export function parseAnswerIds(answer: string): string[] {
  const text = strip(answer);
  if (text === "") return [];
  const elements = parseJsonArray(text);
  if (elements !== null) return elements.map((element) => pythonText(element, false));
  const list = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  return list
    .split(",")
    .map((part) => strip(part).replace(/^['"]+|['"]+$/g, ""))
    .filter((id) => id !== "");
}

type Marked = string | boolean | null | Marked[] | { [key: string]: Marked };

const STRINGS_AND_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * The elements of a JSON array; null when the text is none. Numbers keep their spelling, which says whether Python
 * reads an int or a float: they come as strings marked with n, strings and keys as strings marked with s.
 */
function parseJsonArray(text: string): Marked[] | null {
  try {
    if (!Array.isArray(JSON.parse(text))) return null;
  } catch {
    return null;
  }
  const marked = text.replace(STRINGS_AND_NUMBERS, (token) =>
    token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`,
  );
  return JSON.parse(marked) as Marked[];
}

/** A value as Python's `str()` writes it, or as `repr()` does, which quotes strings. */
function pythonText(value: Marked, quoted: boolean): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") {
    const text = value.slice(1);
    return value.startsWith("n") ? pythonNumber(text) : quoted ? pythonQuoted(text) : text;
  }
  if (Array.isArray(value)) return `[${value.map((item) => pythonText(item, true)).join(", ")}]`;
  const entries = Object.entries(value).map(([key, item]) => `${pythonText(key, true)}: ${pythonText(item, true)}`);
  return `{${entries.join(", ")}}`;
}

function pythonNumber(spelling: string): string {
  if (!/[.eE]/.test(spelling)) return spelling === "-0" ? "0" : spelling;
  const value = Number(spelling);
  const sign = Object.is(value, -0) || value < 0 ? "-" : "";
  if (Math.abs(value) === Infinity) return `${sign}inf`;
  const [digits = "", exponentText = ""] = Math.abs(value).toExponential().split("e");
  const exponent = Number(exponentText);
  // Python turns to an exponent of at least two digits below 1e-4 and from 1e16 up; JavaScript elsewhere.
  if (exponent >= -4 && exponent < 16) {
    const plain = value === 0 ? "0" : decimal(digits.replace(".", ""), exponent);
    return sign + (plain.includes(".") ? plain : `${plain}.0`);
  }
  return `${sign}${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** The digits d1 d2 d3 ..., which stand for d1.d2d3... times ten to the exponent, without an exponent. */
function decimal(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const rest = digits.slice(exponent + 1);
  return rest === "" ? whole : `${whole}.${rest}`;
}

const NAMED_ESCAPES: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

function pythonQuoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(/[\\\p{C}\p{Z}']/gu, (character) => {
    if (character === " " || (character === "'" && quote === '"')) return character;
    if (character === "'") return "\\'";
    const named = NAMED_ESCAPES[character];
    if (named !== undefined) return named;
    const code = character.codePointAt(0) as number;
    const hex = code.toString(16);
    if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
    return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
  });
  return quote + escaped + quote;
}
