import * as Plot from "@observablehq/plot";
import type { AssistantTraffic } from "../record/site-ledger.ts";
import { assistantName } from "../record/names.ts";
import { type Chart, draw } from "./draw.ts";
import { assistantColours } from "./assistant-colours.ts";

const mostSites = 15;
const mostAssistants = 5;

/**
 * Who cites whom: the shares of the most cited sites, assistant beside assistant, as the paper's figures 2 and 5 do.
 * @param sites the most cited first
 */
export function assistantShares(assistants: readonly AssistantTraffic[], sites: readonly string[]): Chart | null {
  const compared = assistants
    .filter(({ citations }) => citations.size > 0)
    .sort((a, b) => b.queries - a.queries)
    .slice(0, mostAssistants)
    .sort((a, b) => (assistantName(a) < assistantName(b) ? -1 : 1));
  const colours = assistantColours(assistants);
  if (compared.length < 2) return null;
  const totals = compared.map(({ citations }) => [...citations.values()].reduce((sum, count) => sum + count, 0));
  const shown = sites.slice(0, mostSites);
  const bars = shown.flatMap((site) =>
    compared.map((assistant, index) => ({
      site,
      assistant: assistantName(assistant),
      colour: colours(assistant),
      share: (assistant.citations.get(site) ?? 0) / (totals[index] as number),
    })),
  );
  const description = `Share of citations of the ${shown.length} most cited sites for ${compared.map(assistantName).join(", ")}.`;
  const svg = draw(
    {
      width: 920,
      height: 40 + shown.length * (8 + 9 * compared.length),
      marginLeft: 220,
      marginTop: 24,
      marginBottom: 8,
      marginRight: 60,
      x: {
        axis: "top",
        label: null,
        grid: true,
        ticks: 6,
        tickFormat: (share: number) => `${+(share * 100).toFixed(1)} %`,
      },
      y: { axis: null, padding: 0.05, domain: compared.map(assistantName) },
      fy: { label: null, domain: shown, padding: 0.2, axis: "left" },
      marks: [
        Plot.barX(bars, {
          x: "share",
          y: "assistant",
          fy: "site",
          fill: "colour",
        }),
        Plot.ruleX([0]),
      ],
    },
    description,
  );
  return {
    id: "citations-by-assistant",
    title: "Who cites whom",
    description,
    drawings: [{ name: "", svg }],
    columns: ["site", ...compared.map(assistantName)],
    rows: [
      ...sites.map((site) => [
        site,
        ...compared.map(({ citations }, index) => rounded((citations.get(site) ?? 0) / (totals[index] as number))),
      ]),
      ["citations", ...totals],
      ["queries", ...compared.map(({ queries }) => queries)],
    ],
  };
}

function rounded(share: number): number {
  return Math.round(share * 1e5) / 1e5;
}
