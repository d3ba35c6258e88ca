import type { Interval } from "../metrics/intervals.ts";

/** A table whose columns line up as plain text too. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = [header, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = header.map((_, column) => Math.max(...cells.map((row) => (row[column] as string).length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] as number)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [line(cells[0] as string[]), rule, ...cells.slice(1).map(line)];
}

/** A mean with its interval, three decimals below 10 and one from there on; a dash where there is none. */
export function intervalText(interval: Interval | undefined): string {
  if (interval === undefined || interval.mean === null) return "-";
  const { mean, low, high } = interval;
  const decimals = Math.abs(mean) < 10 ? 3 : 1;
  const ends = low === null || high === null ? "" : ` [${low.toFixed(decimals)}, ${high.toFixed(decimals)}]`;
  return `${mean.toFixed(decimals)}${ends}`;
}
