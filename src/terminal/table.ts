import { clean, cut, fit, width } from "./clean.ts";
import { count } from "./format.ts";

export interface Column {
  readonly title: string;
  /** How a number of this column is written; by default as a whole one. */
  readonly format?: (value: number) => string;
}

/** A number, a text, or nothing to tell. */
export type Cell = number | string | null;

const gap = 2;
const narrowestText = 8;

/**
 * A table in plain text: a line of titles, one of dashes and one a row, each without trailing blanks and ended by a
 * newline. Numbers and their titles are aligned to the right. Where it is wider than `columnsWide`, the widest columns
 * of text are cut first, then the lines.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  columnsWide = 120,
  ellipsis = "…",
): string {
  const texts = rows.map((row) => columns.map((column, i) => cellText(row[i] ?? null, column)));
  const numeric = columns.map((_, i) => rows.some((row) => typeof row[i] === "number"));
  const widths = columns.map(({ title }, i) => Math.max(width(title), ...texts.map((row) => width(row[i] ?? ""))));
  narrow(widths, numeric, columnsWide);
  const line = (cells: readonly string[]): string =>
    cut(
      cells
        .map((cell, i) => fit(cell, widths[i] ?? 0, numeric[i] ? "right" : "left", ellipsis))
        .join(" ".repeat(gap))
        .trimEnd(),
      columnsWide,
      ellipsis,
    );
  const dashes = widths.map((columnWidth) => "-".repeat(columnWidth));
  return [columns.map(({ title }) => title), dashes, ...texts].map((cells) => `${line(cells)}\n`).join("");
}

function cellText(cell: Cell, { format = count }: Column): string {
  if (cell === null) return "-";
  return typeof cell === "number" ? format(cell) : clean(cell);
}

/** Takes a column's width off the widest text until the table fits or no text can give. */
function narrow(widths: number[], numeric: readonly boolean[], columnsWide: number): void {
  let excess = widths.reduce((sum, columnWidth) => sum + columnWidth + gap, -gap) - columnsWide;
  while (excess > 0) {
    let widest = -1;
    widths.forEach((columnWidth, i) => {
      if (!numeric[i] && columnWidth > (widths[widest] ?? narrowestText)) widest = i;
    });
    if (widest < 0) return;
    widths[widest]! -= 1;
    excess -= 1;
  }
}
