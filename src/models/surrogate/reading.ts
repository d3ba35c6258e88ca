import { isGroup, type PromptPart, type Segment } from "../../agents/prompt.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { type Line, readLine, readLineAgain } from "./lines.ts";
import { type ListedSite, Menu } from "./menu.ts";
import { SeenPage } from "./page.ts";

/** What a prompt says line by line, pages with the site and the place in which they were reported. */
export type Entry =
  | Exclude<Line, { readonly kind: "site" | "page" }>
  | { readonly kind: "seen"; readonly seen: SeenPage };

/**
 * What a part of a prompt says. Sites are listed in front of the turns: a later line is no part of the list. Pages
 * stand with the site's reply that brought them: a block of information is never spread over parts.
 */
export class Reading {
  readonly entries: Entry[] = [];
  readonly sites: ListedSite[] = [];
  hasTurns = false;
  /** In characters. */
  length = 0;
  #menu: Menu | null = null;
  #site = "";
  #rank = 0;

  take(line: Line): void {
    switch (line.kind) {
      case "site":
        if (!this.hasTurns) this.sites.push(line.site);
        return;
      case "page":
        this.entries.push({ kind: "seen", seen: new SeenPage(line.page.id, line.page, this.#site, this.#rank++) });
        return;
      case "turn":
        this.hasTurns = true;
        break;
      case "information":
        this.#beginList("");
        break;
      case "reply":
        this.#beginList(line.site);
        break;
      default:
    }
    this.entries.push(line);
  }

  #beginList(site: string): void {
    this.#site = site;
    this.#rank = 0;
  }

  get hasSites(): boolean {
    return this.sites.length > 0;
  }

  get menu(): Menu {
    return (this.#menu ??= menuWith(this.sites));
  }
}

/** The list of sites of a prompt: as a rule that of one of its parts. */
export function menuOf(parts: readonly Reading[]): Menu | null {
  const lists: Reading[] = [];
  for (const part of parts) {
    if (part.hasSites) lists.push(part);
    if (part.hasTurns) break;
  }
  if (lists.length < 2) return lists[0]?.menu ?? null;
  return menuWith(lists.flatMap(({ sites }) => sites));
}

const menus = new BoundedCache<string, { menu?: Menu }>(64);

/** One list of sites gives one menu for as long as it is in use. */
function menuWith(sites: readonly ListedSite[]): Menu {
  const key = JSON.stringify(sites.map(({ id, name, description }) => [id, name, description]));
  const place = menus.get(key, () => ({}));
  return (place.menu ??= new Menu(sites));
}

/** Reads a full prompt. */
export function readPrompt(text: string): Reading {
  const reading = new Reading();
  takeText(reading, text, readLineAgain);
  return reading;
}

/** Reads a part of a prompt; what was read once is known for as long as the part is in use. */
export function readPart(part: PromptPart): Reading {
  if (part.reading instanceof Reading) return part.reading;
  const reading = new Reading();
  if (isGroup(part)) for (const segment of part.segments) takeSegment(reading, segment);
  else takeText(reading, part.text, readLine);
  part.reading = reading;
  return reading;
}

function takeText(reading: Reading, text: string, readLine: (line: string) => Line | null): void {
  reading.length += text.length;
  for (const each of text.split("\n")) {
    const line = readLine(each);
    if (line !== null) reading.take(line);
  }
}

/** No line that says something is shorter: what stands between the items of a list is skipped unread. */
const shortestLine = 5;

/** The lines of a segment that stands in groups: it occurs in many and is read once. */
class SegmentLines {
  constructor(readonly lines: readonly Line[]) {}
}

function takeSegment(reading: Reading, segment: Segment): void {
  reading.length += segment.text.length;
  if (segment.text.length < shortestLine) return;
  if (!(segment.reading instanceof SegmentLines)) {
    segment.reading = new SegmentLines(segment.text.split("\n").flatMap((line) => readLine(line) ?? []));
  }
  for (const line of (segment.reading as SegmentLines).lines) reading.take(line);
}
