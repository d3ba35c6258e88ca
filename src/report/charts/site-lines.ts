import * as Plot from "@observablehq/plot";
import type { TrafficWindow } from "../../statistics/traffic.ts";
import { shareText } from "../units.ts";
import { draw } from "./draw.ts";
import { timeAxis } from "./time-axis.ts";
import { shareIn } from "./traffic-over-time.ts";

/** A site's share of citations over time, small enough for a row of a table. */
export function sparkline(windows: readonly TrafficWindow[], site: string): string {
  const points = windows.map((window) => ({ t: window.startMs, share: shareIn(window, "citations", site) }));
  const [first, last] = [points[0]?.share ?? 0, points.at(-1)?.share ?? 0];
  return draw(
    {
      width: 96,
      height: 22,
      margin: 2,
      axis: null,
      x: { domain: [windows[0]?.startMs ?? 0, windows.at(-1)?.endMs ?? 1] },
      y: { domain: [0, Math.max(...points.map(({ share }) => share), 1e-9)] },
      marks: [
        Plot.areaY(points, { x: "t", y: "share", fill: "var(--c0)", fillOpacity: 0.2 }),
        Plot.lineY(points, { x: "t", y: "share", stroke: "var(--c0)", strokeWidth: 1.5 }),
      ],
    },
    `From ${shareText(first)} to ${shareText(last)} of the citations.`,
  );
}

/** A site's shares of citations and of contacts over time. */
export function siteLines(windows: readonly TrafficWindow[], site: string): string {
  const points = (["citations", "contacts"] as const).flatMap((measure) =>
    windows.map((window) => ({
      measure,
      t: (window.startMs + window.endMs) / 2,
      share: shareIn(window, measure, site),
    })),
  );
  return draw(
    {
      width: 440,
      height: 130,
      marginLeft: 46,
      marginTop: 8,
      x: timeAxis(windows[0]?.startMs ?? 0, windows.at(-1)?.endMs ?? 1),
      y: {
        label: null,
        ticks: 3,
        grid: true,
        domain: [0, Math.max(...points.map(({ share }) => share), 0.001)],
        tickFormat: (share: number) => `${+(share * 100).toFixed(2)} %`,
      },
      marks: [
        Plot.lineY(points, {
          x: "t",
          y: "share",
          z: "measure",
          stroke: ({ measure }: { measure: string }) => (measure === "citations" ? "var(--c0)" : "var(--c1)"),
          strokeWidth: 2,
        }),
        Plot.ruleY([0]),
      ],
    },
    `Shares of ${site} over time: citations in blue, contacts in orange.`,
  );
}
