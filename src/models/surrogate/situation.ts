import { isGroup, type PromptPart, type Segment, type SegmentGroup } from "../../agents/prompt.ts";
import { BoundedCache } from "./bounded-cache.ts";
import type { Search } from "./kept.ts";
import { type Line, type Reminder, readLine, readLineAgain } from "./lines.ts";
import { type ListedSite, Menu } from "./menu.ts";
import type { Page } from "./page.ts";
import { type Question, questionOf } from "./question.ts";

/** A page in the prompt, and the site that reported it (none where the agent searched itself). */
export interface SeenPage {
  readonly id: string;
  /** Null for a page that is known from a summary only. */
  readonly page: Page | null;
  readonly site: string;
  /** How well it matched when it was kept in a summary, in [0, 1]; 0 for pages that can be read. */
  readonly match: number;
  /** Its place among what came back with it, from 0. */
  readonly rank: number;
}

/** What the surrogate makes of a prompt: all that it decides by, besides the seed. */
export interface Situation {
  /** In characters. */
  readonly length: number;
  readonly website: string | null;
  readonly menu: Menu | null;
  readonly question: Question;
  /** Turns taken so far. */
  readonly turns: number;
  /** Searches that brought something back, even nothing found. */
  readonly searches: readonly Search[];
  readonly repliedSites: ReadonlySet<string>;
  readonly pages: readonly SeenPage[];
  readonly reminders: ReadonlySet<Reminder>;
}

/** What a part of a prompt says. Sites are listed in front of the turns: a later line is no part of the list. */
class Reading {
  readonly length: number;
  readonly lines: readonly Line[];
  readonly hasTurns: boolean;
  readonly sites: readonly ListedSite[];
  #menu: Menu | null = null;

  constructor(length: number, all: readonly Line[]) {
    this.length = length;
    this.lines = all.filter(({ kind }) => kind !== "site");
    const firstTurn = all.findIndex(({ kind }) => kind === "turn");
    this.hasTurns = firstTurn >= 0;
    const head = this.hasTurns ? all.slice(0, firstTurn) : all;
    this.sites = head.flatMap((line) => (line.kind === "site" ? line.site : []));
  }

  static ofText(text: string, readLine: (line: string) => Line | null): Reading {
    return new Reading(text.length, linesOf(text, readLine));
  }

  get hasSites(): boolean {
    return this.sites.length > 0;
  }

  get menu(): Menu {
    return (this.#menu ??= menuWith(this.sites));
  }
}

function linesOf(text: string, readLine: (line: string) => Line | null): readonly Line[] {
  return text.split("\n").flatMap((line) => readLine(line) ?? []);
}

/** The list of sites of a prompt: as a rule that of one of its parts. */
function menuOf(parts: readonly Reading[]): Menu | null {
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

const readings = new WeakMap<PromptPart, Reading>();

/** Reads a prompt from its parts; what was read of a part once is known for as long as the part is in use. */
export function readParts(parts: readonly PromptPart[]): Situation {
  return understand(parts.map(readPart));
}

/** Reads a prompt from its full text, to the same result. */
export function readText(text: string): Situation {
  return understand([Reading.ofText(text, readLineAgain)]);
}

function readPart(part: PromptPart): Reading {
  let reading = readings.get(part);
  if (reading === undefined) {
    reading = isGroup(part) ? readGroup(part) : Reading.ofText(part.text, readLine);
    readings.set(part, reading);
  }
  return reading;
}

/** The lines of segments, which are shared between groups, are read once for all of them. */
const segmentLines = new WeakMap<Segment, readonly Line[]>();

function readGroup({ segments }: SegmentGroup): Reading {
  let length = 0;
  const lines: Line[] = [];
  for (const segment of segments) {
    length += segment.text.length;
    let read = segmentLines.get(segment);
    if (read === undefined) {
      read = linesOf(segment.text, readLine);
      segmentLines.set(segment, read);
    }
    lines.push(...read);
  }
  return new Reading(length, lines);
}

function understand(parts: readonly Reading[]): Situation {
  const account = new Account(menuOf(parts));
  for (const part of parts) {
    account.length += part.length;
    for (const line of part.lines) account.take(line);
  }
  return account;
}

const nothingAsked = questionOf("");

/** A prompt as it is read, line after line: first what the work is, then turn after turn what was done. */
class Account implements Situation {
  length = 0;
  website: string | null = null;
  question: Question = nothingAsked;
  turns = 0;
  readonly searches: Search[] = [];
  readonly repliedSites = new Set<string>();
  readonly pages: SeenPage[] = [];
  readonly reminders = new Set<Reminder>();
  readonly #seen = new Set<string>();
  #search: Search | null = null;
  #site = "";
  #rank = 0;

  constructor(readonly menu: Menu | null) {}

  take(line: Line): void {
    if (line.kind === "turn") {
      this.turns = line.turn;
      this.#search = null;
      this.reminders.clear();
    } else if (this.turns === 0) {
      this.#takeHead(line);
    } else {
      this.#takeTurn(line);
    }
  }

  #takeHead(line: Line): void {
    if (line.kind === "question" && this.question === nothingAsked) this.question = line.question;
    else if (line.kind === "website") this.website ??= line.name;
  }

  #takeTurn(line: Line): void {
    switch (line.kind) {
      case "search":
        this.#search = this.menu === null ? { text: line.text, sites: [] } : line.request;
        return;
      case "information":
        if (this.#search !== null) this.searches.push(this.#search);
        this.#site = "";
        this.#rank = 0;
        return;
      case "reply":
        this.repliedSites.add(line.site);
        this.#site = line.site;
        this.#rank = 0;
        return;
      case "page":
        this.#see({ id: line.page.id, page: line.page, site: this.#site, match: 0, rank: this.#rank++ });
        return;
      case "kept":
        this.searches.push(...line.kept.searches);
        for (const { sites } of line.kept.searches) for (const site of sites) this.repliedSites.add(site);
        for (const page of line.kept.pages) this.#see({ ...page, page: null, rank: 0 });
        return;
      case "reminder":
        this.reminders.add(line.reminder);
    }
  }

  #see(page: SeenPage): void {
    if (this.#seen.has(page.id)) return;
    this.#seen.add(page.id);
    this.pages.push(page);
  }
}
