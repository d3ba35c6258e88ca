/** Markup that may stand in a page as it is. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

/** Markup with values put in: texts are escaped, markup and lists of it are taken as they are, null is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + rendered(parts[index - 1]) + string));
}

function rendered(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return (part as readonly Part[]).map(rendered).join("");
  return escapeHtml(String(part));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as markup shows it, between tags and in quoted attributes. */
function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => entities[character] as string);
}

/**
 * Characters that turn the direction of what follows, or that are none, become visible ones, so that a name cannot
 * dress up as another.
 */
function visible(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069\u200e\u200f\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, "\ufffd");
}

/** A value as JSON that may stand in a script element: nothing in it ends the element or a line. */
export function scriptJson(value: unknown): Html {
  const json = JSON.stringify(value, (_, each: unknown) => (typeof each === "string" ? visible(each) : each));
  const escaped = json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return new Html(escaped);
}
