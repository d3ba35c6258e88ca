import type { LiveSnapshot } from "../statistics/live.ts";

export const panelNames = ["traffic", "tasks", "models", "interventions", "messages"] as const;
export type PanelName = (typeof panelNames)[number];

/** What a person has chosen to look at. */
export interface Choice {
  /** One panel alone, or null for all of them. */
  readonly panel: PanelName | null;
  /** The site or query under the cursor; it stays when the rows move. */
  readonly selected: string | null;
  /** The page of a site or of a query that is open, and how many of its lines are scrolled away. */
  readonly open: { readonly kind: "site" | "query"; readonly id: string; readonly scrolled: number } | null;
  /** Rows must hold this text, whatever its case. */
  readonly filter: string;
  /** Whether keys go into the filter. */
  readonly typing: boolean;
  readonly help: boolean;
}

export const noChoice: Choice = { panel: null, selected: null, open: null, filter: "", typing: false, help: false };

/** A key as the view names it: `up`, `enter` and so on, or the character. */
export type Key = string;

/** What follows from a key that chooses; null for one that does not. */
export function choose(choice: Choice, key: Key, snapshot: LiveSnapshot): Choice | null {
  if (choice.typing) return typed(choice, key);
  if (key === "?") return { ...choice, help: !choice.help };
  if (key === "tab") return toPanel(choice, nextPanel(choice.panel));
  if (/^[1-5]$/.test(key)) return toPanel(choice, panelNames[Number(key) - 1] ?? null);
  if (key === "escape") return back(choice);
  if (key === "/") return { ...choice, typing: true, open: null, panel: choice.panel ?? "traffic" };
  if (key === "up" || key === "down") return move(choice, key === "up" ? -1 : 1, snapshot);
  if (key === "enter") return openSelected(choice, snapshot);
  return null;
}

/** The sites or queries of the panel shown, in the order of its rows; none where its rows have no pages. */
function pagesOf({ panel, filter }: Choice, snapshot: LiveSnapshot): readonly string[] {
  if (panel === "traffic") return snapshot.sites.map(({ site }) => site).filter((site) => matches(filter, site));
  if (panel !== "messages") return [];
  const queries = snapshot.lastMessages.filter((message) => matches(filter, messageText(message)));
  return [...new Set(queries.map(({ query }) => query))];
}

/** What of a message a filter looks at. */
export function messageText({ query, from, to, kind }: LiveSnapshot["lastMessages"][number]): string {
  return `${query} ${kind} ${from} ${to}`;
}

export function matches(filter: string, text: string): boolean {
  return text.toLowerCase().includes(filter.toLowerCase());
}

function typed(choice: Choice, key: Key): Choice {
  if (key === "enter") return { ...choice, typing: false };
  if (key === "escape") return { ...choice, typing: false, filter: "" };
  if (key === "backspace") return { ...choice, filter: [...choice.filter].slice(0, -1).join("") };
  return [...key].length === 1 ? { ...choice, filter: choice.filter + key } : choice;
}

function toPanel(choice: Choice, panel: PanelName | null): Choice {
  return { ...choice, panel, selected: null, open: null };
}

function nextPanel(panel: PanelName | null): PanelName | null {
  if (panel === null) return panelNames[0];
  return panelNames[panelNames.indexOf(panel) + 1] ?? null;
}

/** One step back: from a page to its panel, from a filter to all rows, from a panel to all of them. */
function back(choice: Choice): Choice {
  if (choice.open !== null) return { ...choice, open: null };
  if (choice.filter !== "") return { ...choice, filter: "" };
  return toPanel(choice, null);
}

function move(choice: Choice, by: number, snapshot: LiveSnapshot): Choice {
  const { open, selected } = choice;
  if (open !== null) return { ...choice, open: { ...open, scrolled: Math.max(0, open.scrolled + by) } };
  const panel = choice.panel ?? "traffic";
  const pages = pagesOf({ ...choice, panel }, snapshot);
  const at = selected === null ? -1 : pages.indexOf(selected);
  const next = at < 0 ? (by > 0 ? 0 : pages.length - 1) : Math.min(pages.length - 1, Math.max(0, at + by));
  return { ...choice, panel, selected: pages[next] ?? null };
}

function openSelected(choice: Choice, snapshot: LiveSnapshot): Choice {
  const pages = pagesOf(choice, snapshot);
  const id = choice.selected ?? pages[0];
  if (id === undefined || (choice.panel !== "traffic" && choice.panel !== "messages")) return choice;
  return { ...choice, selected: id, open: { kind: choice.panel === "traffic" ? "site" : "query", id, scrolled: 0 } };
}
