import { type AnswerForm, answerForms, type Step, steps } from "./assignment.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { Page } from "./page.ts";
import type { Visit } from "./intent.ts";
import { type ListedSite, siteOf } from "./menu.ts";
import { type Kept, keptOf, type Search } from "./kept.ts";
import { type Question, questionOf } from "./question.ts";

/** What a reminder asks for. */
export type Reminder = "invalid" | "last-turn" | "come-to-an-end" | "long-history";

/** What one line of a prompt says, by its own marks alone: where it stands plays no part. */
export type Line =
  | { readonly kind: "site"; readonly site: ListedSite }
  | { readonly kind: "page"; readonly page: Page }
  | { readonly kind: "reply"; readonly site: string }
  | { readonly kind: "information" }
  | { readonly kind: "turn"; readonly turn: number }
  | { readonly kind: "search"; readonly text: string; readonly request: Search | null }
  | { readonly kind: "step"; readonly step: Step }
  | { readonly kind: "visit"; readonly visit: Visit }
  | { readonly kind: "kept"; readonly kept: Kept }
  | { readonly kind: "website"; readonly name: string }
  | { readonly kind: "answer-form"; readonly form: AnswerForm }
  | { readonly kind: "question"; readonly question: Question }
  | { readonly kind: "reminder"; readonly reminder: Reminder };

/**
 * Reads one line; null when it says nothing that the surrogate goes by. Foreign text cannot pass for such a line: pages
 * and replies stand on one line of JSON each.
 */
export function readLine(text: string): Line | null {
  switch (text[0]) {
    case "{":
      return readJson(text);
    case "<":
      return readTag(text);
    case "[":
      return readHeading(text);
    default:
      return readField(text);
  }
}

const recent = new BoundedCache<string, { readonly line: Line | null }>(4096);

/** The same for the lines of whole prompts, most of which come again in the next prompt. */
export function readLineAgain(text: string): Line | null {
  return recent.get(text, (each) => ({ line: readLine(each) })).line;
}

function readJson(text: string): Line | null {
  // The line that opens a site's reply ends where the lines of its pages begin.
  const value = parse(text.endsWith("[") ? `${text}]}` : text);
  if (value === null) return null;
  const { doc_id: id, doc_text: pageText, website, visited: title } = value;
  if (typeof id === "string" && typeof pageText === "string") return { kind: "page", page: new Page(id, pageText) };
  if (typeof website === "string" && Array.isArray(value["documents"])) return { kind: "reply", site: website };
  if (typeof title === "string") {
    return { kind: "visit", visit: visitOf(title, value["page"], value["url"]) };
  }
  const site = siteOf(value);
  if (site !== null) return { kind: "site", site };
  const kept = keptOf(value);
  return kept === null ? null : { kind: "kept", kept };
}

function visitOf(title: string, page: unknown, url: unknown): Visit {
  const host = typeof url === "string" ? /^https?:\/\/([^/:?#]+)/.exec(url)?.[1] : undefined;
  return { title, page: typeof page === "string" ? page : "", site: host ?? "" };
}

const searchTag = "<search>";

function readTag(text: string): Line | null {
  if (text === "<information>") return { kind: "information" };
  const step = steps.find((each) => text.startsWith(`<${each}>`) && text.endsWith(`</${each}>`));
  if (step !== undefined) return { kind: "step", step };
  if (!text.startsWith(searchTag) || !text.endsWith("</search>")) return null;
  const payload = text.slice(searchTag.length, -"</search>".length).trim();
  return { kind: "search", text: payload, request: payload.startsWith("{") ? requestOf(parse(payload)) : null };
}

/** What a search says that names the sites to ask. */
function requestOf(value: Record<string, unknown> | null): Search | null {
  const { query, websites } = value ?? {};
  if (typeof query !== "string" || !Array.isArray(websites)) return null;
  return { text: query, sites: websites.filter((each) => typeof each === "string") };
}

const turnHeading = /^\[Turns? (?:1 to )?(\d+)(?:, summarised)?\]$/;

function readHeading(text: string): Line | null {
  const match = turnHeading.exec(text);
  return match === null ? null : { kind: "turn", turn: Number(match[1]) };
}

function readField(text: string): Line | null {
  if (text.startsWith("Query:")) return { kind: "question", question: questionOf(text.slice("Query:".length).trim()) };
  if (text.startsWith("Website:")) return { kind: "website", name: text.slice("Website:".length).trim() };
  if (text.startsWith("Answer with:")) {
    const form = answerForms.find((each) => each === text.slice("Answer with:".length).trim().toLowerCase());
    return form === undefined ? null : { kind: "answer-form", form };
  }
  if (text.startsWith("Note:")) {
    const reminder = reminderOf(text);
    return reminder === null ? null : { kind: "reminder", reminder };
  }
  return null;
}

/** Notes are read by their words, as users may put them differently. */
function reminderOf(text: string): Reminder | null {
  if (/not a valid|invalid/i.test(text)) return "invalid";
  if (/last turn/i.test(text)) return "last-turn";
  if (/replaced/i.test(text)) return null;
  if (/summar/i.test(text)) return "long-history";
  return /answer/i.test(text) ? "come-to-an-end" : null;
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as never) : null;
  } catch {
    return null;
  }
}
