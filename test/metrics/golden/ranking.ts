import { expect } from "vitest";
import {
  type Grades,
  type ScoredId,
  binaryGrades,
  distinctIds,
  exponentialGain,
  meanOverTopics,
  ndcg,
  rankByScore,
  rankStrictly,
  recall,
  releasedNdcg,
  releasedRecall,
} from "../../../src/metrics/index.ts";
import { type Check, type Json, atCutoffs, expectClose, sameForAll } from "./comparison.ts";

const gradesOf = (qrels: Record<string, number>): Grades => new Map(Object.entries(qrels));
const relevantOf = (qrels: Record<string, number>) => Object.keys(qrels).filter((id) => (qrels[id] as number) > 0);

function trecEval(order: string[], grades: Grades, ks: number[]): Json {
  return {
    order,
    ndcg: atCutoffs(ks, (k) => ndcg(order, grades, k)),
    recall: atCutoffs(ks, (k) => recall(order, grades, k)),
  };
}

function released(order: string[], relevant: string[], ks: number[]): Json {
  return {
    ndcg: atCutoffs(ks, (k) => releasedNdcg(order, relevant, k)),
    recall: atCutoffs(ks, (k) => releasedRecall(order, relevant, k)),
  };
}

const checkRanking: Check = ({ qrels, run, ks }, expected) => {
  const grades = gradesOf(qrels);
  const order = rankByScore(run);
  if (expected.trec_eval.error !== undefined) expect(() => rankStrictly(run)).toThrow(/twice/);
  else expectClose(trecEval(rankStrictly(run), grades, ks), expected.trec_eval);
  if (expected.dedup_first !== undefined) expectClose(trecEval(distinctIds(order), grades, ks), expected.dedup_first);
  if (expected.trec_eval_9_float32_scores !== undefined) {
    const rounded = run.map(({ id, score }: ScoredId) => ({ id, score: Math.fround(score) }));
    expectClose(trecEval(rankStrictly(rounded), grades, ks), expected.trec_eval_9_float32_scores);
  }
  expectClose(
    atCutoffs(ks, (k) => ndcg(order, grades, k, exponentialGain)),
    expected.exp_gain_ndcg,
  );
  expectClose(released(order, relevantOf(qrels), ks), expected.paper_binary);
};

const checkPaperList: Check = ({ gt_docs, pred_docs, ks }, expected) => {
  expectClose(released(pred_docs, gt_docs, ks), expected.paper);
  const grades = binaryGrades(gt_docs);
  expectClose(
    {
      ndcg: atCutoffs(ks, (k) => ndcg(pred_docs, grades, k)),
      recall: atCutoffs(ks, (k) => recall(pred_docs, grades, k)),
    },
    expected.dedup,
  );
};

const checkAggregate: Check = ({ qrels, runs, ks }, expected) => {
  const topics = Object.keys(qrels);
  const order = (topic: string) => rankByScore(runs[topic]);
  const mean = (present: string[], score: (topic: string) => number, missing: "zero" | "skip") =>
    meanOverTopics(new Map(present.map((topic) => [topic, score(topic)])), topics, missing);
  const aggregate = (
    present: string[],
    missing: "zero" | "skip",
    count: string,
    ndcgAt: (topic: string, k: number) => number,
    recallAt: (topic: string, k: number) => number,
  ): Json => ({
    [count]: mean(present, () => 0, missing).n,
    ndcg: atCutoffs(ks, (k) => mean(present, (topic) => ndcgAt(topic, k), missing).mean as number),
    recall: atCutoffs(ks, (k) => mean(present, (topic) => recallAt(topic, k), missing).mean as number),
  });
  const judgedRuns = Object.keys(runs).filter((topic) => topic in qrels);
  const withLines = judgedRuns.filter((topic) => runs[topic].length > 0);
  const trecNdcg = (topic: string, k: number) => ndcg(order(topic), gradesOf(qrels[topic]), k);
  const trecRecall = (topic: string, k: number) => recall(order(topic), gradesOf(qrels[topic]), k);
  expectClose(aggregate(withLines, "zero", "num_q", trecNdcg, trecRecall), expected.trec_eval_c);
  expectClose(aggregate(withLines, "skip", "num_q", trecNdcg, trecRecall), expected.trec_eval_9_without_c);
  expectClose(
    aggregate(
      judgedRuns,
      "skip",
      "num_evaluated",
      (topic, k) => releasedNdcg(order(topic), relevantOf(qrels[topic]), k),
      (topic, k) => releasedRecall(order(topic), relevantOf(qrels[topic]), k),
    ),
    expected.paper,
  );
};

export const ranking = sameForAll(
  ["ties", "unicode", "unjudged", "graded", "norel", "short", "scores", "duplicates", "random-large", "random-small"],
  checkRanking,
);

export const rankingPaperList = sameForAll(
  ["basic", "multi-gt", "empty", "dup-pred", "dup-gt", "unicode", "random"],
  checkPaperList,
);

export const rankingAggregate = sameForAll(
  ["complete", "missing", "empty-run", "extra-topic", "norel-topic"],
  checkAggregate,
);
