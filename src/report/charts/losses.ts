import * as Plot from "@observablehq/plot";
import { lossStages } from "../loss-stages.ts";
import type { ReportedGroup } from "../metrics-json.ts";
import { assistantName } from "../record/names.ts";
import { type Chart, draw } from "./draw.ts";

/** The colours of the stages, and of queries that lost nothing. */
export const lossColours = ["var(--c5)", "var(--c1)", "var(--c7)", "var(--c6)"] as const;
export const foundColour = "var(--c2)";

/** Narrower parts of a bar have no room for their share. */
const widestUnlabelled = 0.045;

/** The groups whose losses are known. */
export function groupsWithLosses(groups: readonly ReportedGroup[]): ReportedGroup[] {
  return groups.filter(({ measures }) => (measures["lossNotRanked"]?.n ?? 0) > 0);
}

/** Where relevant pages are lost on the way into the answer: a bar a group, whose parts sum to all its queries. */
export function lossChart(groups: readonly ReportedGroup[]): Chart | null {
  const own = groupsWithLosses(groups);
  if (own.length === 0) return null;
  const rows = own.map((group) => {
    const losses = lossStages.map(({ measure }) => group.measures[measure]?.mean ?? 0);
    return { name: rowName(group), losses, found: 1 - losses.reduce((sum, share) => sum + share, 0) };
  });
  const parts = rows.flatMap(({ name, losses, found }) => [
    { row: name, part: "found", share: found, colour: foundColour },
    ...lossStages
      .map((stage, index) => ({
        row: name,
        part: stage.name,
        share: losses[index] as number,
        colour: lossColours[index] as string,
      }))
      .reverse(),
  ]);
  const description = `Where relevant pages are lost: ${rows.map(({ name, found }) => `${name}, ${percent(found)} found`).join("; ")}.`;
  const svg = draw(
    {
      width: 920,
      height: 34 + 48 * rows.length,
      marginLeft: 14,
      marginRight: 22,
      marginTop: 2,
      marginBottom: 26,
      x: { domain: [0, 1], label: null, ticks: 5, tickFormat: percent },
      fy: { domain: rows.map(({ name }) => name), axis: null, padding: 0 },
      marks: [
        Plot.text(rows, { fy: "name", text: "name", frameAnchor: "top-left", dy: 4, dx: 0, fontWeight: 600 }),
        Plot.barX(parts, {
          fy: "row",
          x: "share",
          fill: "colour",
          insetTop: 22,
          insetBottom: 4,
          insetRight: 0.5,
          insetLeft: 0.5,
        }),
        Plot.text(
          parts,
          Plot.stackX({
            fy: "row",
            x: "share",
            text: ({ share }: { share: number }) => (share >= widestUnlabelled ? percent(share) : ""),
            fill: "var(--paper)",
            dy: 9,
            fontWeight: 600,
          }),
        ),
      ],
    },
    description,
  );
  return {
    id: "losses",
    title: "Where relevant pages are lost",
    description,
    drawings: [{ name: "", svg }],
    columns: ["task, assistant", "stage", "share of queries", "low", "high", "n", "interval"],
    rows: own.flatMap((group, index) => [
      [rowName(group), "found", rounded((rows[index] as { found: number }).found), null, null, group.n, null],
      ...lossStages.map(({ measure, name }) => {
        const interval = group.measures[measure];
        return [
          rowName(group),
          name,
          rounded(interval?.mean ?? null),
          rounded(interval?.low ?? null),
          rounded(interval?.high ?? null),
          interval?.n ?? 0,
          interval?.method ?? null,
        ];
      }),
    ]),
  };
}

function rowName(group: ReportedGroup): string {
  return `${group.task}: ${assistantName(group)}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e5) / 1e5;
}
