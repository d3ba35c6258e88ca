import type { Interval } from "../metrics/intervals.ts";

/** A duration in ms as people write it: `3 days`, `24 h`, `1 h 30 min`, `45 s`, `350 ms`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const units = [
    ["days", 86_400_000],
    ["h", 3_600_000],
    ["min", 60_000],
    ["s", 1000],
  ] as const;
  const first = units.findIndex(([name, size]) => ms >= (name === "days" ? 2 * size : size));
  const [name, size] = units[first] as (typeof units)[number];
  const whole = Math.floor(ms / size);
  const next = units[first + 1];
  const rest = next === undefined ? 0 : Math.floor((ms - whole * size) / next[1]);
  return rest === 0 ? `${whole} ${name}` : `${whole} ${name} ${rest} ${(next as (typeof units)[number])[0]}`;
}

/** A time of the virtual clock, such as `08:30:00` or `day 2, 08:30:00`. */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  if (ms === 86_400_000) return "24:00:00";
  const day = Math.floor(seconds / 86_400);
  const time = `${two(Math.floor(seconds / 3600) % 24)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return day === 0 ? time : `day ${day + 1}, ${time}`;
}

/** A whole number with commas between thousands. */
export function countText(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A fraction as a percentage of one decimal; a dash where there is none. */
export function shareText(fraction: number | null): string {
  return fraction === null || !Number.isFinite(fraction) ? "–" : `${(100 * fraction).toFixed(1)} %`;
}

/** A mean of a measure: durations in seconds, others as they are. */
export function numberText(value: number, measure: string): string {
  if (measure.endsWith("Ms")) return `${(value / 1000).toFixed(1)} s`;
  return value.toFixed(value < 10 ? 3 : 1);
}

/** A mean with its interval in words, for tables and sentences. */
export function meanText(interval: Interval | null | undefined, measure = ""): string {
  if (interval === null || interval === undefined || interval.mean === null) return "–";
  const { mean, low, high } = interval;
  const ends = low === null || high === null ? "" : ` [${numberText(low, measure)}, ${numberText(high, measure)}]`;
  return `${numberText(mean, measure)}${ends}`;
}
