/** Words that say nothing of what a query or page is about. */
const functionWords = new Set(
  (
    "a about after all also am an and any are as at be because been before between but by can could did do does done " +
    "down for from get goes had has have he her here him his how i if in into is it its just like many may me more " +
    "most much my near no not of off on once one only or other our out over own per she should so some such than that " +
    "the their them then there these they this those through to too under until up us very was we were what when " +
    "where which while who whom whose why will with without would you your"
  ).split(" "),
);

/** The runs of letters and digits of a text, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of a text that are not function words. */
export function contentWords(text: string): string[] {
  return wordsOf(text).filter((word) => !functionWords.has(word));
}
