import * as Plot from "@observablehq/plot";
import { lorenzCurve } from "../../metrics/concentration.ts";
import type { SiteCounts, Traffic, TrafficMeasure, TrafficWindow } from "../../statistics/traffic.ts";
import { type Mark, totalOf, windowConcentration } from "../record/traffic-history.ts";
import { thinWindow } from "../../statistics/concentration-windows.ts";
import { clockText, shareText } from "../units.ts";
import { type Chart, draw } from "./draw.ts";
import { interventionMarks, timeAxis } from "./time-axis.ts";

const measures = ["citations", "contacts"] as const satisfies readonly TrafficMeasure[];
const colours: Readonly<Record<string, string>> = { citations: "var(--c0)", contacts: "var(--c1)" };

/** The effective number of sites, window by window; windows with few events are left out, and grey. */
export function concentrationOverTime(
  windows: readonly TrafficWindow[],
  sites: readonly string[],
  marks: readonly Mark[],
): Chart | null {
  const points = measures.flatMap((measure) =>
    windows.map((window) => {
      const value = windowConcentration(window, measure, sites);
      return {
        measure,
        startMs: window.startMs,
        endMs: window.endMs,
        t: (window.startMs + window.endMs) / 2,
        effective: value?.effectiveSites ?? null,
        hhi: value?.hhiUnbiased ?? null,
        gini: value?.gini ?? null,
        n: totalOf(window, measure),
      };
    }),
  );
  const shown = points.filter(({ effective }) => effective !== null);
  if (shown.length < 2) return null;
  const [startMs, endMs] = [windows[0]?.startMs ?? 0, windows.at(-1)?.endMs ?? 0];
  const most = Math.max(...shown.map(({ effective }) => effective as number));
  const thin = windows.filter((window) => totalOf(window, "citations") < thinWindow);
  const last = measures.flatMap((measure) => shown.filter((point) => point.measure === measure).at(-1) ?? []);
  const description = `Effective number of sites in ${windows.length} windows: ${measures
    .flatMap((measure) => {
      const values = shown.filter((point) => point.measure === measure).map(({ effective }) => effective as number);
      return values.length === 0
        ? []
        : [`${measure} from ${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`];
    })
    .join(", ")}.`;
  const svg = draw(
    {
      width: 560,
      height: 300,
      marginTop: 26,
      marginRight: 70,
      x: timeAxis(startMs, endMs),
      y: { domain: [0, most * 1.1], label: null, grid: true, ticks: 5 },
      marks: [
        Plot.rectX(thin, { x1: "startMs", x2: "endMs", fill: "var(--thin)", fillOpacity: 0.25 }),
        ...interventionMarks(marks, endMs),
        Plot.lineY(points, { x: "t", y: "effective", z: "measure", stroke: colourOf, strokeWidth: 2 }),
        Plot.dot(shown, { x: "t", y: "effective", fill: colourOf, r: 3 }),
        Plot.text(last, {
          x: "t",
          y: "effective",
          text: "measure",
          dx: 8,
          textAnchor: "start",
          fill: colourOf,
          fontWeight: 600,
        }),
        Plot.ruleY([0]),
      ],
    },
    description,
  );
  return {
    id: "concentration-over-time",
    title: "Effective number of sites over time",
    description,
    drawings: [{ name: "", svg }],
    columns: ["measure", "window", "events", "effective sites", "unbiased HHI", "Gini"],
    rows: points.map(({ measure, startMs: start, n, effective, hhi, gini }) => [
      measure,
      clockText(start),
      n,
      rounded(effective),
      rounded(hhi),
      rounded(gini),
    ]),
  };
}

/** Cumulated shares of citations and contacts over all declared sites, the least busy first. */
export function lorenz(traffic: Traffic, sites: readonly string[]): Chart | null {
  const points = measures.flatMap((measure) =>
    (lorenzCurve(sites.map((site) => countOf(traffic[measure], site))) ?? []).map(([share, events]) => ({
      measure,
      share,
      events,
    })),
  );
  if (points.length === 0) return null;
  const present = measures.filter((measure) => points.some((point) => point.measure === measure));
  const half = present.map((measure) => {
    const lower = points.filter((point) => point.measure === measure && point.share <= 0.5).at(-1);
    return `the less busy half of the sites has ${shareText(lower?.events ?? 0)} of the ${measure}`;
  });
  const description = `Lorenz curve over ${sites.length} sites: ${half.join(", ")}.`;
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  const labels = present.flatMap((measure, index) => {
    const own = points.filter((point) => point.measure === measure);
    const point = own[Math.floor(own.length * (index === 0 ? 0.6 : 0.75))];
    return point === undefined ? [] : [{ ...point, below: index === 0 }];
  });
  const svg = draw(
    {
      width: 340,
      height: 300,
      marginLeft: 48,
      marginBottom: 42,
      x: {
        domain: [0, 1],
        label: "sites, the least busy first",
        labelAnchor: "center",
        labelArrow: "none",
        tickFormat: percent,
        ticks: 4,
      },
      y: { domain: [0, 1], label: null, tickFormat: percent, ticks: 4, grid: true },
      marks: [
        Plot.link([0], { x1: 0, y1: 0, x2: 1, y2: 1, stroke: "var(--thin)", strokeDasharray: "4 3" }),
        Plot.lineY(points, { x: "share", y: "events", z: "measure", stroke: colourOf, strokeWidth: 2 }),
        ...[true, false].map((below) =>
          Plot.text(
            labels.filter((label) => label.below === below),
            {
              x: "share",
              y: "events",
              text: "measure",
              dx: below ? 8 : -8,
              dy: below ? 8 : -4,
              textAnchor: below ? "start" : "end",
              fill: colourOf,
              fontWeight: 600,
            },
          ),
        ),
      ],
    },
    description,
  );
  return {
    id: "lorenz",
    title: "Lorenz curve",
    description,
    drawings: [{ name: "", svg }],
    columns: ["measure", "share of sites", "share of events"],
    rows: points.map(({ measure, share, events }) => [measure, rounded(share), rounded(events)]),
  };
}

function colourOf({ measure }: { readonly measure: string }): string {
  return colours[measure] as string;
}

function countOf(counts: SiteCounts, site: string): number {
  return counts.get(site) ?? 0;
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e4) / 1e4;
}
