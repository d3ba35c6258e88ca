import type { SiteActivity, SiteStory } from "../statistics/live.ts";
import type { QueryTimeline } from "../statistics/query-timeline.ts";
import { clean } from "./clean.ts";
import { count, share } from "./format.ts";
import { cutLine, type Line, type Looks, span } from "./lines.ts";
import { noTexts, sequenceLines } from "./sequence.ts";

/** What is shown of one site or one query; null where nothing is known of it. */
export type Page =
  | {
      readonly kind: "site";
      readonly id: string;
      readonly story: SiteStory | null;
      readonly activity: SiteActivity | null;
    }
  | { readonly kind: "query"; readonly id: string; readonly timeline: QueryTimeline | null };

export function pageLines(page: Page, columns: number, looks: Looks): Line[] {
  const lines = page.kind === "site" ? siteLines(page.id, page.story, page.activity) : queryLines(page, columns, looks);
  return lines.map((line) => cutLine(line, columns, looks));
}

function siteLines(id: string, story: SiteStory | null, activity: SiteActivity | null): Line[] {
  const title: Line = [span(clean(id), "title")];
  if (story === null) return [title, [span("no query that is done asked it yet", "faint")]];
  const { askedIn, citedWhenAsked, askers, lostTo } = story;
  const traffic =
    activity === null ? "" : `; ${share(activity.share)} of all requests, ${count(activity.citations)} citations`;
  return [
    title,
    [span(`asked in ${count(askedIn)} queries that are done${traffic}`)],
    [span(`cited in ${count(citedWhenAsked)} of these: ${share(citedWhenAsked / askedIn)}`, "accent")],
    [],
    [span("who asks it", "title")],
    ...namesLines(askers, askedIn, "nobody"),
    [],
    [span("who is cited when it is asked and not cited", "title")],
    ...namesLines(lostTo, askedIn - citedWhenAsked, "nobody"),
  ];
}

function namesLines(names: SiteStory["askers"], of: number, none: string): Line[] {
  if (names.length === 0) return [[span(none, "faint")]];
  return names.map(([name, n]) => [
    span(count(n).padStart(9)),
    span(share(n / of).padStart(8)),
    span(`  ${clean(name)}`),
  ]);
}

function queryLines({ id, timeline }: Page & { kind: "query" }, columns: number, looks: Looks): Line[] {
  if (timeline !== null) return sequenceLines(timeline, noTexts, columns, looks);
  return [[span(clean(id), "title")], [span("its steps are not kept any more; awesim inspect has them", "faint")]];
}
