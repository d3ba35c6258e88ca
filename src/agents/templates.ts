import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { InputError } from "../errors.ts";
import { sha256 } from "../trace/hash.ts";
import { plainLine } from "./grammar.ts";
import { type PromptPart, type Segment, segment } from "./prompt.ts";

/** A prompt's template: its text in pieces, with the variables between them. */
export interface Template {
  readonly name: string;
  readonly role: string;
  readonly task: string | null;
  readonly menu: string | null;
  readonly pieces: readonly (Segment | { readonly variable: string } | LineWithVariables)[];
}

/** A line such as `Query: {{query}}`: its text differs with the variable. */
interface LineWithVariables {
  readonly line: string;
}

export const reminderNames = [
  "invalid",
  "many-searches",
  "many-turns",
  "last-turn",
  "final-answer",
  "long-history",
  "summarised",
] as const;
export type ReminderName = (typeof reminderNames)[number];

/** All prompts of a run: templates by name, reminders, and the texts of their files for the run directory. */
export interface Prompts {
  readonly directory: string;
  readonly templates: readonly Template[];
  readonly reminders: Readonly<Record<ReminderName, string>>;
  readonly files: ReadonlyMap<string, string>;
  readonly sha256: string;
}

/** Variables that are values of their own (a group of segments) and stand alone on their line. */
const blockVariable = /^\{\{([a-z-]+)\}\}$/;
const anyVariable = /\{\{([a-z-]+)\}\}/g;
/** What was meant as a variable, even if it is none. */
const braces = /\{\{(.*?)\}\}/g;

/** Reads the prompts of a directory: templates `*.md` with a YAML head, and `reminders.yaml`. */
export function readPrompts(directory: string): Prompts {
  const files = new Map<string, string>();
  for (const name of listFiles(directory)) files.set(name, readFileSync(join(directory, name), "utf8"));
  return parsePrompts(files, directory);
}

function listFiles(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith(".md") || name === "reminders.yaml")
      .sort();
  } catch {
    throw new InputError("expected a directory of prompts; none is there", { file: directory });
  }
}

function parsePrompts(files: ReadonlyMap<string, string>, directory: string): Prompts {
  const templates: Template[] = [];
  for (const [name, text] of files) {
    if (!name.endsWith(".md")) continue;
    const file = join(directory, name);
    const template = parseTemplate(name, text, file);
    const same = templates.find((each) => hasPurpose(each, template.role, template.task, template.menu));
    if (same !== undefined) throw new InputError(`${same.name}.md has the same role, task and menu`, { file });
    templates.push(template);
  }
  const reminders = parseReminders(files.get("reminders.yaml"), join(directory, "reminders.yaml"));
  const hashes = [...files].map(([name, text]) => `${name} ${sha256(text)}\n`).join("");
  return { directory, templates, reminders, files, sha256: sha256(hashes) };
}

function parseTemplate(name: string, text: string, file: string): Template {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(text);
  if (match === null) throw new InputError("expected a YAML head between two lines of ---", { file });
  const head = parseYaml(match[1] as string, file);
  if (typeof head?.["role"] !== "string")
    throw new InputError("expected a role such as user-agent", { file, field: "role" });
  const declared = Array.isArray(head["variables"]) ? head["variables"].map(String) : [];
  const body = (match[2] as string).replace(/\r\n/g, "\n");
  for (const [, variable] of body.matchAll(braces)) {
    if (!declared.includes(variable as string)) {
      throw new InputError(`{{${variable}}} is used but not declared; add it to the head or remove it`, {
        file,
        field: "variables",
      });
    }
  }
  for (const variable of declared) {
    if (!body.includes(`{{${variable}}}`)) {
      throw new InputError(`${variable} is declared but {{${variable}}} is nowhere in the text`, {
        file,
        field: "variables",
      });
    }
  }
  return {
    name: name.slice(0, -".md".length),
    role: head["role"],
    task: typeof head["task"] === "string" ? head["task"] : null,
    menu: typeof head["menu"] === "string" ? head["menu"] : null,
    pieces: piecesOf(body),
  };
}

function piecesOf(body: string): Template["pieces"] {
  const pieces: (Segment | { variable: string } | LineWithVariables)[] = [];
  let fixed = "";
  const endFixed = (): void => {
    if (fixed !== "") pieces.push(segment(fixed));
    fixed = "";
  };
  for (const line of body.replace(/\n+$/, "").split("\n")) {
    const block = blockVariable.exec(line);
    if (block !== null) {
      endFixed();
      pieces.push({ variable: block[1] as string });
    } else if (line.includes("{{")) {
      endFixed();
      pieces.push({ line });
    } else {
      fixed += `${line}\n`;
    }
  }
  endFixed();
  return pieces;
}

function parseReminders(text: string | undefined, file: string): Record<ReminderName, string> {
  if (text === undefined)
    throw new InputError("expected a file of reminders beside the prompts; none is there", { file });
  const value = parseYaml(text, file);
  const reminders = {} as Record<ReminderName, string>;
  for (const name of reminderNames) {
    const reminder = value?.[name];
    if (typeof reminder !== "string") throw new InputError("expected a text", { file, field: name });
    reminders[name] = reminder;
  }
  return reminders;
}

function parseYaml(text: string, file: string): Record<string, unknown> | null {
  try {
    return parse(text, { prettyErrors: false }) as Record<string, unknown> | null;
  } catch (error) {
    throw new InputError(`is not YAML: ${(error as Error).message}`, { file });
  }
}

function hasPurpose(template: Template, role: string, task: string | null, menu: string | null): boolean {
  return template.role === role && template.task === task && template.menu === menu;
}

/** The one template for a role and, where they are given, a task and a kind of menu. */
export function findTemplate(prompts: Prompts, role: string, task: string | null, menu: string | null): Template {
  const found = prompts.templates.find((each) => hasPurpose(each, role, task, menu));
  if (found !== undefined) return found;
  const wanted = [`role: ${role}`, task === null ? "" : `task: ${task}`, menu === null ? "" : `menu: ${menu}`];
  throw new InputError(
    `expected a prompt with ${wanted.filter((each) => each !== "").join(", ")} in its head; none is there`,
    { file: prompts.directory },
  );
}

/** What fills a variable: text within a line, or a part that stands alone on its line. */
type Values = Readonly<Record<string, string | PromptPart>>;

/** Fills the lines whose variables all have a value, once for many prompts; the others stay to be filled. */
export function bindTemplate(template: Template, values: Values): Template {
  const isBound = (line: string): boolean => variablesOf(line).every((variable) => values[variable] !== undefined);
  const pieces = template.pieces.map((piece) =>
    "line" in piece && isBound(piece.line) ? fillLine(template, piece.line, values) : piece,
  );
  return { ...template, pieces };
}

/**
 * Fills a template, with more values than it has variables if need be. A variable that stands alone on its line takes
 * a part (the site list); one within a line takes text, which is made one plain line first: foreign text can neither
 * add lines nor tags.
 */
export function fillTemplate(template: Template, values: Values): PromptPart[] {
  return template.pieces.map((piece) => {
    if ("text" in piece) return piece;
    if ("line" in piece) return fillLine(template, piece.line, values);
    const part = valueOf(template, piece.variable, values);
    return typeof part === "string" ? segment(plainLine(part)) : part;
  });
}

function fillLine(template: Template, line: string, values: Values): Segment {
  const filled = line.replace(anyVariable, (_, variable: string) => {
    const text = valueOf(template, variable, values);
    if (typeof text === "string") return plainLine(text);
    throw new InputError(`prompt ${template.name}: {{${variable}}} is a block and must stand alone on its line`);
  });
  return segment(filled);
}

function valueOf(template: Template, variable: string, values: Values): string | PromptPart {
  const value = values[variable];
  if (value !== undefined) return value;
  throw new InputError(`prompt ${template.name} has a variable {{${variable}}} that nothing fills`);
}

function variablesOf(line: string): string[] {
  return Array.from(line.matchAll(anyVariable), ([, variable]) => variable as string);
}
