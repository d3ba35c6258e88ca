import { integerOf, SPACE, splitOnSpace, strip, WORD } from "./python-text.ts";
import { treebankTokens } from "./treebank-tokens.ts";
import type { CitedSentence } from "./visibility.ts";

const HEADING = new RegExp(
  String.raw`^[ \t]*#*[ \t]*(?:\*\*|__)?[ \t]*(?:\d+\.[ \t]*)?` +
    String.raw`(?:references|bibliography|sources|works cited|citations)` +
    String.raw`[ \t]*:?[ \t]*(?:\*\*|__)?[ \t]*:?[ \t]*#*[ \t]*\r?$`,
  "i",
);

/**
 * The report without its reference list: the text before the last line that is only such a heading ("## References",
 * "**Sources:**", "Works cited" ...). A list would credit every source it names.
 */
export function reportBody(text: string): string {
  const lines = text.split("\n");
  const heading = lines.findLastIndex((line) => HEADING.test(line));
  return heading === -1 ? text : lines.slice(0, heading).join("\n").trimEnd();
}

const REFERENCE = /^\s*(?:[-*]\s+)?(?:\[\^?(\d+)\^?\]|(\d+)[.)])\s*:?\s*(.*\S)\s*$/;

/**
 * The report's reference list: what stands after the number in each line `[1] ...`, `[^1]: ...`, `1. ...` or
 * `- [1] ...` after the last heading of such a list. The first entry of a number counts.
 */
export function referenceList(text: string): Map<number, string> {
  const lines = text.split("\n");
  const references = new Map<number, string>();
  const heading = lines.findLastIndex((line) => HEADING.test(line));
  for (const line of heading === -1 ? [] : lines.slice(heading + 1)) {
    const [, bracketed, plain, entry] = REFERENCE.exec(line) ?? [];
    const number = Number(bracketed ?? plain);
    if (entry !== undefined && !references.has(number)) references.set(number, entry);
  }
  return references;
}

const SENTENCE_END = new RegExp(`(?<=[.!?]["'”’)\\]]*)[${SPACE}]+`, "u");

/**
 * The sentences of a text. In each part between blank lines a sentence ends after . ! or ?, with closing quotes and
 * brackets, before white space; single line breaks do not end one. A plain rule: it also ends sentences after
 * abbreviations. "Fact. [1] Next." gives the citation to the second sentence, as GEO's splitter does.
 */
export function splitSentences(text: string): string[] {
  return text.split("\n\n").flatMap((part) =>
    part
      .split(SENTENCE_END)
      .map(strip)
      .filter((sentence) => sentence !== ""),
  );
}

const CITATION = new RegExp(`\\[[^${WORD}${SPACE}]*\\p{Nd}+[^${WORD}${SPACE}]*\\]`, "gu");

/**
 * The source numbers that a text cites, as GEO's code reads them: one number in brackets, with or without punctuation
 * beside it ([1], [^1^], [(4)]), in digits of any script. Groups like [1, 2] and [1-3] give nothing.
 */
export function citationNumbers(text: string): number[] {
  return Array.from(text.matchAll(CITATION), ([marker]) => integerOf((/\p{Nd}+/u.exec(marker) as RegExpExecArray)[0]));
}

const RANGE = String.raw`\d+(?:\s*[-–]\s*\d+)?`;
const CITATION_GROUP = new RegExp(String.raw`\[\s*\^?\s*(${RANGE}(?:\s*[,;]\s*${RANGE})*)\s*\^?\s*\](?!\()`, "g");

/**
 * The source numbers that a text cites, groups ([1, 2]; [3-5]) included, in ASCII digits; markers that are Markdown
 * links do not count. Ranges run up to 100 numbers; of a longer or falling one only the ends count.
 */
export function citationNumbersWithGroups(text: string): number[] {
  return Array.from(text.matchAll(CITATION_GROUP), ([, group]) =>
    (group as string).split(/[,;]/).flatMap((entry) => {
      const [first = 0, last = first] = entry.split(/[-–]/).map(Number);
      if (last < first || last - first >= 100) return [first, last];
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    }),
  ).flat();
}

/** The words of a sentence as GEO counts them: Treebank tokens of more than two characters. */
export function geoWords(sentence: string): number {
  return treebankTokens(sentence).filter((token) => [...token].length > 2).length;
}

/** The words of a sentence in the plain sense: parts between white space with a letter or digit, markers left out. */
export function plainWords(sentence: string): number {
  return splitOnSpace(sentence.replace(CITATION, "")).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;
}

/** The sentences of a text with their words and citations by GEO's rules: what `visibility` takes. */
export function citedSentences(text: string): (CitedSentence & { text: string })[] {
  return splitSentences(text).map((sentence) => ({
    text: sentence,
    words: geoWords(sentence),
    citations: citationNumbers(sentence),
  }));
}
