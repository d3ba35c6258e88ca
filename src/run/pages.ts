import { pageSegment } from "../agents/information.ts";
import type { Hit, PagePort } from "../agents/ports.ts";
import type { Segment } from "../agents/prompt.ts";

/** Pages kept ready for prompts; more are made anew when they are needed. */
const mostPages = 16_384;

/** The pages of a run as prompts show them, from their texts. The least recently used are let go. */
export function pagePort(textOf: (textSha256: string) => string): PagePort {
  const kept = new Map<string, Segment>();
  return {
    page({ id, textSha256 }: Hit): Segment {
      const known = kept.get(id);
      if (known !== undefined) {
        kept.delete(id);
        kept.set(id, known);
        return known;
      }
      const made = pageSegment(id, textOf(textSha256));
      kept.set(id, made);
      if (kept.size > mostPages) kept.delete(kept.keys().next().value as string);
      return made;
    },
  };
}
