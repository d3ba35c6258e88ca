const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A virtual time as the day it falls on, counted from 1, and the time of that day. */
export function clockTime(ms: number): string {
  const whole = Math.floor(ms);
  return `day ${Math.floor(whole / day) + 1} ${timeOfDay(whole)}`;
}

/** The time of its day of a virtual time: hh:mm:ss. */
export function timeOfDay(ms: number): string {
  const [h, m, s] = [(ms % day) / hour, (ms % hour) / minute, (ms % minute) / second];
  return [h, m, s].map((part) => twoDigits(Math.floor(part))).join(":");
}

/** A duration in its two largest units, rounded down: "3 d 4 h", "1 h 02 m", "2 m 05 s", "7 s". */
export function duration(ms: number): string {
  if (ms >= day) return `${Math.floor(ms / day)} d ${Math.floor((ms % day) / hour)} h`;
  if (ms >= hour) return `${Math.floor(ms / hour)} h ${twoDigits(Math.floor((ms % hour) / minute))} m`;
  if (ms >= minute) return `${Math.floor(ms / minute)} m ${twoDigits(Math.floor((ms % minute) / second))} s`;
  return `${Math.floor(ms / second)} s`;
}

/** A number rounded to a whole one, in groups of three digits: "12,345". */
export function count(value: number): string {
  return value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A share in [0, 1] as "12.3%". */
export function share(value: number): string {
  return `${(100 * value).toFixed(1)}%`;
}

/** A difference of two shares in percentage points, always with its sign: "+1.2". */
export function change(value: number): string {
  const points = (100 * value).toFixed(1);
  if (points === "0.0" || points === "-0.0") return "0.0";
  return value > 0 ? `+${points}` : points;
}

/** A score in [0, 1]: "0.417". */
export function score(value: number): string {
  return value.toFixed(3);
}

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar of `columns` filled to `value` in [0, 1]: to an eighth of a column, or with # where there is only ASCII. */
export function bar(value: number, columns: number, unicode = true): string {
  const length = Math.min(1, Math.max(0, value)) * columns;
  if (!unicode) return "#".repeat(Math.round(length)).padEnd(columns, ".");
  const inEighths = Math.round(length * 8);
  return ("█".repeat(Math.floor(inEighths / 8)) + (eighths[inEighths % 8] ?? "")).padEnd(columns);
}

const sparks = { unicode: "▁▂▃▄▅▆▇█", ascii: "_.-~=+*#" };

/** Values, 0 or more, as a row of marks, one column each: the highest is that of the largest value; null is a blank. */
export function sparkline(values: readonly (number | null)[], unicode = true): string {
  const marks = unicode ? sparks.unicode : sparks.ascii;
  const largest = Math.max(0, ...values.map((value) => value ?? 0));
  return values
    .map((value) => (value === null ? " " : marks[largest === 0 ? 0 : Math.round((value / largest) * 7)]))
    .join("");
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
