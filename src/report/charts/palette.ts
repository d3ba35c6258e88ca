/** A colour on light and on dark paper. */
type Shades = readonly [light: string, dark: string];

/** Okabe and Ito's colours, which people who see few colours tell apart, moved until they stand out on both papers. */
const series: readonly Shades[] = [
  ["#0b6aa8", "#5aaee6"],
  ["#d98200", "#f0b13f"],
  ["#0a8a6a", "#3cc49c"],
  ["#c4489a", "#e58cc4"],
  ["#46a5cf", "#9bd8f5"],
  ["#c24a00", "#f07f3c"],
  ["#6f5bb5", "#ac9ceb"],
  ["#8a8420", "#d6cf5e"],
];

const named: Readonly<Record<string, Shades>> = {
  paper: ["#ffffff", "#14171c"],
  raised: ["#f5f6f8", "#1d2128"],
  line: ["#d9dde3", "#363c46"],
  ink: ["#1b1f24", "#e7eaee"],
  quiet: ["#57606a", "#a3adb9"],
  accent: ["#0b5d94", "#7fc0ef"],
  warn: ["#8a5300", "#f0b85a"],
  "rest-a": ["#d3d7dd", "#3a404a"],
  "rest-b": ["#c5cad2", "#444b56"],
  thin: ["#8b939e", "#717a86"],
};

/** How many series have a colour of their own. */
export const seriesColours = series.length;

/** The colour of the n-th series, from 0, as charts and style sheet name it. */
export function seriesColour(n: number): string {
  return n < series.length ? `var(--c${n})` : `var(--rest-${n % 2 === 0 ? "a" : "b"})`;
}

const all: readonly (readonly [name: string, shades: Shades])[] = [
  ...Object.entries(named),
  ...series.map((shades, index) => [`c${index}`, shades] as const),
];

/** The colours as custom properties of CSS. */
export function paletteCss(): string {
  const block = (shade: 0 | 1): string => all.map(([name, shades]) => `--${name}:${shades[shade]}`).join(";");
  return [
    `:root{color-scheme:light dark;${block(0)}}`,
    `@media (prefers-color-scheme:dark){:root{${block(1)}}}`,
    `@media print{:root{color-scheme:light;${block(0)}}}`,
  ].join("\n");
}

/** A drawing with the colours of light paper in place of their names, for files of its own. */
export function withLightColours(svg: string): string {
  const byName = new Map(all.map(([name, [light]]) => [name, light]));
  return svg
    .replace(/var\(--([a-z0-9-]+)\)/g, (whole, name: string) => byName.get(name) ?? whole)
    .replaceAll("currentColor", byName.get("ink") as string);
}
