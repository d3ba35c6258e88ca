/** The actions an agent can take, as tags in what its model writes. */
export const actionKinds = ["search", "answer", "summary", "plan", "scripts"] as const;
export type ActionKind = (typeof actionKinds)[number];

export interface Action {
  readonly kind: ActionKind;
  /** What stands between the tags, trimmed. */
  readonly payload: string;
}

/** Why a model's output is not an action. */
export type Problem =
  | "empty"
  | "unclosed-thought"
  | "no-action"
  | "unclosed-action"
  | "several-actions"
  | "action-not-allowed"
  | "bad-payload";

export type Parsed = { readonly action: Action } | { readonly problem: Problem };

const opening = /<(search|answer|summary|plan|scripts)>/g;
const thoughtEnd = "</think>";

/**
 * Reads the one action of a model's output. The rule is the same for every model:
 *
 * - What stands before the last `</think>` is thought; a thought that is opened and never closed hides the rest.
 * - Outside the tags anything may stand. Tags are literal: lower case, no blanks, no attributes.
 * - The first opening tag begins the action, the first closing tag of its kind after it ends it; tags of other kinds
 *   in between are part of the text. A second action after it makes the output invalid, whatever the two are.
 */
export function parseAction(output: string, allowed: readonly ActionKind[]): Parsed {
  const text = afterThought(output);
  if (text === null) return { problem: "unclosed-thought" };
  if (text.trim() === "") return { problem: "empty" };
  const first = elementFrom(text, 0);
  if (first === "none") return { problem: "no-action" };
  if (first === "unclosed") return { problem: "unclosed-action" };
  if (elementFrom(text, first.end) !== "none") return { problem: "several-actions" };
  if (!allowed.includes(first.kind)) return { problem: "action-not-allowed" };
  return { action: { kind: first.kind, payload: text.slice(first.contentStart, first.contentEnd).trim() } };
}

/** Drops the thought in front of the output proper; null when the thought never ends. */
export function afterThought(output: string): string | null {
  const end = output.lastIndexOf(thoughtEnd);
  if (end >= 0) return output.slice(end + thoughtEnd.length);
  return output.trimStart().startsWith("<think>") ? null : output;
}

/** The thought that stands in front of the output proper, without its tags; empty when there is none. */
export function thoughtIn(output: string): string {
  const end = output.lastIndexOf(thoughtEnd);
  const isOpen = output.trimStart().startsWith("<think>");
  if (end < 0 && !isOpen) return "";
  return output
    .slice(0, end < 0 ? undefined : end)
    .replaceAll("<think>", "")
    .trim();
}

interface Element {
  readonly kind: ActionKind;
  readonly contentStart: number;
  readonly contentEnd: number;
  readonly end: number;
}

function elementFrom(text: string, from: number): Element | "none" | "unclosed" {
  opening.lastIndex = from;
  const match = opening.exec(text);
  if (match === null) return "none";
  const kind = match[1] as ActionKind;
  const closing = `</${kind}>`;
  const contentStart = match.index + match[0].length;
  const contentEnd = text.indexOf(closing, contentStart);
  if (contentEnd < 0) return "unclosed";
  return { kind, contentStart, contentEnd, end: contentEnd + closing.length };
}

/** The tags of the grammar, thoughts and information blocks included. */
const anyTag = /<\/?(?:search|answer|summary|plan|scripts|information|think)>/g;

/**
 * One line of foreign text that can be shown in a prompt outside an information block: no line breaks, no control
 * characters, no tag of the grammar.
 */
export function plainLine(text: string): string {
  return text
    .replace(anyTag, " ")
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
}

/** Tags begin with the first; the others end a line for some readers, and JSON leaves them as they are. */
const escaped = /[<\u0085\u2028\u2029]/g;

/**
 * JSON for a line of an information block. What could open or close a tag or end the line is written as an escape, so
 * that no text of a document or a model can; whoever parses the JSON gets the text back unchanged.
 */
export function blockJson(value: unknown): string {
  return JSON.stringify(value).replace(escaped, escapeOf);
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
