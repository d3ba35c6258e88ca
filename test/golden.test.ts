import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answerParse, kprKpc, qaF1, qaF1Dataset, quality } from "./metrics/golden/answers.ts";
import type { Check, Json } from "./metrics/golden/comparison.ts";
import { concentrationChecks } from "./metrics/golden/concentration.ts";
import { bootstrap, meanCi, pairedCi, tDistribution } from "./metrics/golden/inference.ts";
import { ranking, rankingAggregate, rankingPaperList } from "./metrics/golden/ranking.ts";
import { kendallChecks, powerlawValues, rbo, zipfRank } from "./metrics/golden/ranks.ts";
import { geoCitations, geoScores, geoTable, geoText } from "./metrics/golden/visibility.ts";

/** The check of each kind of case, by golden file. CONVENTIONS.md beside the files says what the values mean. */
const checks: Record<string, Record<string, Check>> = {
  answer_parse: answerParse,
  bootstrap,
  concentration: concentrationChecks,
  geo_citations: geoCitations,
  geo_scores: geoScores,
  geo_table: geoTable,
  geo_text: geoText,
  kendall: kendallChecks,
  kpr_kpc: kprKpc,
  mean_ci: meanCi,
  paired_ci: pairedCi,
  powerlaw_values: powerlawValues,
  qa_f1: qaF1,
  qa_f1_dataset: qaF1Dataset,
  quality,
  ranking,
  ranking_aggregate: rankingAggregate,
  ranking_paper_list: rankingPaperList,
  rbo,
  t_distribution: tDistribution,
  zipf_rank: zipfRank,
};

const directory = process.env["AWESIM_GOLDEN_DIR"] ?? join(import.meta.dirname, "golden");
const files = readdirSync(directory)
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.slice(0, -".json".length));

test("every golden file is known, and none is missing", () => {
  const required = process.env["AWESIM_GOLDEN_DIR"] === undefined ? Object.keys(checks) : files;
  expect(files.toSorted()).toEqual(required.toSorted());
  expect(files.filter((file) => checks[file] === undefined)).toEqual([]);
  expect(files).not.toEqual([]);
});

describe.each(files)("%s", (file) => {
  const { cases } = JSON.parse(readFileSync(join(directory, `${file}.json`), "utf8")) as { cases: Json[] };

  test.each(cases.map((item): [string, Json] => [`${item.kind}: ${item.name}`, item]))("%s", (_, item) => {
    const check = checks[file]?.[item.kind];
    if (check === undefined) throw new Error(`no check for the kind "${item.kind}" of ${file}.json`);
    check(item.input, item.expected);
  });
});
