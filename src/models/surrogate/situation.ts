import type { PromptPart } from "../../agents/prompt.ts";
import type { AnswerForm, Assignment, SearchForm, Step } from "./assignment.ts";
import { intentOf, type Visit } from "./intent.ts";
import type { Search } from "./kept.ts";
import type { Reminder } from "./lines.ts";
import type { Menu } from "./menu.ts";
import { SeenPage } from "./page.ts";
import type { Profile } from "./profile.ts";
import { type Question, questionOf } from "./question.ts";
import { type Entry, menuOf, type Reading, readPart, readPrompt } from "./reading.ts";

/** What the surrogate makes of a prompt: all that it decides by, besides the seed. */
export interface Situation {
  /** In characters. */
  readonly length: number;
  readonly assignment: Assignment;
  readonly menu: Menu | null;
  /** What is asked; where a prompt tells of visits instead, what these are taken to be after. */
  readonly question: Question;
  /** Pages that the person has been on, by id. */
  readonly visitedPages: ReadonlySet<string>;
  /** Sites of the latest of them, as many as the intent is inferred from. */
  readonly visitedSites: ReadonlySet<string>;
  readonly stepsTaken: ReadonlySet<Step>;
  /** Turns taken so far. */
  readonly turns: number;
  /** Searches that brought something back, even nothing found. */
  readonly searches: readonly Search[];
  readonly repliedSites: ReadonlySet<string>;
  readonly pages: readonly SeenPage[];
  readonly reminders: ReadonlySet<Reminder>;
}

/** Reads a prompt from its parts. */
export function readParts(parts: readonly PromptPart[], profile: Profile): Situation {
  return understand(parts.map(readPart), profile);
}

/** Reads a prompt from its full text, to the same result. */
export function readText(text: string, profile: Profile): Situation {
  return understand([readPrompt(text)], profile);
}

function understand(parts: readonly Reading[], profile: Profile): Situation {
  const account = new Account(menuOf(parts));
  for (const part of parts) {
    account.length += part.length;
    for (const entry of part.entries) account.take(entry);
  }
  account.inferQuestion(profile);
  return account;
}

const nothingAsked = questionOf("");

/** A prompt as it is read, line after line: first what the work is, then turn after turn what was done. */
class Account implements Situation {
  length = 0;
  question: Question = nothingAsked;
  turns = 0;
  readonly searches: Search[] = [];
  readonly repliedSites = new Set<string>();
  readonly pages: SeenPage[] = [];
  readonly reminders = new Set<Reminder>();
  readonly visitedPages = new Set<string>();
  visitedSites: ReadonlySet<string> = new Set<string>();
  readonly stepsTaken = new Set<Step>();
  readonly #seen = new Set<string>();
  readonly #visits: Visit[] = [];
  readonly #steps = new Set<Step>();
  #isWebsite = false;
  #answerForm: AnswerForm | null = null;
  #searchForm: SearchForm | null = null;
  #search: Search | null = null;

  constructor(readonly menu: Menu | null) {}

  /** Where a prompt does not show the form of an answer or of a search, it follows from who its agent is. */
  get assignment(): Assignment {
    const search = this.#isWebsite ? "pages" : this.menu === null ? "none" : "websites";
    return {
      answer: this.#answerForm ?? (this.#isWebsite ? "findings" : "page ids"),
      search: this.#searchForm ?? search,
      steps: this.#steps,
    };
  }

  inferQuestion(profile: Profile): void {
    if (this.question !== nothingAsked || this.#visits.length === 0) return;
    const { history } = profile["user-agent"];
    this.question = questionOf(intentOf(this.#visits, history));
    this.visitedSites = new Set(this.#visits.slice(-history.pages).map(({ site }) => site));
  }

  take(entry: Entry): void {
    if (entry.kind === "turn") {
      this.turns = entry.turn;
      this.#search = null;
      this.reminders.clear();
    } else if (this.turns === 0) {
      this.#takeHead(entry);
    } else {
      this.#takeTurn(entry);
    }
  }

  #takeHead(entry: Entry): void {
    switch (entry.kind) {
      case "question":
        if (this.question === nothingAsked) this.question = entry.question;
        return;
      case "website":
        this.#isWebsite = true;
        return;
      case "answer-form":
        this.#answerForm ??= entry.form;
        return;
      case "search":
        this.#searchForm = entry.request === null ? "pages" : "websites";
        return;
      case "step":
        this.#steps.add(entry.step);
        return;
      case "visit":
        this.#visits.push(entry.visit);
        if (entry.visit.page !== "") this.visitedPages.add(entry.visit.page);
        return;
      default:
    }
  }

  #takeTurn(entry: Entry): void {
    switch (entry.kind) {
      case "search":
        this.#search = this.assignment.search === "websites" ? entry.request : { text: entry.text, sites: [] };
        return;
      case "step":
        this.stepsTaken.add(entry.step);
        return;
      case "information":
        if (this.#search !== null) this.searches.push(this.#search);
        return;
      case "reply":
        this.repliedSites.add(entry.site);
        return;
      case "seen":
        this.#see(entry.seen);
        return;
      case "kept":
        this.searches.push(...entry.kept.searches);
        for (const { sites } of entry.kept.searches) for (const site of sites) this.repliedSites.add(site);
        for (const { id, site, match, quote } of entry.kept.pages) {
          this.#see(new SeenPage(id, null, site, 0, match, quote));
        }
        for (const step of this.#steps) this.stepsTaken.add(step); // a summary comes after them
        return;
      case "reminder":
        this.reminders.add(entry.reminder);
        return;
      default:
    }
  }

  #see(page: SeenPage): void {
    if (this.#seen.has(page.id)) return;
    this.#seen.add(page.id);
    this.pages.push(page);
  }
}
