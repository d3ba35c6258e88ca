import type { LiveEvent, LiveGroup, LiveMessage, LiveSnapshot, SiteActivity } from "../statistics/live.ts";
import { clean, fit } from "./clean.ts";
import { bar, change, count, duration, score, share, timeOfDay } from "./format.ts";
import { type Line, type Looks, type Span, span } from "./lines.ts";

/** A title and the rows under it; `rows` makes as many as asked for, those that matter most. */
export interface Panel {
  readonly title: string;
  readonly size: number;
  rows(limit: number): Line[];
}

export function sitesPanel({ sites, siteCount }: LiveSnapshot, columns: number, looks: Looks): Panel {
  return {
    title: `Busiest of ${count(siteCount)} sites: share of contacts, change, citations`,
    size: sites.length,
    rows: (limit) => sites.slice(0, limit).map((site) => siteRow(site, sites[0]?.share ?? 1, columns, looks)),
  };
}

/** Bars are scaled to the busiest site, so that differences show; the numbers are shares of all contacts. */
function siteRow(site: SiteActivity, largest: number, columns: number, looks: Looks): Line {
  const { unicode } = looks;
  const numbers: Span[] = [
    span(share(site.share).padStart(7)),
    changeSpan(site.change),
    span(`${count(site.citations)} cited`.padStart(14), "faint"),
  ];
  if (looks.spoken) return [span(clean(site.site)), ...numbers];
  const barColumns = Math.max(5, Math.floor((columns - 30) * 0.22));
  const nameColumns = Math.max(8, columns - 30 - barColumns - 1);
  return [
    span(name(site.site, nameColumns, looks)),
    span(" "),
    span(bar(largest === 0 ? 0 : site.share / largest, barColumns, unicode), "accent"),
    ...numbers,
  ];
}

function changeSpan(value: number | null): Span {
  if (value === null) return span("        -", "faint");
  return span(change(value).padStart(9), value > 0 ? "good" : "bad");
}

export function scoresPanel({ groups }: LiveSnapshot, columns: number, looks: Looks): Panel {
  return {
    title: "Scores so far",
    size: groups.length,
    rows: (limit) => groups.slice(0, limit).map((group) => groupRow(group, columns, looks)),
  };
}

function groupRow({ task, strategy, model, queries, scores }: LiveGroup, columns: number, looks: Looks): Line {
  const figures = scores.map(({ measure, mean }) => `  ${measure} ${score(mean)}`).join("");
  const n = `  n ${count(queries)}`;
  const label = [...(model === null ? [] : [model]), strategy, task].map(clean).join(" "); // what differs most first
  const room = Math.max(8, columns - figures.length - n.length);
  return [span(name(label, room, looks)), span(figures, "accent"), span(n, "faint")];
}

export function messagesPanel({ lastMessages }: LiveSnapshot, columns: number, looks: Looks): Panel {
  return {
    title: "Last messages",
    size: lastMessages.length,
    rows: (limit) => lastMessages.slice(-limit).map((message) => messageRow(message, columns, looks)),
  };
}

function messageRow({ t, from, to, kind }: LiveMessage, columns: number, looks: Looks): Line {
  const room = Math.max(8, Math.floor((columns - 22) / 2));
  return [
    span(`${timeOfDay(t)} `, "faint"),
    span(kind.padEnd(9), kind === "reply" || kind === "answer" ? "good" : "accent"),
    span(name(from, room, looks)),
    span(looks.spoken ? " to " : looks.unicode ? " → " : " > ", "faint"),
    span(name(to, room, looks).trimEnd()),
  ];
}

export function eventsPanel({ lastEvents }: LiveSnapshot): Panel {
  return {
    title: "Interventions",
    size: lastEvents.length,
    rows: (limit) => lastEvents.slice(-limit).map(eventRow),
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
