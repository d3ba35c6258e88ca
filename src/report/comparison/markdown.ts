import { markdownTable } from "../markdown.ts";
import type { Comparison } from "./compare.ts";
import { answerSentence, mainChanges, percent, points, signed } from "./sentence.ts";
import type { ConcentrationChange } from "./site-shares.ts";
import type { Timelines } from "./timelines.ts";

const sitesShown = 12;

/** A comparison in words and tables; the answer first. */
export function comparisonPage(comparison: Comparison, timelines: readonly Timelines[]): string {
  const { pairs, notices, varianceReduction, tapeCoverage } = comparison;
  const run = pairs[0]?.baseline.run;
  return [
    `# What if: ${comparison.change.text}`,
    "",
    answerSentence(comparison),
    "",
    `Baseline and variant of ${run?.scenario}, seed ${run?.seed}, ${pairs.length} ${pairs.length === 1 ? "replication" : "replications"} on common random numbers. ${intervalsText(pairs.length)}`,
    "",
    "## Shares",
    "",
    ...shareTable(comparison),
    "",
    ...diversionTable(comparison),
    "## Quality",
    "",
    ...qualityTable(comparison),
    "",
    "## Concentration of citations",
    "",
    ...concentrationTable(comparison),
    "",
    "## Queries",
    "",
    ...queriesText(comparison),
    "",
    ...(varianceReduction === null
      ? []
      : [`Pairing reduces the variance of differences ${varianceReduction.toFixed(1)} times.`, ""]),
    ...(tapeCoverage === null
      ? []
      : [`${percent(tapeCoverage)} of the variant's model answers came from the tape.`, ""]),
    ...counterfactualText(comparison),
    ...timelines.flatMap(timelineText),
    ...notices.flatMap((notice) => [notice, ""]),
  ].join("\n");
}

function intervalsText(pairs: number): string {
  return pairs > 1
    ? "Intervals are 95 %, Student's, over the replications' paired differences."
    : "Intervals are 95 %, from a bootstrap of the topics of this one pair; --replications gives others.";
}

function shareTable({ sites, change }: Comparison): string[] {
  const of = (measure: string) => new Map(sites.filter((row) => row.measure === measure).map((row) => [row.site, row]));
  const [citations, contacts] = [of("citations"), of("contacts")];
  const about = new Set(change.sites);
  const shown = [...citations.values()]
    .sort(
      (a, b) =>
        Number(about.has(b.site)) - Number(about.has(a.site)) ||
        Math.abs(b.difference.mean ?? 0) - Math.abs(a.difference.mean ?? 0) ||
        (a.site < b.site ? -1 : 1),
    )
    .slice(0, sitesShown);
  return markdownTable(
    ["site", "citations before", "after", "difference", "contacts before", "after", "difference"],
    shown.map((row) => {
      const asked = contacts.get(row.site);
      return [
        row.site,
        percent(row.baselineShare),
        percent(row.variantShare),
        points(row.difference),
        ...(asked === undefined
          ? ["-", "-", "-"]
          : [percent(asked.baselineShare), percent(asked.variantShare), points(asked.difference)]),
      ];
    }),
  );
}

function diversionTable({ diversion, change }: Comparison): string[] {
  if (diversion === null) {
    return change.removed.length === 0 ? [] : ["Nothing was lost that could go elsewhere.", ""];
  }
  const rows = [...diversion.to]
    .sort((a, b) => b.observed - a.observed || (a.site < b.site ? -1 : 1))
    .slice(0, sitesShown)
    .map(({ site, observed, proportional }) => [site, percent(observed), percent(proportional)]);
  return [
    "## Diversion",
    "",
    `Where the ${diversion.measure} that ${diversion.removed.join(", ")} lost (${diversion.lost}) went, and where proportional diversion (independence of irrelevant alternatives) would have sent them.`,
    "",
    ...markdownTable(
      ["to", "observed", "proportional"],
      [...rows, ["nobody", percent(diversion.unserved), percent(0)]],
    ),
    "",
  ];
}

function qualityTable({ measures }: Comparison): string[] {
  const rows = mainChanges(measures).map(({ task, strategy, model, measure, baseline, variant, difference }) => [
    task,
    strategy,
    model ?? "none",
    measure,
    baseline?.toFixed(3) ?? "-",
    variant?.toFixed(3) ?? "-",
    signed(difference),
  ]);
  if (rows.length === 0) return ["No query is in both runs and scored."];
  return markdownTable(["task", "strategy", "model", "measure", "before", "after", "difference"], rows);
}

function concentrationTable({ concentration }: Comparison): string[] {
  const rows = (over: string, changes: readonly ConcentrationChange[]) =>
    changes.map(({ statistic, baseline, variant, difference }) => [
      over,
      statistic,
      baseline?.toFixed(4) ?? "-",
      variant?.toFixed(4) ?? "-",
      signed(difference),
    ]);
  return markdownTable(
    ["over", "statistic", "before", "after", "difference"],
    [...rows("all sites of both runs", concentration.union), ...rows("survivors", concentration.survivors)],
  );
}

function queriesText({ queries }: Comparison): string[] {
  const { paired, identical, neverMet, neverMetDiffering, unpaired, changed } = queries;
  const share = (n: number): string => (paired === 0 ? "" : ` (${percent(n / paired)})`);
  return [
    `${paired} queries are in both runs${unpaired === 0 ? "" : `, ${unpaired} in one only`}. ${identical}${share(identical)} are identical, and ${changed.length}${share(changed.length)} have another outcome or answer.`,
    ...(neverMet === null
      ? []
      : [
          `${neverMet} never met a changed site; ${neverMetDiffering} of these differ all the same${neverMetDiffering === 0 ? "" : ", by interaction: queues, memory, or the list of sites"}.`,
        ]),
  ];
}

function counterfactualText({ counterfactual, change }: Comparison): string[] {
  if (counterfactual === null) return [];
  const { kept, audited, violated, low, high, effects } = counterfactual;
  const ends = low === null || high === null ? "" : ` [${percent(low)}, ${percent(high)}]`;
  const rate =
    audited === 0 ? "none was asked again" : `${violated} of the ${audited} that were asked again differ${ends}`;
  const about = new Set(change.sites);
  const rows = [...effects]
    .sort(
      (a, b) =>
        Number(about.has(b.site)) - Number(about.has(a.site)) ||
        Math.abs(b.corrected) - Math.abs(a.corrected) ||
        (a.site < b.site ? -1 : 1),
    )
    .slice(0, sitesShown)
    .map(({ site, assumed, corrected }) => [site, pointsOf(assumed), pointsOf(corrected)]);
  return [
    "## Menu independence",
    "",
    `Assumed: a query that never met the changed site keeps its answers, though the list of sites in its prompts is another one. Of ${kept} such queries, ${rate}.`,
    "",
    ...(audited === 0
      ? []
      : [...markdownTable(["change of the share of citations", "as assumed", "corrected by the audit"], rows), ""]),
  ];
}

function pointsOf(difference: number): string {
  return `${(100 * difference).toFixed(2)} points`;
}

function timelineText({ query, baseline, variant }: Timelines): string[] {
  return [
    `### ${query}`,
    "",
    "Baseline:",
    "",
    "```text",
    ...baseline,
    "```",
    "",
    "Variant:",
    "",
    "```text",
    ...variant,
    "```",
    "",
  ];
}
