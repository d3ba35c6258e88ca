import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/package-root.ts";

/** A page of the documentation. */
export interface Page {
  /** From the repository's root. */
  readonly path: string;
  readonly text: string;
  /** The text without fenced blocks, each line kept. */
  readonly prose: string;
}

export interface Block {
  readonly language: string;
  readonly text: string;
}

/** README, CONTRIBUTING, CHANGELOG and all of docs/. */
export const pages: readonly Page[] = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...pagesUnder("docs")].map(
  readPage,
);

function pagesUnder(folder: string): string[] {
  const names = readdirSync(join(packageRoot, folder), { recursive: true }) as string[];
  return names
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name))
    .sort();
}

function readPage(path: string): Page {
  const text = readFileSync(join(packageRoot, path), "utf8");
  return { path, text, prose: text.replace(/^```[\s\S]*?^```$/gm, "") };
}

export function page(path: string): Page {
  const found = pages.find((each) => each.path === path);
  if (found === undefined) throw new Error(`there is no page ${path}`);
  return found;
}

/** The fenced blocks of a page, in order. */
export function blocksOf({ text }: Page): Block[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, body]) => ({
    language: language as string,
    text: body as string,
  }));
}

/** What stands between backticks outside of fenced blocks. */
export function codeOf(prose: string): string[] {
  return [...prose.matchAll(/`([^`]+)`/g)].map(([, code]) => (code as string).replace(/\s+/g, " "));
}

/** The text under a heading, up to the next heading of the same level. */
export function section({ path, text }: Page, heading: string): string {
  const level = /^#+/.exec(heading)?.[0] as string;
  const start = text.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`${path} has no heading "${heading}"`);
  const rest = text.slice(start + heading.length + 2);
  const end = rest.search(new RegExp(`^#{1,${level.length}} `, "m"));
  return end < 0 ? rest : rest.slice(0, end);
}

/** The rows of all tables in a text, without their heads; cells are trimmed. */
export function tableRows(text: string): string[][] {
  const rows = text
    .split("\n")
    .map((line) => (line.startsWith("|") ? line.slice(1, -1).split(/(?<!\\)\|/) : null))
    .map((cells) => cells?.map((cell) => cell.trim()) ?? null);
  const isRule = (cells: string[] | null | undefined): boolean => cells?.every((cell) => /^-+$/.test(cell)) ?? false;
  return rows.filter((cells, line): cells is string[] => cells !== null && !isRule(cells) && !isRule(rows[line + 1]));
}

/** The names in the first cells of all tables in a text. */
export function namesIn(text: string): string[] {
  return tableRows(text).flatMap(([first]) => codeOf(first as string));
}
