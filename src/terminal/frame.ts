import type { CallSource, LiveSnapshot } from "../statistics/live.ts";
import { clean } from "./clean.ts";
import { bar, clockTime, count, duration, share } from "./format.ts";
import { beside, cutLine, type Line, lineWidth, type Looks, type Span, span } from "./lines.ts";
import type { Choice, PanelName } from "./interaction.ts";
import type { Pace } from "./pace.ts";
import { type Page, pageLines } from "./pages.ts";
import {
  allRows,
  type Chosen,
  eventsPanel,
  messagesPanel,
  modelsPanel,
  type Panel,
  scoresPanel,
  sitesPanel,
} from "./panels.ts";

export type RunState = "running" | "paused" | "stopping" | "ended" | "over";

/** Everything a frame is drawn from. */
export interface FrameContent {
  readonly title: string;
  readonly snapshot: LiveSnapshot;
  readonly pace: Pace;
  readonly state: RunState;
  /** Whether keys can be pressed. */
  readonly keys: boolean;
  readonly choice: Choice;
  /** The page that is open; null for panels. */
  readonly page: Page | null;
  /** Virtual time in units of real time; null is as fast as it goes, undefined where the view cannot set it. */
  readonly speed?: number | null | undefined;
  /** Whether the arrow keys go to and fro in time. */
  readonly scrubs?: boolean;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const twoColumnsFrom = 110;
const columnGap = 3;
/** What all panels together show at most of sites, and of messages and interventions; a panel alone shows more. */
const mostSites = 20;
const mostLast = 8;
/** Room for " 100.0%, 59 m 59 s left". */
const timeLeftColumns = 23;

/**
 * The lines of a frame, none wider than the terminal and at least one fewer than its rows: a frame that filled the
 * terminal would scroll it.
 */
export function frameLines(content: FrameContent, size: Size, looks: Looks): Line[] {
  const room = Math.max(1, size.rows - 1);
  const header = headerLines(content, size.columns, looks);
  const footer = footerLines(content);
  const bodyRows = room - header.length - footer.length;
  const body = bodyRows < 2 ? [] : bodyLines(content, { columns: size.columns, rows: bodyRows }, looks);
  return [...header, ...body, ...footer].slice(0, room).map((line) => cutLine(line, size.columns, looks));
}

function headerLines({ title, snapshot, pace, state, speed }: FrameContent, columns: number, looks: Looks): Line[] {
  const { answered, unanswered, failed, inFlight, expected } = snapshot.queries;
  const completed = count(answered + unanswered + failed);
  const queries = expected === null ? completed : `${completed} of ${count(expected)}`;
  const name = [span(clean(title), "title")];
  const condition = [span(state, state === "running" ? "good" : "bad")];
  const rate = pace.messagesPerSecond === null ? "-" : count(pace.messagesPerSecond);
  return [
    looks.spoken ? [...name, span(", "), ...condition] : apart(name, condition, columns),
    progressLine(snapshot, pace, state, columns, looks),
    [span(`queries ${queries} done, ${count(inFlight)} in flight   messages ${rate}/s${speedText(speed)}`)],
    [
      span(`unanswered ${count(unanswered)}, failed ${count(failed)}`, "faint"),
      span(callsText(snapshot.calls), "faint"),
    ],
  ];
}

function speedText(speed: number | null | undefined): string {
  return speed === undefined || speed === null ? "" : `   pace ${count(speed)}x`;
}

function callsText(calls: Readonly<Record<CallSource, number>>): string {
  const sources = (["live", "tape", "surrogate"] as const).filter((source) => calls[source] > 0);
  return sources.length === 0
    ? ""
    : `   calls ${sources.map((source) => `${count(calls[source])} ${source}`).join(", ")}`;
}

function progressLine({ t, done }: LiveSnapshot, pace: Pace, state: RunState, columns: number, looks: Looks): Line {
  const time = span(`${clockTime(t)}  `);
  if (done === null) return [time];
  const left = state === "ended" || pace.leftMs === null ? "" : `, ${duration(pace.leftMs)} left`;
  const text = span(` ${share(done)}${left}`);
  if (looks.spoken) return [time, text];
  const barColumns = Math.max(4, Math.min(60, columns - lineWidth([time]) - timeLeftColumns));
  return [time, span(bar(done, barColumns, looks.unicode), "accent"), text];
}

function footerLines({ state, keys, choice, speed, scrubs }: FrameContent): Line[] {
  if (choice.typing) return [[span(`filter: ${clean(choice.filter)}_   enter keeps it, esc clears it`, "accent")]];
  if (!keys) return [];
  const toggle = state === "paused" ? "space resume" : "space pause";
  const filter = choice.filter === "" ? "" : `   rows with "${clean(choice.filter)}" only`;
  if (!choice.help) {
    const quick = choice.open !== null ? "esc back" : "tab 1-5 panels";
    return [[span(`${toggle}   ${quick}   q ${scrubs ? "quit" : "stop"}   ? help`, "faint"), span(filter, "accent")]];
  }
  return [
    [span("space   pause, or go on            tab 1-5  one panel, or all")],
    [span("arrows  choose a row               enter    its page   esc  back")],
    [span(`/       only rows with a text      ${speed === undefined ? "" : "+ -      faster, slower"}`)],
    [span(`q       ${scrubs ? "quit    left right  in time" : "stop cleanly (or Ctrl-C)  "} ?        hide this help`)],
  ];
}

function bodyLines(content: FrameContent, { columns, rows }: Size, looks: Looks): Line[] {
  const { snapshot, choice, page } = content;
  if (page !== null) return scrolled(pageLines(page, columns, looks), choice.open?.scrolled ?? 0, rows);
  if (choice.panel !== null) return stack([panelOf(choice.panel, snapshot, columns - 1, looks, choice)], rows);
  if (looks.spoken || columns < twoColumnsFrom) {
    return stack(panels(snapshot, columns, looks), rows);
  }
  const half = Math.floor((columns - columnGap) / 2);
  const [sites, scores, messages, events, models] = panels(snapshot, half, looks);
  const left = stack([sites, scores, models], rows).map((line) => cutLine(line, half, looks));
  return beside(left, stack([messages, events], rows), half, columnGap);
}

/** The lines of a page from the first one that is not scrolled away; the last ones stay in sight. */
function scrolled(lines: readonly Line[], first: number, rows: number): Line[] {
  const from = Math.max(0, Math.min(first, lines.length - rows));
  return lines.slice(from, from + rows);
}

function panelOf(
  name: PanelName,
  snapshot: LiveSnapshot,
  columns: number,
  looks: Looks,
  chosen: Chosen = allRows,
): Panel {
  if (name === "traffic") return sitesPanel(snapshot, columns, looks, chosen);
  if (name === "tasks") return scoresPanel(snapshot, columns, looks, chosen);
  if (name === "models") return modelsPanel(snapshot, columns, looks);
  return name === "messages" ? messagesPanel(snapshot, columns, looks, chosen) : eventsPanel(snapshot, chosen);
}

function panels(snapshot: LiveSnapshot, columns: number, looks: Looks): [Panel, Panel, Panel, Panel, Panel] {
  const { sites, lastMessages, lastEvents } = snapshot;
  const glance = {
    ...snapshot,
    sites: sites.slice(0, mostSites),
    lastMessages: lastMessages.slice(-mostLast),
    lastEvents: lastEvents.slice(-mostLast),
  };
  const panel = (name: PanelName): Panel => panelOf(name, glance, columns, looks);
  return [panel("traffic"), panel("tasks"), panel("messages"), panel("interventions"), panel("models")];
}

/** Panels one under the other, with blank lines between them where there is room; the last ones go first if not. */
function stack(panels: readonly Panel[], rows: number): Line[] {
  const shown = panels.slice(0, Math.floor(rows / 2));
  const wanted = shown.map(({ size }) => 1 + Math.max(1, size));
  const spread = rows >= sum(wanted) + shown.length;
  const given = allot(rows - (spread ? shown.length : 0), wanted);
  return shown.flatMap((panel, i) => [
    ...(spread ? [[]] : []),
    [span(panel.title, "title")],
    ...(panel.size === 0 ? [[span("none yet", "faint")]] : panel.rows((given[i] ?? 1) - 1)),
  ]);
}

/** Deals rows out one at a time in turn, until none are left or all have what they want. */
function allot(rows: number, wanted: readonly number[]): number[] {
  const given = wanted.map(() => 0);
  let left = Math.min(rows, sum(wanted));
  for (let i = 0; left > 0; i = (i + 1) % wanted.length) {
    if (given[i]! >= wanted[i]!) continue;
    given[i]! += 1;
    left -= 1;
  }
  return given;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function apart(left: Line, right: Line, columns: number): Span[] {
  const space = Math.max(1, columns - lineWidth(left) - lineWidth(right));
  return [...left, span(" ".repeat(space)), ...right];
}
