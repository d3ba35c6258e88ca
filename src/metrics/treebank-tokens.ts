import { SPACE, splitOnSpace, WORD } from "./python-text.ts";

type Rule = readonly [pattern: RegExp, replacement: string];

const BEFORE_WORD = `(?<![${WORD}])`;
const AFTER_WORD = `(?![${WORD}])`;

const OPENING_QUOTES: readonly Rule[] = [
  [/([«“‘„]|`+)/g, " $1 "],
  [/^"/, "``"],
  [/(``)/g, " $1 "],
  [/([ ([{<])("|'{2})/g, "$1 `` "],
  [new RegExp(`(')(?!re|ve|ll|m|t|s|d|n)([${WORD}])${AFTER_WORD}`, "giu"), "$1 $2"],
];

const PUNCTUATION: readonly Rule[] = [
  [new RegExp(`([^.])(\\.)([\\])}>"'»”’ ]*)[${SPACE}]*$`, "u"), "$1 $2 $3 "],
  [/([:,])([^\p{Nd}])/gu, " $1 $2"],
  [/([:,])$/, " $1 "],
  [/\.{2,}/g, " $& "],
  [/[;@#$%&]/g, " $& "],
  [new RegExp(`([^.])(\\.)([\\])}>"']*)[${SPACE}]*$`, "u"), "$1 $2$3 "],
  [/[?!]/g, " $& "],
  [/([^'])' /g, "$1 ' "],
  [/\*/g, " $& "],
  [/[\][(){}<>]/g, " $& "],
  [/--/g, " -- "],
];

const CLOSING_QUOTES: readonly Rule[] = [
  [/([»”’])/g, " $1 "],
  [/''/g, " '' "],
  [/"/g, " '' "],
  [/([^' ])('[sS]|'[mM]|'[dD]|') /g, "$1 $2 "],
  [/([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) /g, "$1 $2 "],
];

const CONTRACTIONS: readonly Rule[] = [
  ...["can|not", "d|'ye", "gim|me", "gon|na", "got|ta", "lem|me", "more|'n"].map((pair): Rule => {
    const [first, second] = pair.split("|");
    return [new RegExp(`${BEFORE_WORD}(${first})(${second})${AFTER_WORD}`, "giu"), " $1 $2 "];
  }),
  [new RegExp(`${BEFORE_WORD}(wan)(na)(?=[${SPACE}])`, "giu"), " $1 $2 "],
  [new RegExp(` ('t)(is)${AFTER_WORD}`, "giu"), " $1 $2 "],
  [new RegExp(` ('t)(was)${AFTER_WORD}`, "giu"), " $1 $2 "],
];

/**
 * The tokens of a sentence by the Penn Treebank rules as NLTK's `word_tokenize` applies them: punctuation, brackets
 * and the parts of contractions ("do" "n't") are tokens of their own.
 */
export function treebankTokens(sentence: string): string[] {
  const opened = apply([...OPENING_QUOTES, ...PUNCTUATION], sentence);
  return splitOnSpace(apply([...CLOSING_QUOTES, ...CONTRACTIONS], ` ${opened} `));
}

function apply(rules: readonly Rule[], text: string): string {
  return rules.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}
