/** The one of `known` that `name` most likely was meant to be, or undefined when none is close. */
function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** `unknown <thing> "x"`, with the nearest known name, else (when they are few) all of them. */
export function unknownName(thing: string, name: string, known: readonly string[]): string {
  const guess = nearest(name, known);
  if (guess !== undefined) return `unknown ${thing} "${name}"; did you mean "${guess}"?`;
  const names = known.length > 12 ? [...known.slice(0, 12), "..."] : known;
  return `unknown ${thing} "${name}"; expected one of ${names.join(", ")}`;
}

/** Levenshtein's distance: insertions, deletions and substitutions that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
