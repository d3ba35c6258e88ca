import stringWidth from "string-width";

/** Escape sequences with their parameters: CSI; OSC, DCS, SOS, PM and APC up to their terminator; then any other. */
const escapeSequences =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;

const whiteSpace = /[\t-\r\u0085\p{Z}]+/gu;

/**
 * Characters that print nothing of their own: controls, formats (bidi overrides, zero width), surrogates, private and
 * unassigned ones (all of C), and those of other classes that look empty or change their neighbour's width.
 */
const unprintable = /[\p{C}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** More marks than any orthography stacks on one letter; they would run into the rows above and below. */
const stackedMarks = /(\p{M}{4})\p{M}+/gu;

const plainAscii = /^[\x20-\x7e]*$/;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Text of unknown origin as one line that prints what it says and moves nothing else on the screen. */
export function clean(text: string): string {
  if (plainAscii.test(text)) return text;
  return text
    .replace(escapeSequences, "")
    .replace(whiteSpace, " ")
    .replace(unprintable, "")
    .replace(/ {2,}/g, " ") // between which something unprintable stood
    .replace(stackedMarks, "$1");
}

/** The columns that a line takes on the screen. */
export function width(text: string): number {
  return plainAscii.test(text) ? text.length : stringWidth(text);
}

/** Cuts a line to at most `columns` on the screen; what was cut ends in `ellipsis`, which is one column wide. */
export function cut(text: string, columns: number, ellipsis = "…"): string {
  if (width(text) <= columns) return text;
  if (columns < 1) return "";
  let taken = "";
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += width(segment);
    if (used > columns - 1) break;
    taken += segment;
  }
  return taken + ellipsis;
}

/** Cuts or fills a line to exactly `columns` on the screen. */
export function fit(text: string, columns: number, align: "left" | "right" = "left", ellipsis = "…"): string {
  const line = cut(text, columns, ellipsis);
  const space = " ".repeat(Math.max(0, columns - width(line)));
  return align === "left" ? line + space : space + line;
}
