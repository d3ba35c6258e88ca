// Text as Python's `re` and `str` see it. The reference code of several measures is Python, and JavaScript's own
// \w, \d, \s, \b and trim differ from it outside ASCII.

/** Inside a character class with the u flag: letters, numbers and _ of any script (Python's \w). */
export const WORD = "\\p{L}\\p{N}_";

/** Inside a character class: the white space of Python's `str.split` and \s. */
export const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const SPACES = new RegExp(`[${SPACE}]+`, "u");
const OUTER_SPACE = new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, "gu");

/** The parts between runs of white space (`str.split()`). */
export function splitOnSpace(text: string): string[] {
  return text.split(SPACES).filter((part) => part !== "");
}

/** The text without white space at both ends (`str.strip()`). */
export function strip(text: string): string {
  return text.replace(OUTER_SPACE, "");
}

/** The whole number that decimal digits of any script write (`int()`). */
export function integerOf(digits: string): number {
  let value = 0;
  for (const digit of digits) value = value * 10 + digitValue(digit.codePointAt(0) as number);
  return value;
}

/** Unicode keeps the ten digits of a script together, from zero up, so the place in their run gives the value. */
function digitValue(codePoint: number): number {
  let start = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--;
  return (codePoint - start) % 10;
}
