import { pageSegment, pagesInformation } from "../agents/information.ts";
import type { Hit, PagePort } from "../agents/ports.ts";
import type { Segment, SegmentGroup } from "../agents/prompt.ts";

/** Pages kept ready for prompts; more are made anew when they are needed. */
const mostPages = 16_384;

/** The pages of a run as prompts show them, from their texts. The least recently used are let go. */
export function pagePort(textOf: (textSha256: string) => string): PagePort {
  const pages = new Map<string, Segment>();
  /** An index that answers from memory gives the same list again: its block is made once. */
  const blocks = new WeakMap<readonly Hit[], SegmentGroup>();
  const page = ({ id, textSha256 }: Hit): Segment => {
    const known = pages.get(id);
    if (known !== undefined) {
      pages.delete(id);
      pages.set(id, known);
      return known;
    }
    const made = pageSegment(id, textOf(textSha256));
    pages.set(id, made);
    if (pages.size > mostPages) pages.delete(pages.keys().next().value as string);
    return made;
  };
  return {
    page,
    information(hits) {
      const known = blocks.get(hits);
      if (known !== undefined) return known;
      const made = pagesInformation(hits.map(page));
      blocks.set(hits, made);
      return made;
    },
  };
}
