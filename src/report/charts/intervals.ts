import * as Plot from "@observablehq/plot";
import type { ReportedGroup } from "../metrics-json.ts";
import { assistantName } from "../record/names.ts";
import { numberText } from "../units.ts";
import { type Chart, type Drawing, draw } from "./draw.ts";
import type { AssistantColours } from "./assistant-colours.ts";

/** Means with their intervals: a small drawing a measure, a row a group in each. Null where no measure has a mean. */
export function intervalChart(
  id: string,
  title: string,
  groups: readonly ReportedGroup[],
  measures: readonly string[],
  colours: AssistantColours,
): Chart | null {
  const shown = measures.filter((name) => groups.some((group) => typeof group.measures[name]?.mean === "number"));
  if (shown.length === 0) return null;
  return {
    id,
    title,
    description: `${title}: ${shown.join(", ")} with 95 % intervals for ${groups.map(assistantName).join("; ")}.`,
    drawings: shown.map((name) => drawing(name, groups, colours)),
    columns: ["assistant", "measure", "mean", "low", "high", "n", "interval"],
    rows: groups.flatMap((group) =>
      shown.map((name) => {
        const { mean, low, high, n, method } = group.measures[name] ?? none;
        return [assistantName(group), name, rounded(mean), rounded(low), rounded(high), n, method];
      }),
    ),
  };
}

const none = { mean: null, low: null, high: null, n: 0, method: null };

function drawing(measure: string, groups: readonly ReportedGroup[], colours: AssistantColours): Drawing {
  const points = groups.flatMap((group, index) => {
    const interval = group.measures[measure];
    if (interval === null || interval === undefined || interval.mean === null) return [];
    const { mean, low, high } = interval;
    const label = numberText(mean, measure);
    return [
      {
        row: String(index),
        colour: colours(group),
        index,
        mean: scaled(mean, measure),
        low: scaled(low ?? mean, measure),
        high: scaled(high ?? mean, measure),
        label,
      },
    ];
  });
  const most = Math.max(...points.map(({ high }) => high), 1e-9);
  const description = `${measure}: ${points.map(({ index, label }) => `${assistantName(groups[index] as ReportedGroup)} ${label}`).join("; ")}.`;
  const svg = draw(
    {
      width: 280,
      height: 42 + 26 * groups.length,
      marginLeft: 16,
      marginRight: 52,
      marginTop: 6,
      marginBottom: 28,
      x: {
        domain: [0, most * 1.05],
        label: null,
        ticks: 4,
        grid: true,
        tickFormat: (value: number) => String(+value.toPrecision(3)),
      },
      y: { type: "point", padding: 0.5, domain: groups.map((_, index) => String(index)), axis: null },
      marks: [
        Plot.ruleX([0]),
        Plot.ruleY(points, {
          y: "row",
          x1: "low",
          x2: "high",
          stroke: "colour",
          strokeWidth: 3,
          strokeOpacity: 0.55,
        }),
        Plot.dot(points, { y: "row", x: "mean", fill: "colour", r: 4.5 }),
        Plot.text(points, {
          y: "row",
          text: "label",
          frameAnchor: "right",
          dx: 48,
          textAnchor: "end",
          fontVariant: "tabular-nums",
        }),
      ],
    },
    description,
  );
  return { name: measure, svg };
}

/** Durations are drawn in seconds. */
function scaled(value: number, measure: string): number {
  return measure.endsWith("Ms") ? value / 1000 : value;
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e5) / 1e5;
}
