import { describe, expect, test } from "vitest";
import type { Interval } from "../../src/metrics/intervals.ts";
import { calibrationTable } from "../../src/report/bench/calibration.ts";
import type { BenchCell } from "../../src/report/bench/cell.ts";
import { comparisons } from "../../src/report/bench/comparisons.ts";
import { benchMarkdown } from "../../src/report/bench/markdown.ts";
import { patternTable } from "../../src/report/bench/patterns.ts";
import { publishedResults, publishedTargets } from "../../src/report/bench/published.ts";
import { waterfall } from "../../src/report/bench/waterfall.ts";
import { uniform } from "../metrics/uniform.ts";

const models = ["surrogate/qwen3-4b", "surrogate/gemini-3-flash"];

function exactly(mean: number | null, n = 1): Interval {
  return { mean, low: mean, high: mean, n: mean === null ? 0 : n, method: "wilson", level: 0.95 };
}

interface Given extends Partial<BenchCell> {
  /** Of each topic. */
  readonly scores?: readonly number[];
  readonly losses?: readonly (string | null)[];
}

function cell({ scores = [], losses = [], ...given }: Given): BenchCell {
  const size = Math.max(scores.length, losses.length);
  const mean = size === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / size;
  const task = given.task ?? "web-search";
  return {
    task,
    strategy: "multi-agent",
    model: models[0] as string,
    retrieval: "dense",
    thinking: true,
    world: 1,
    replication: 0,
    n: size,
    judge: null,
    measures: { "ndcg@3": exactly(mean, size), lossNotRanked: exactly(losses.length === 0 ? null : 0, size) },
    topics: Array.from({ length: size }, (_, index) => ({
      topic: `t${index}`,
      task,
      strategy: "x",
      model: null,
      loss: losses[index] ?? null,
      values: { "ndcg@3": scores[index] ?? null },
    })),
    ...given,
  };
}

const scored = (strategy: string, score: number, more: Given = {}): BenchCell =>
  cell({ strategy, scores: [score], ...more });

describe("patterns", () => {
  const find = (cells: readonly BenchCell[], name: string) =>
    patternTable(cells, models).filter((pattern) => pattern.name === name);

  test("hold in the share of worlds and replications in which the means are in that order", () => {
    const worlds = [1, 2, 3, 4].flatMap((world) => [
      scored("classical", 0.5, { world }),
      scored("tool-p", world === 4 ? 0.6 : 0.4, { world }),
    ]);
    expect(find(worlds, "classical > tool-p")).toMatchObject([{ holds: 0.75, n: 4, note: null, model: models[0] }]);
  });

  test("a tie is not the order, and what is missing is said", () => {
    expect(find([scored("classical", 0.5), scored("tool-p", 0.5)], "classical > tool-p")).toMatchObject([
      { holds: 0, n: 1 },
    ]);
    expect(find([scored("classical", 0.5)], "classical > tool-p")).toMatchObject([
      { holds: null, n: 0, note: "not in this bench: tool-p" },
    ]);
  });

  test("about judged qualities need a judge", () => {
    const research = models.flatMap((model) =>
      ["tool-e", "classical"].map((strategy) => scored(strategy, 1, { task: "deep-research", model })),
    );
    const judged = patternTable(research, models).filter(({ task }) => task === "deep-research");
    expect(judged.map(({ measure, n, note }) => [measure, n, note])).toEqual([
      ["kpr", 0, "needs an LLM judge"],
      ["clarity", 0, "needs an LLM judge"],
      ["insight", 0, "needs an LLM judge"],
    ]);
  });

  test("the gap to the central index is compared from the weakest to the strongest model", () => {
    const gaps = [0.2, 0.1].flatMap((gap, index) => [
      scored("classical", 0.5, { model: models[index] as string }),
      scored("multi-agent", 0.5 - gap, { model: models[index] as string }),
    ]);
    const [narrows] = find(gaps, "classical - multi-agent narrows with a stronger model");
    expect(narrows).toMatchObject({ holds: 1, n: 1, model: null });
    const turned = patternTable(gaps, models.toReversed()).find(({ name }) => name === narrows?.name);
    expect(turned).toMatchObject({ holds: 0, n: 1 });
  });

  test("indexes are compared over cells without a model", () => {
    const cells = [
      { retrieval: "dense", score: 0.5 },
      { retrieval: "hybrid", score: 0.4 },
      { retrieval: "bm25", score: 0.3 },
    ].map(({ retrieval, score }) => scored("classic-ir", score, { retrieval, model: null, thinking: null }));
    expect(find(cells, "classic-ir: dense > hybrid > bm25")).toMatchObject([{ holds: 1, n: 1 }]);
    expect(find(cells.slice(1), "classic-ir: dense > hybrid > bm25")).toMatchObject([{ holds: null, n: 0 }]);
  });
});

describe("the waterfall", () => {
  const losses = ["notSelected", "notSelected", "notRetrieved", "notReturned", "notRanked", null, null, null];

  test("follows the topics that still have a relevant page", () => {
    const central = cell({
      strategy: "classic-ir",
      model: null,
      thinking: null,
      losses: losses.map((_, index) => (index < 2 ? "notRetrieved" : null)),
    });
    const stages = waterfall([central, cell({ losses })]);
    expect(stages.map(({ stage, recall, step }) => [stage, recall.mean, step?.mean ?? null])).toEqual([
      ["central index", 0.75, null],
      ["sites chosen", 0.75, 0],
      ["documents found", 0.625, -0.125],
      ["returned by content agents", 0.5, -0.125],
      ["ranked by the user agent", 0.375, -0.125],
    ]);
    for (const { recall, step } of stages) {
      expect(recall.n).toBe(8);
      if (step !== null) expect((step.high as number) - (step.low as number)).toBeGreaterThan(0.05);
    }
  });

  test("pools the topics of worlds and averages replications", () => {
    const again = losses.map((loss) => (loss === "notRanked" ? null : loss));
    const stages = waterfall([cell({ losses }), cell({ losses: again, replication: 1 }), cell({ losses, world: 2 })]);
    expect(stages.at(-1)?.recall).toMatchObject({ n: 16, mean: (3.5 + 3) / 16 });
  });
});

describe("paired comparisons", () => {
  const draw = (entity: string) => uniform(entity.length);

  test("are of what was decided on beforehand, on topics that both have", () => {
    const scores = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0];
    const cells = [
      cell({ scores: scores.map(() => 0) }),
      cell({ strategy: "classical", scores }),
      cell({ strategy: "random-sites", scores: scores.map(() => 0) }),
      cell({ strategy: "classic-ir", model: null, thinking: null, scores }),
    ];
    const found = comparisons(cells, draw);
    expect(found.map(({ a, b, n, difference }) => [a, b, n, difference.mean.toFixed(6)])).toEqual([
      ["classical", "multi-agent", 10, "0.800000"],
      ["random-sites", "multi-agent", 10, "0.000000"],
      ["classic-ir", "multi-agent", 10, "0.800000"],
    ]);
    for (const { p, adjustedP } of found) expect(adjustedP).toBeGreaterThanOrEqual(p);
    expect(found[0]?.p).toBeLessThan(0.02); // 2 of 2 ** 8 sign patterns are as far from 0
    expect(found[1]?.adjustedP).toBe(1);
  });

  test("say in how many worlds the difference has the same sign", () => {
    const worlds = [1, 2, 3].flatMap((world) => [
      cell({ strategy: "classical", world, scores: [world === 3 ? 0 : 1, 0.5] }),
      cell({ world, scores: [0.2, 0.2] }),
    ]);
    expect(comparisons(worlds, draw)[0]?.worlds).toMatchObject({ n: 3, sameSign: 3 });
    expect(comparisons(worlds.slice(0, 2), draw)[0]?.worlds).toEqual({ n: 1, sameSign: 1, sd: null });
  });
});

describe("published figures", () => {
  test("are fractions under our names, with their source", () => {
    const { source, rows } = publishedResults();
    expect(source).toContain("2604.10938");
    const dense = rows.filter(({ task, retrieval }) => task === "web-search" && retrieval === "dense");
    const row = dense.find(({ model, strategy }) => model === "Gemini-3-Flash" && strategy === "tool-e");
    expect(row?.measures).toEqual({ "ndcg@3": 0.3956, "ndcg@5": 0.4049, "recall@3": 0.4463, "recall@5": 0.4689 });
    const fractions = rows.flatMap(
      ({ measures: { turns: _, agents: __, requests: ___, contentTurns: ____, ...rest } }) => Object.values(rest),
    );
    expect(Math.max(...fractions)).toBeLessThanOrEqual(1);
  });

  test("of question answering are whole numbers of 53 questions: the table's 15.09 % is 8, and no 15.9 % is among them", () => {
    const { rows } = publishedResults();
    const shares = rows.flatMap(({ task, measures: { accuracy } }) =>
      task === "question-answering" && accuracy !== undefined ? accuracy : [],
    );
    expect(shares.length).toBeGreaterThan(20);
    expect(shares).toContain(0.1509);
    for (const share of shares) expect(share).toBeCloseTo(Math.round(53 * share) / 53, 4);
  });

  test("imply the stages that calibration aims at", () => {
    const stages = publishedTargets()
      .filter(({ measures }) => measures["siteContacted"] !== undefined)
      .map(({ model, task, measures: { siteContacted, returnedGivenContact } }) => [
        model,
        task,
        (100 * (siteContacted as number)).toFixed(1),
        (100 * (returnedGivenContact as number)).toFixed(1),
      ]);
    expect(stages).toEqual([
      ["Qwen3-4B", "web-search", "58.8", "52.4"],
      ["Qwen3-4B", "web-recommendation", "51.6", "1.4"],
      ["Gemini-3", "web-search", "88.1", "69.6"],
      ["Gemini-3", "web-recommendation", "44.5", "4.0"],
    ]);
  });

  test("stand under a heading of their own, after everything else", () => {
    const cells = [cell({ scores: [0.5] })];
    const page = benchMarkdown({
      patterns: [],
      waterfall: [],
      cells,
      comparisons: [],
      calibration: calibrationTable(cells),
      published: publishedResults(),
      notices: [],
    });
    const [ours, theirs] = page.split("## Published: other corpus, other model, other judge");
    expect(theirs).toContain("Gemini-3-Flash");
    expect(ours).not.toMatch(/Gemini-3-Flash|Qwen3-4B/);
  });
});

test("calibration compares profiles with the models they are named after, and predicts what was not fitted", () => {
  const measures = { turns: exactly(3.0), requests: exactly(2.8) };
  const table = calibrationTable([
    cell({ measures }),
    cell({ measures, task: "question-answering" }),
    cell({ measures, model: "surrogate/some.yaml" }),
    cell({ measures, strategy: "classical" }),
  ]);
  const turns = table.filter(({ measure }) => measure === "turns");
  expect(turns).toMatchObject([
    { task: "web-search", kind: "fitted", target: 2.61, isReached: true },
    { task: "question-answering", kind: "predicted", target: 3.38, isReached: true },
  ]);
  expect(table.find(({ measure, task }) => measure === "requests" && task === "question-answering")).toMatchObject({
    target: 2.06,
    isReached: false,
  });
  expect(table.find(({ measure }) => measure === "contentTurns")).toMatchObject({ off: null, isReached: false });
});
