import { blockJson } from "./grammar.ts";
import { group, type Segment, type SegmentGroup, segment } from "./prompt.ts";

const open = segment("<information>\n[");
const close = segment("]\n</information>");
const comma = segment(",");
const endOfSite = segment("]}");

/** A page as a line of an information block. */
export function pageSegment(id: string, text: string, url?: string): Segment {
  return segment(blockJson({ doc_id: id, ...(url === undefined ? {} : { url }), doc_text: text }));
}

/** The text of a page that stands in a segment. */
export function pageText(page: Segment): string {
  return (JSON.parse(page.text) as { doc_text: string }).doc_text;
}

/** Pages in an information block: what a search of one index came back with. */
export function pagesInformation(pages: readonly Segment[]): SegmentGroup {
  return group([open, ...separated(pages.map((page) => [page])), close]);
}

/** What a site came back with, as the user agent sees it. */
export interface SiteReply {
  readonly site: string;
  /** A content agent's words, or what went wrong; missing where a search engine answered. */
  readonly summary?: string;
  readonly pages: readonly Segment[];
}

/**
 * Replies of sites in an information block, in the order given: `{"website", "summary"?, "documents": [...]}` each.
 * The block is one JSON array; every page stands on a line of its own, so that its segment is shared.
 */
export function repliesInformation(replies: readonly SiteReply[]): SegmentGroup {
  const items = replies.map((reply) => [
    segment(`{"website": ${blockJson(reply.site)}, ${summaryMember(reply)}"documents": [`),
    ...separated(reply.pages.map((page) => [page])),
    endOfSite,
  ]);
  return group([open, ...separated(items), close]);
}

function summaryMember({ summary }: SiteReply): string {
  return summary === undefined ? "" : `"summary": ${blockJson(summary)}, `;
}

function separated(items: readonly (readonly Segment[])[]): Segment[] {
  return items.flatMap((item, index) => (index === 0 ? item : [comma, ...item]));
}
