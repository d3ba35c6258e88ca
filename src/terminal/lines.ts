import { cut, width } from "./clean.ts";

/** What a stretch of text is, from which its colour follows. */
export type Tone = "plain" | "title" | "faint" | "good" | "bad" | "accent";

export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

/** One line of the screen. */
export type Line = readonly Span[];

/** What the terminal can show. */
export interface Looks {
  readonly colour: boolean;
  /** Block characters and arrows, or ASCII only. */
  readonly unicode: boolean;
  /** The screen is read aloud: one column, no bars. */
  readonly spoken: boolean;
}

export function span(text: string, tone: Tone = "plain"): Span {
  return { text, tone };
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + width(text), 0);
}

/** Cuts a line to at most `columns`. */
export function cutLine(line: Line, columns: number, looks: Looks): Line {
  let left = columns;
  const spans: Span[] = [];
  for (const { text, tone } of line) {
    if (left <= 0) break;
    const kept = cut(text, left, looks.unicode ? "…" : "~");
    spans.push({ text: kept, tone });
    left -= width(kept);
  }
  return spans;
}

/** Puts blocks of lines beside each other, each `columns` wide with `gap` between them. */
export function beside(left: readonly Line[], right: readonly Line[], columns: number, gap: number): Line[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => {
    const line = left[i] ?? [];
    return [...line, span(" ".repeat(Math.max(0, columns + gap - lineWidth(line)))), ...(right[i] ?? [])];
  });
}

/** Codes of "select graphic rendition" that begin and end a tone. */
const rendition: Record<Tone, readonly [number, number] | null> = {
  plain: null,
  title: [1, 22],
  faint: [2, 22],
  good: [32, 39],
  bad: [33, 39],
  accent: [36, 39],
};

/** A line as it is written to a terminal. */
export function textOf(line: Line, colour: boolean): string {
  return line
    .map(({ text, tone }) => {
      const codes = colour ? rendition[tone] : null;
      return codes === null ? text : `\u001b[${codes[0]}m${text}\u001b[${codes[1]}m`;
    })
    .join("");
}
