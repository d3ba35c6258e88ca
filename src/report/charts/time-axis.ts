import * as Plot from "@observablehq/plot";
import type { TrafficWindow } from "../../statistics/traffic.ts";
import { type Mark, totalOf } from "../record/traffic-history.ts";
import { thinWindow } from "../../statistics/concentration-windows.ts";
import type { TrafficMeasure } from "../../statistics/traffic.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [1000, 5000, 15_000, minute, 5 * minute, 15 * minute, 30 * minute, hour, 3 * hour, 6 * hour, 12 * hour];
const mostTicks = 9;

/** The axis of virtual time, with round ticks. */
export function timeAxis(startMs: number, endMs: number): Plot.ScaleOptions {
  const span = Math.max(1, endMs - startMs);
  const days = [1, 2, 7, 14, 28, 91, 364].map((each) => each * day);
  const step = [...steps, ...days].find((each) => span / each <= mostTicks) ?? Math.ceil(span / mostTicks / day) * day;
  const first = Math.ceil(startMs / step) * step;
  const ticks = Array.from({ length: Math.floor((endMs - first) / step) + 1 }, (_, index) => first + index * step);
  return { domain: [startMs, endMs], ticks, tickFormat: (t: number) => tickText(t, step), label: null };
}

function tickText(t: number, step: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  if (step >= day) return `day ${Math.floor(t / day) + 1}`;
  if (t > 0 && t % day === 0) return t === day ? "24:00" : `day ${t / day + 1}`;
  const time = `${two((t % day) / hour)}:${two((t % hour) / minute)}`;
  return step < minute ? `${time}:${two((t % minute) / 1000)}` : time;
}

/** Interventions as numbered lines, and outages as shade; the page lists what the numbers stand for. */
export function interventionMarks(marks: readonly Mark[], endMs: number): Plot.Markish[] {
  const numbered = marks.map((mark, index) => ({ ...mark, number: String(index + 1) }));
  const lasting = numbered.flatMap((mark) =>
    mark.endMs === null ? [] : [{ ...mark, endMs: Math.min(mark.endMs, endMs) }],
  );
  return [
    Plot.rectX(lasting, { x1: "t", x2: "endMs", fill: "currentColor", fillOpacity: 0.12 }),
    Plot.ruleX(numbered, { x: "t", stroke: "currentColor", strokeWidth: 1.5, strokeDasharray: "3 2" }),
    Plot.text(numbered, { x: "t", text: "number", frameAnchor: "top", dy: -12, fontWeight: 600 }),
  ];
}

/** Windows with few events as grey over what they show. */
export function thinWindows(windows: readonly TrafficWindow[], measure: TrafficMeasure): Plot.Markish {
  const thin = windows.filter((window) => totalOf(window, measure) < thinWindow);
  return Plot.rectX(thin, { x1: "startMs", x2: "endMs", fill: "var(--paper)", fillOpacity: 0.65 });
}
