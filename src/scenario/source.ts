import { readFileSync } from "node:fs";
import { isAlias, isCollection, isMap, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { InputError } from "../errors.ts";
import type { Path } from "./path.ts";

/** A YAML file with the lines of its keys. */
export interface Source {
  readonly file: string;
  readonly text: string;
  /** Plain data; what YAML aliases share is shared in it. */
  readonly data: unknown;
  /** The line of the last key or list item on the path that the file has, and whether it has the whole path. */
  locate(path: Path): { line: number; whole: boolean };
}

export function readSource(file: string): Source {
  const text = readText(file);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const error = document.errors[0];
  if (error !== undefined) {
    throw new InputError(`expected YAML: ${error.message}`, { file, line: lines.linePos(error.pos[0]).line });
  }

  const locate: Source["locate"] = (path) => {
    let node: unknown = document.contents;
    let offset = rangeStart(node) ?? 0;
    let depth = 0;
    for (const part of path) {
      if (isAlias(node)) node = node.resolve(document);
      if (!isCollection(node)) break;
      const pair = isMap(node)
        ? node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === part)
        : undefined;
      const next: unknown = pair === undefined ? node.get(part, true) : pair.value;
      if (pair === undefined && next === undefined) break;
      offset = rangeStart(pair?.key) ?? rangeStart(next) ?? offset;
      node = next;
      depth++;
    }
    return { line: lines.linePos(offset).line, whole: depth === path.length };
  };

  try {
    return { file, text, data: document.toJS() as unknown, locate };
  } catch (reason) {
    throw new InputError(`expected YAML: ${(reason as Error).message}`, { file });
  }
}

/** The whole text of a file of the user's. */
export function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (reason) {
    const { code, message } = reason as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new InputError("there is no such file; check the path", { file });
    if (code === "EISDIR") throw new InputError("expected a file, but this is a directory", { file });
    throw new InputError(`the file cannot be read: ${message}`, { file });
  }
}

function rangeStart(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
