import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { csvLine } from "../csv.ts";
import type { Comparison } from "./compare.ts";
import { comparisonJson } from "./comparison-json.ts";
import { comparisonPage } from "./markdown.ts";
import type { Timelines } from "./timelines.ts";

/** @internal */
export const shareColumns = ["site", "measure", "baselineShare", "variantShare", "difference", "low", "high", "n"];
/** @internal */
export const diversionColumns = ["site", "observed", "proportional"];
/** @internal */
export const changeColumns = [
  "replication",
  "query",
  "topic",
  "task",
  "strategy",
  "model",
  "baselineOutcome",
  "variantOutcome",
];

/** Writes a comparison's files into a directory; returns the page and what comparison.json holds. */
export function writeComparison(
  directory: string,
  comparison: Comparison,
  timelines: readonly Timelines[],
): { readonly page: string; readonly json: unknown } {
  const json = comparisonJson(comparison);
  const page = comparisonPage(comparison, timelines);
  const write = (name: string, text: string): void => writeFileSync(join(directory, name), text);
  write("comparison.json", `${JSON.stringify(json, null, 1)}\n`);
  write("comparison.md", page);
  write("shares.csv", sharesCsv(comparison));
  write("diversion.csv", diversionCsv(comparison));
  write("changed-queries.csv", changedCsv(comparison));
  return { page, json };
}

function sharesCsv({ sites }: Comparison): string {
  const rows = sites.map(({ site, measure, baselineShare, variantShare, difference: { mean, low, high, n } }) =>
    csvLine([site, measure, baselineShare, variantShare, mean, low, high, n]),
  );
  return csvLine(shareColumns) + rows.join("");
}

function diversionCsv({ diversion }: Comparison): string {
  const rows = (diversion?.to ?? []).map(({ site, observed, proportional }) => csvLine([site, observed, proportional]));
  return csvLine(diversionColumns) + rows.join("");
}

function changedCsv({ pairs }: Comparison): string {
  let text = csvLine(changeColumns);
  for (const { baseline, variant } of pairs) {
    const others = new Map(variant.queries.map((query) => [query.query, query]));
    for (const { query, topic, task, strategy, model, outcome } of baseline.queries) {
      const other = others.get(query);
      if (other === undefined || other.outcome === outcome) continue;
      text += csvLine([baseline.run.replication, query, topic, task, strategy, model, outcome, other.outcome]);
    }
  }
  return text;
}
