/** A light English stemmer: plural, past, -ing, -ly, a final e, and the doubled consonant that these leave behind. */
export function stem(word: string): string {
  let s = word;
  if (s.length > 4 && s.endsWith("ies")) s = `${s.slice(0, -3)}y`;
  else if (s.length > 4 && /(?:ss|x|ch|sh)es$/.test(s)) s = s.slice(0, -2);
  else if (s.length > 3 && s.endsWith("s") && !/(?:ss|us|is)$/.test(s)) s = s.slice(0, -1);
  if (s.length > 5 && s.endsWith("ing")) s = undouble(s.slice(0, -3));
  else if (s.length > 4 && s.endsWith("ed")) s = undouble(s.slice(0, -2));
  else if (s.length > 5 && s.endsWith("ly")) s = s.slice(0, -2);
  return s.length > 3 && s.endsWith("e") ? s.slice(0, -1) : s;
}

function undouble(s: string): string {
  const last = s.at(-1);
  return s.length > 3 && last === s.at(-2) && !/[aeiouls]/.test(last as string) ? s.slice(0, -1) : s;
}
