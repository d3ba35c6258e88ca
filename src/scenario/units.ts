const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof unitsMs;

export const durationPattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
export const ratePattern = /^(\d+(?:\.\d+)?)\/(s|m|h|d)$/;

/** A duration such as `500ms`, `3s`, `2m`, `1.5h` or `1d` (or 0) in whole milliseconds; NaN when it is none. */
export function durationMs(text: string | 0): number {
  if (text === 0 || text === "0") return 0;
  const match = durationPattern.exec(text);
  return match === null ? Number.NaN : Math.round(Number(match[1]) * unitsMs[match[2] as Unit]);
}

/** The shortest exact way to write a duration: 5400000 is `90m`. */
export function formatDuration(ms: number): string {
  const unit = (["d", "h", "m", "s"] as const).find((candidate) => ms > 0 && ms % unitsMs[candidate] === 0) ?? "ms";
  return `${ms / unitsMs[unit]}${unit}`;
}

/** A rate such as `200/h` in events an hour; NaN when it is none. */
export function ratePerHour(text: string): number {
  const match = ratePattern.exec(text);
  return match === null ? Number.NaN : (Number(match[1]) * unitsMs.h) / unitsMs[match[2] as Unit];
}
