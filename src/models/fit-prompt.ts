import { blockJson } from "../agents/grammar.ts";
import { estimateTokens, type PromptPart, type Segment } from "../agents/prompt.ts";

const marker = "...[truncated]...";
/** A page in an information block: a segment of its own. Nothing that agents write begins a segment so. */
const pageStart = '{"doc_id":';
/** JSON writes some characters as two or six: how much is saved is known only when it is done. */
const rounds = 5;

/**
 * The text of a prompt, with the texts of its pages cut in the middle where prompt and answer would not fit into the
 * `context` of a model, in tokens: all by the same share, so that each keeps its beginning and its end (AgentWebBench's
 * rule). Nothing else is cut; what does not fit without any page's text is left to the endpoint. It never throws.
 */
export function fittingText(parts: readonly PromptPart[], context: number, maxTokens: number): string {
  const segments = parts.flatMap((part) => ("segments" in part ? part.segments : [part]));
  const room = context - maxTokens;
  const pages = segments.filter(({ text }) => text.startsWith(pageStart));
  const excess = tokensOf(segments) - room;
  if (excess <= 0 || pages.length === 0) return textOf(segments);
  const total = tokensOf(pages);
  let share = 1 - excess / total;
  let text = "";
  for (let round = 0; round < rounds; round++) {
    text = textOf(segments.map((each) => (each.text.startsWith(pageStart) ? { text: cutPage(each, share) } : each)));
    const over = estimateTokens(text) - room;
    if (over <= 0 || share <= 0) break;
    share -= (1.1 * over) / total;
  }
  return text;
}

/** A page with the first and the last half of a share of its text. */
function cutPage({ text }: Segment, share: number): string {
  const page = JSON.parse(text) as { readonly doc_text: string };
  const kept = Math.floor(share * page.doc_text.length) - marker.length;
  if (kept <= 0) return `${blockJson({ ...page, doc_text: "" })}\n`;
  const head = page.doc_text.slice(0, Math.ceil(kept / 2));
  const tail = page.doc_text.slice(page.doc_text.length - Math.floor(kept / 2));
  return `${blockJson({ ...page, doc_text: `${whole(head)}${marker}${whole(tail)}` })}\n`;
}

/** Without the half of a surrogate pair that a cut leaves. */
const whole = (text: string): string => text.replace(/\p{Surrogate}/gu, "");

function tokensOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { tokens }) => sum + tokens, 0);
}

function textOf(segments: readonly { readonly text: string }[]): string {
  return segments.map(({ text }) => text).join("");
}
