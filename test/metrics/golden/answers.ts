import {
  answerTokens,
  criterionQuality,
  exactMatch,
  f1,
  f1OfPair,
  hotpotF1,
  keyPointRates,
  meanKeyPointRates,
  meanOverTopics,
  Moments,
  normalizeAnswer,
  parseAnswerIds,
  QUALITY_CRITERIA,
  reportQuality,
  squad11ExactMatch,
  squad11F1,
} from "../../../src/metrics/index.ts";
import { expect } from "vitest";
import { type Check, expectClose, type Json, sameForAll } from "./comparison.ts";

const checkAnswerIds: Check = ({ answer }, expected) => expect(parseAnswerIds(answer)).toEqual(expected.doc_ids);

const checkF1: Check = ({ prediction, golds }, expected) => {
  const got: Json = {
    normalized_pred: normalizeAnswer(prediction),
    pred_tokens: answerTokens(prediction),
    normalized_golds: golds.map(normalizeAnswer),
    squad2: { f1: f1(prediction, golds), em: exactMatch(prediction, golds) },
    squad2_pairwise_f1: golds.map((gold: string) => f1OfPair(prediction, gold)),
  };
  const { squad11, hotpot, ...rest } = expected;
  expectClose(got, rest);
  if (squad11 !== null) {
    expectClose({ f1: squad11F1(prediction, golds), em: squad11ExactMatch(prediction, golds) }, squad11);
  }
  if (hotpot !== null) expectClose({ f1: hotpotF1(prediction, golds) }, hotpot);
};

const percent = (share: number | null) => (share === null ? null : 100 * share);

const checkF1OfDataset: Check = ({ items }, expected) => {
  const topics = items.map((_: Json, i: number) => String(i));
  const mean = (measure: (prediction: string, golds: string[]) => number, missing: "zero" | "skip") => {
    const values = new Map<string, number>();
    items.forEach(({ prediction, golds }: Json, i: number) => {
      if (prediction !== null) values.set(String(i), measure(prediction, golds));
    });
    return meanOverTopics(values, topics, missing);
  };
  const answered = mean(f1, "skip");
  const all = mean(f1, "zero");
  expectClose(
    {
      squad2_answered_only: {
        exact: percent(mean(exactMatch, "skip").mean),
        f1: percent(answered.mean),
        total: answered.n,
      },
      over_all_items: { f1: percent(all.mean), em: percent(mean(exactMatch, "zero").mean), total: all.n },
    },
    expected,
  );
};

const checkKeyPoints: Check = ({ queries }, expected) => {
  const rates = queries.map(({ labels }: Json) =>
    keyPointRates(labels.map(({ point_number, label }: Json) => ({ point: point_number, label }))),
  );
  const inPercent = (of: Json) =>
    of === null
      ? null
      : { kpr: 100 * of.kpr, omitted: 100 * of.omitted, kpc: 100 * of.kpc, num_points: of.points, num_queries: of.n };
  const got: Json = {
    per_query: Object.fromEntries(queries.map(({ query_id }: Json, i: number) => [query_id, inPercent(rates[i])])),
    average: inPercent(meanKeyPointRates(rates)),
    average_excluding_empty: inPercent(meanKeyPointRates(rates, "skip")),
  };
  const { error, ...values } = expected;
  if (error === undefined) expectClose(got, values);
  // Where the reference divides by zero there is no average here.
  else expect(got.average).toBeNull();
};

const checkQuality: Check = ({ ratings }, expected) => {
  const reports = ratings.map(({ scores }: Json) => scores);
  const perQuery: Json = Object.fromEntries(
    ratings.map(({ query_id, scores }: Json) => [query_id, percent(reportQuality(scores))]),
  );
  // The reference writes 0 where nothing was rated; here that is null.
  const perCriterion = QUALITY_CRITERIA.map((criterion): [string, Json] => {
    const { mean, n } = criterionQuality(reports, criterion);
    expect(mean === null).toBe(n === 0);
    return [criterion, { mean_rating: 10 * (mean ?? 0), normalized: 100 * (mean ?? 0), count: n }];
  });
  expectClose(
    {
      per_query_normalized: perQuery,
      average_normalized: new Moments(Object.values(perQuery) as number[]).mean ?? 0,
      per_criterion: Object.fromEntries(perCriterion),
    },
    expected,
  );
};

export const answerParse = sameForAll(["json", "not-list-json", "fallback", "empty"], checkAnswerIds);

export const qaF1 = sameForAll(
  ["articles", "punct", "unicode", "empty", "yesno", "overlap", "multi-gold", "random"],
  checkF1,
);

export const qaF1Dataset = sameForAll(["all-answered", "missing", "none"], checkF1OfDataset);

export const kprKpc = sameForAll(
  ["simple", "macro", "empty-points", "no-queries", "dup-points", "unknown-label", "random"],
  checkKeyPoints,
);

export const quality = sameForAll(["full", "partial", "none"], checkQuality);
