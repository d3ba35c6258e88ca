import { pageSegment, pagesInformation, pageText } from "./information.ts";
import type { Hit, PagePort } from "./ports.ts";
import type { Segment } from "./prompt.ts";

/** How much of a page's text a user agent sees: all, its first characters, or only its title. */
export type ShownText = "full" | { readonly characters: number } | "title";

/** Views kept ready for prompts; more are made anew when they are needed. */
const mostPages = 16_384;

/** Pages as user agents see them, made from the whole ones; the same port when nothing is left out or added. */
export function shownPages(pages: PagePort, text: ShownText, showUrl: boolean): PagePort {
  if (text === "full" && !showUrl) return pages;
  const known = new Map<string, Segment>();
  const page = (hit: Hit): Segment => {
    let shown = known.get(hit.id);
    if (shown === undefined) {
      shown = pageSegment(hit.id, cut(pageText(pages.page(hit)), text), showUrl ? (hit.url ?? "") : undefined);
      if (known.size >= mostPages) known.delete(known.keys().next().value as string);
      known.set(hit.id, shown);
    }
    return shown;
  };
  return { page, information: (hits) => pagesInformation(hits.map(page)) };
}

/** A page's first line is its title. */
function cut(whole: string, text: ShownText): string {
  if (text === "full") return whole;
  if (text === "title") return whole.slice(0, Math.max(0, whole.indexOf("\n"))).trim();
  if (whole.length <= text.characters) return whole;
  const end = isHighSurrogate(whole.charCodeAt(text.characters - 1)) ? text.characters - 1 : text.characters;
  return `${whole.slice(0, end)}...`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
