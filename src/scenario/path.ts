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

/** Plain data with another value at a path, missing mappings made; undefined when the path leads nowhere. */
export function withValue(data: unknown, path: Path, value: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  const parent = data ?? {};
  if (typeof parent !== "object" || Array.isArray(parent) !== (typeof part === "number")) return undefined;
  if (Array.isArray(parent) && Number(part) > parent.length) return undefined;
  const child = withValue(valueAt(parent, [part]), rest, value);
  if (child === undefined) return undefined;
  return Array.isArray(parent)
    ? Object.assign([...(parent as unknown[])], { [part]: child })
    : { ...parent, [part]: child };
}
