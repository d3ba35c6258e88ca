/** Where a value stands in a document: keys and list indexes from the top. */
export type Path = readonly (string | number)[];

/** `assistants[0].share`, `sites[docs.example].capacity`: as --set takes it. */
export function formatPath(path: Path): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number" || /[.[\]=]/.test(part)) text += `[${part}]`;
    else text += text === "" ? part : `.${part}`;
  }
  return text;
}

/** The inverse of `formatPath`; undefined when the text is no path. */
export function parsePath(text: string): Path | undefined {
  const path: (string | number)[] = [];
  const step = /(?:^|\.)([^.[\]]+)|\[([^[\]]+)\]/y;
  while (step.lastIndex < text.length) {
    const match = step.exec(text);
    if (match === null) return undefined;
    const [, key, bracketed] = match;
    path.push(key ?? (/^\d+$/.test(bracketed!) ? Number(bracketed) : bracketed!));
  }
  return path.length === 0 ? undefined : path;
}

/** The value at a path of plain data, or undefined. */
export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, part) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    return (value as Record<string | number, unknown>)[part];
  }, data);
}

/** Puts a value at a path of plain data, making the mappings that are missing. False when the path leads nowhere. */
export function setAt(data: unknown, path: Path, value: unknown): boolean {
  let parent = data;
  for (const [depth, part] of path.entries()) {
    if (typeof parent !== "object" || parent === null) return false;
    if (Array.isArray(parent) ? !(typeof part === "number" && part <= parent.length) : typeof part === "number")
      return false;
    const container = parent as Record<string | number, unknown>;
    const last = depth === path.length - 1;
    if (last || !Object.hasOwn(container, part)) {
      const entry = { value: last ? value : {}, enumerable: true, writable: true, configurable: true };
      Object.defineProperty(container, part, entry);
    }
    parent = container[part];
  }
  return true;
}
