import type { LiveEvent, LiveGroup, LiveMessage, LiveModel, LiveSnapshot, SiteActivity } from "../statistics/live.ts";
import { clean, fit } from "./clean.ts";
import { bar, change, count, duration, score, share, sparkline, timeOfDay } from "./format.ts";
import { matches, messageText } from "./interaction.ts";
import { type Line, type Looks, type Span, span } from "./lines.ts";

/** A title and the rows under it; `rows` makes as many as asked for, those that matter most. */
export interface Panel {
  readonly title: string;
  readonly size: number;
  rows(limit: number): Line[];
}

/** Which rows of a panel are shown, and which one the cursor is on. */
export interface Chosen {
  readonly filter: string;
  readonly selected: string | null;
}

export const allRows: Chosen = { filter: "", selected: null };

export function sitesPanel(snapshot: LiveSnapshot, columns: number, looks: Looks, chosen: Chosen = allRows): Panel {
  const sites = snapshot.sites.filter(({ site }) => matches(chosen.filter, site));
  const largest = snapshot.sites[0]?.share ?? 1;
  return {
    title: `Busiest of ${count(snapshot.siteCount)} sites${effectiveText(snapshot, looks)}: share, change, citations`,
    size: sites.length,
    rows: (limit) => {
      const shown = window(sites, limit, ({ site }) => site === chosen.selected);
      return shown.map((each) =>
        cursor(siteRow(each, largest, columns, looks), each.site === chosen.selected, chosen, looks),
      );
    },
  };
}

/** The effective number of sites in the last window that was not thin, and how it went. */
function effectiveText({ effectiveSites }: LiveSnapshot, { unicode, spoken }: Looks): string {
  const last = effectiveSites.findLast((value) => value !== null);
  if (last === undefined || last === null) return "";
  return `, effective ${last.toFixed(1)}${spoken ? "" : ` ${sparkline(effectiveSites, unicode)}`}`;
}

/** As many items as fit, the one under the cursor among them. */
function window<Item>(items: readonly Item[], limit: number, isSelected: (item: Item) => boolean): readonly Item[] {
  const first = Math.max(0, items.findIndex(isSelected) - limit + 1);
  return items.slice(first, first + limit);
}

/** Marks the row under the cursor, by a sign as well as by its tone. */
function cursor(row: Line, isSelected: boolean, chosen: Chosen, { unicode, spoken }: Looks): Line {
  if (!isSelected) return chosen === allRows || spoken ? row : [span(" "), ...row];
  const [first, ...rest] = row;
  const text = first?.text ?? "";
  return [span(spoken ? `selected: ${text}` : `${unicode ? "›" : ">"}${text}`, "title"), ...rest];
}

/** Wide enough for the last windows' shares. */
const trendColumns = 12;
const trendFrom = 78;

/** Bars are scaled to the busiest site, so that differences show; the numbers are shares of all contacts. */
function siteRow(site: SiteActivity, largest: number, columns: number, looks: Looks): Line {
  const { unicode } = looks;
  const numbers: Span[] = [
    span(share(site.share).padStart(7)),
    changeSpan(site.change),
    span(`${count(site.citations)} cited`.padStart(14), "faint"),
  ];
  if (looks.spoken) return [span(clean(site.site)), ...numbers];
  const hasTrend = columns >= trendFrom;
  const taken = 30 + (hasTrend ? trendColumns + 1 : 0);
  const barColumns = Math.max(5, Math.floor((columns - taken) * 0.22));
  const nameColumns = Math.max(8, columns - taken - barColumns - 2);
  const trend = sparkline(site.trend, unicode).padStart(trendColumns);
  return [
    span(name(site.site, nameColumns, looks)),
    span(" "),
    span(bar(largest === 0 ? 0 : site.share / largest, barColumns, unicode), "accent"),
    ...(hasTrend ? [span(` ${trend}`, "accent")] : []),
    ...numbers,
  ];
}

function changeSpan(value: number | null): Span {
  if (value === null) return span("        -", "faint");
  return span(change(value).padStart(9), value > 0 ? "good" : "bad");
}

export function scoresPanel(
  snapshot: LiveSnapshot,
  columns: number,
  looks: Looks,
  { filter }: Chosen = allRows,
): Panel {
  const groups = snapshot.groups.filter(({ task, strategy, model }) =>
    matches(filter, `${task} ${strategy} ${model ?? ""}`),
  );
  return {
    title: "Scores so far",
    size: groups.length,
    rows: (limit) => groups.slice(0, limit).map((group) => groupRow(group, columns, looks)),
  };
}

function groupRow({ task, strategy, model, queries, scores }: LiveGroup, columns: number, looks: Looks): Line {
  const figures = scores
    .map((each) => `  ${each.measure} ${score(each.mean)}${columns >= intervalsFrom ? interval(each, looks) : ""}`)
    .join("");
  const n = `  n ${count(queries)}`;
  const label = [...(model === null ? [] : [model]), strategy, task].map(clean).join(" "); // what differs most first
  const room = Math.max(8, columns - figures.length - n.length);
  return [span(name(label, room, looks)), span(figures, "accent"), span(n, "faint")];
}

const intervalsFrom = 90;

function interval({ low, high }: LiveGroup["scores"][number], { unicode }: Looks): string {
  return low === null || high === null ? "" : ` (${score(low)}${unicode ? "–" : "-"}${score(high)})`;
}

export function modelsPanel({ models, calls, cost }: LiveSnapshot, columns: number, looks: Looks): Panel {
  const sources = (["live", "tape", "surrogate"] as const).filter((source) => calls[source] > 0);
  const rows: Line[] = [
    ...models.map((each) => modelRow(each, columns, looks)),
    ...(sources.length === 0
      ? []
      : [[span(`calls: ${sources.map((source) => `${count(calls[source])} ${source}`).join(", ")}`)]]),
    ...(cost === null ? [] : [costRow(cost)]),
  ];
  return { title: "Models: answers, tokens, trouble", size: rows.length, rows: (limit) => rows.slice(0, limit) };
}

function modelRow(
  { model, answers, promptTokens, completionTokens, invalid, again }: LiveModel,
  columns: number,
  looks: Looks,
): Line {
  const figures = `  ${short(answers)} answers, ${short(promptTokens)} + ${short(completionTokens)} tokens`;
  const trouble = `, ${short(invalid)} invalid, ${short(again)} asked again`;
  return [
    span(name(model, Math.max(8, columns - figures.length - trouble.length), looks)),
    span(figures, "accent"),
    span(trouble, invalid + again > 0 ? "bad" : "faint"),
  ];
}

function costRow({ spent, limit, currency }: NonNullable<LiveSnapshot["cost"]>): Line {
  const of = limit === null ? "" : ` of ${limit.toFixed(2)}`;
  return [
    span(`cost ${spent.toFixed(2)}${of} ${clean(currency)}`, limit !== null && spent > 0.9 * limit ? "bad" : "plain"),
  ];
}

/** A count in at most five columns or so: 12,345 as "12.3k". */
function short(value: number): string {
  if (value < 10_000) return count(value);
  return value < 1e6 ? `${(value / 1e3).toFixed(1)}k` : `${(value / 1e6).toFixed(1)}M`;
}

export function messagesPanel(snapshot: LiveSnapshot, columns: number, looks: Looks, chosen: Chosen = allRows): Panel {
  const messages = snapshot.lastMessages.filter((message) => matches(chosen.filter, messageText(message)));
  return {
    title: "Last messages",
    size: messages.length,
    rows: (limit) => {
      const last = messages.slice(-limit);
      const isThere = last.some(({ query }) => query === chosen.selected);
      const shown = isThere ? last : window(messages, limit, ({ query }) => query === chosen.selected);
      return (chosen.selected === null ? last : shown).map((message) =>
        cursor(messageRow(message, columns, looks), message.query === chosen.selected, chosen, looks),
      );
    },
  };
}

function messageRow({ t, from, to, kind }: LiveMessage, columns: number, looks: Looks): Line {
  const room = Math.max(8, Math.floor((columns - 23) / 2));
  return [
    span(`${timeOfDay(t)} `, "faint"),
    span(kind.padEnd(9), kind === "reply" || kind === "answer" ? "good" : "accent"),
    span(name(from, room, looks)),
    span(looks.spoken ? " to " : looks.unicode ? " → " : " > ", "faint"),
    span(name(to, room, looks).trimEnd()),
  ];
}

export function eventsPanel({ lastEvents }: LiveSnapshot, { filter }: Chosen = allRows): Panel {
  const events = lastEvents.filter((event) => filter === "" || matches(filter, JSON.stringify(event)));
  return {
    title: "Interventions",
    size: events.length,
    rows: (limit) => events.slice(-limit).map(eventRow),
  };
}

function eventRow(event: LiveEvent): Line {
  const time = span(`${timeOfDay(event.t)} `, "faint");
  if ("site" in event) return [time, span(`${clean(event.site)}: ${clean(event.change)}`)];
  return [time, span(clean(interventionText(event.intervention)), "bad")];
}

/** An intervention's fields in their order: kinds and sites by their value alone, times as durations. */
function interventionText(intervention: Readonly<Record<string, unknown>>): string {
  return Object.entries(intervention)
    .filter(([key]) => key !== "atMs")
    .map(([key, value]) => {
      if (key.endsWith("Ms") && typeof value === "number") return `${key.slice(0, -2)} ${duration(value)}`;
      const text = typeof value === "string" ? value : Array.isArray(value) ? value.join(", ") : JSON.stringify(value);
      return key === "kind" || key === "site" || key === "sites" ? text : `${key} ${text}`;
    })
    .join(" ");
}

function name(text: string, columns: number, looks: Looks): string {
  return looks.spoken ? clean(text) : fit(clean(text), columns, "left", looks.unicode ? "…" : "~");
}
