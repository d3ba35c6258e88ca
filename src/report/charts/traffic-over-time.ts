import * as Plot from "@observablehq/plot";
import type { TrafficMeasure, TrafficWindow } from "../../statistics/traffic.ts";
import { type Mark, totalOf } from "../record/traffic-history.ts";
import { clockText } from "../units.ts";
import { type Chart, draw } from "./draw.ts";
import { seriesColour, seriesColours } from "./palette.ts";
import { interventionMarks, thinWindows, timeAxis } from "./time-axis.ts";

/** The most points of all bands together: beyond, the least busy sites share one band. */
const mostPoints = 6000;
const mostBands = 100;
const mostTableSites = 100;

/**
 * Shares of traffic window by window, stacked: a band a site, the busiest below and in colour.
 * @param sites the busiest first; a band is marked with its place in this list
 */
export function trafficOverTime(
  measure: TrafficMeasure,
  windows: readonly TrafficWindow[],
  sites: readonly string[],
  marks: readonly Mark[],
): Chart | null {
  const seen = windows.filter((window) => totalOf(window, measure) > 0);
  if (seen.length === 0) return null;
  const [startMs, endMs] = [windows[0]?.startMs ?? 0, windows.at(-1)?.endMs ?? 0];
  const bands = Math.max(seriesColours, Math.min(mostBands, sites.length, Math.floor(mostPoints / windows.length)));
  const shown = sites.slice(0, bands);
  const shares = shown.map((site) => windows.map((window) => shareIn(window, measure, site)));
  const points = shares.flatMap((list, band) => steps(list, windows, band));
  if (shown.length < sites.length) {
    const rest = windows.map((window, index) =>
      totalOf(window, measure) === 0 ? 0 : 1 - shares.reduce((sum, list) => sum + (list[index] as number), 0),
    );
    points.push(...steps(rest, windows, shown.length));
  }
  const title = `Share of ${measure} over time`;
  const leaders = shown.slice(0, 3).join(", ");
  const description = `${title}: stacked by site, ${windows.length} windows; the busiest sites are ${leaders}.`;
  const svg = draw(
    {
      width: 920,
      height: 360,
      marginTop: 26,
      marginLeft: 52,
      x: timeAxis(startMs, endMs),
      y: { domain: [0, 1], label: null, tickFormat: (share: number) => `${Math.round(share * 100)} %`, ticks: 5 },
      marks: [
        Plot.areaY(points, {
          x: "t",
          y: "share",
          z: "band",
          fill: (point: Point) => seriesColour(point.band),
          stroke: "var(--paper)",
          strokeWidth: 0.4,
          curve: "step-after",
        }),
        thinWindows(windows, measure),
        ...interventionMarks(marks, endMs),
        Plot.ruleY([0]),
      ],
    },
    description,
    (shape, index) => shape.setAttribute("data-site", String(index)),
  );
  const listed = sites.slice(0, mostTableSites);
  return {
    id: `traffic-${measure}`,
    title,
    description,
    drawings: [{ name: "", svg }],
    columns: ["site", ...windows.map((window) => clockText(window.startMs))],
    rows: [
      ...listed.map((site) => [site, ...windows.map((window) => rounded(shareIn(window, measure, site)))]),
      [`all ${measure}`, ...windows.map((window) => rounded(totalOf(window, measure)))],
    ],
  };
}

interface Point {
  readonly t: number;
  readonly share: number;
  readonly band: number;
}

/** A window's share holds from its start to its end. */
function steps(shares: readonly number[], windows: readonly TrafficWindow[], band: number): Point[] {
  const points = windows.map(({ startMs }, index) => ({ t: startMs, share: shares[index] as number, band }));
  return [...points, { t: windows.at(-1)?.endMs ?? 0, share: shares.at(-1) ?? 0, band }];
}

export function shareIn(window: TrafficWindow, measure: TrafficMeasure, site: string): number {
  const total = totalOf(window, measure);
  return total === 0 ? 0 : (window.traffic[measure].get(site) ?? 0) / total;
}

function rounded(share: number): number {
  return Math.round(share * 1e4) / 1e4;
}
