import type { TapeLine } from "../trace/tape-line.ts";
import type { TapeReader } from "../trace/tape-reader.ts";

type Parts = Readonly<Record<string, unknown>>;

/** How much of a key is shown: enough to find its line on the tape. */
const shownCharacters = 12;

/** Says which recorded request of a model comes nearest to one that is not on the tape, and in what they differ. */
export function explainModelMiss(tape: TapeReader, caller: string, parts: Parts): string {
  const nearest = nearestLine(tape, "model", parts, (line) => nearness(line.caller ?? "", caller));
  if (nearest === null) return "it holds no request of a model";
  const of = `(key ${nearest.key.slice(0, shownCharacters)}), which differs in ${differences(parts, nearest.parts)}`;
  if (nearest.caller === caller) return `it recorded a request of that caller ${of}`;
  return `it recorded no request of that caller; the nearest is that of ${nearest.caller} ${of}`;
}

/** The same for a search or a selection of sites. */
export function explainIndexMiss(tape: TapeReader, parts: Parts): string {
  const nearest = nearestLine(tape, "index", parts, () => 0);
  if (nearest === null) return "it holds no search";
  const key = nearest.key.slice(0, shownCharacters);
  return `the nearest recorded one (key ${key}) differs in ${differences(parts, nearest.parts)}`;
}

/** The line with the most in common; of several the first. */
function nearestLine(
  tape: TapeReader,
  port: TapeLine["port"],
  parts: Parts,
  preference: (line: TapeLine) => number,
): TapeLine | null {
  let best: { line: TapeLine; score: number } | null = null;
  for (const line of tape.lines()) {
    if (line.port !== port) continue;
    const score = preference(line) + likeness(parts, line.parts);
    if (best === null || score > best.score) best = { line, score };
  }
  return best?.line ?? null;
}

/** Steps of the path that two callers share, from the left; the very same caller comes before all others. */
function nearness(one: string, other: string): number {
  if (one === other) return 1000;
  const [a, b] = [one.split("/"), other.split("/")];
  const first = a.findIndex((step, index) => step !== b[index]);
  return first < 0 ? a.length : first;
}

function likeness(asked: Parts, recorded: Parts): number {
  let score = 0;
  for (const name of Object.keys(asked)) {
    if (name === "prompt") score += commonStart(asked[name], recorded[name]) / Math.max(1, lengthOf(asked[name]));
    else if (isEqual(asked[name], recorded[name])) score++;
  }
  return score;
}

function differences(asked: Parts, recorded: Parts): string {
  const differing = Object.keys(asked).filter((name) => !isEqual(asked[name], recorded[name]));
  return differing.length === 0
    ? "its caller only"
    : differing
        .map((name) =>
          name === "prompt" ? whereDiffers(asked[name], recorded[name]) : how(name, asked[name], recorded[name]),
        )
        .join(", ");
}

function how(name: string, asked: unknown, recorded: unknown): string {
  return `${name} (${JSON.stringify(asked)} asked, ${JSON.stringify(recorded)} recorded)`;
}

/** A prompt's parts are the pieces of its template, the list of sites, and then its turns. */
function whereDiffers(asked: unknown, recorded: unknown): string {
  const first = commonStart(asked, recorded) + 1;
  return `prompt (from part ${first}; ${lengthOf(asked)} asked, ${lengthOf(recorded)} recorded)`;
}

function commonStart(one: unknown, other: unknown): number {
  const [a, b] = [one, other] as [readonly string[] | undefined, readonly string[] | undefined];
  let same = 0;
  while (a !== undefined && b !== undefined && same < a.length && a[same] === b[same]) same++;
  return same;
}

function lengthOf(prompt: unknown): number {
  return Array.isArray(prompt) ? prompt.length : 0;
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
