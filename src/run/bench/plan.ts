import { stringify } from "yaml";
import type { TaskName } from "../../corpora/format.ts";
import type { IndexKind } from "../../retrieval/document-index.ts";
import { findStrategy } from "../../strategies/registry.ts";
import { findTask } from "../../tasks/registry.ts";

/** What a bench compares: every combination is a cell. */
export interface BenchPlan {
  readonly strategies: readonly string[];
  readonly tasks: readonly string[];
  /** From the weakest to the strongest: one pattern compares the first with the last. */
  readonly models: readonly string[];
  /** Indexes: dense, bm25 ... */
  readonly backends: readonly IndexKind[];
  readonly thinking: readonly boolean[];
  /** Topics of each task, each once a cell. */
  readonly queries: number;
  /** World seeds: 1 is the corpus itself, the others are generated with its parameters. */
  readonly worlds: readonly number[];
  readonly replications: number;
  /** The language model that judges answers and reports, `openai/<model>`; null without one. */
  readonly judge: string | null;
}

/** One strategy on one task, with one model and index, in one world. Model and thinking are null without a model. */
export interface Cell {
  readonly task: string;
  readonly strategy: string;
  readonly model: string | null;
  readonly retrieval: IndexKind;
  readonly thinking: boolean | null;
  readonly world: number;
  readonly replication: number;
}

/** The cells of a plan. Those that share a world and an index stand together. A strategy without a model is one cell. */
export function planCells(plan: BenchPlan): Cell[] {
  const cells: Cell[] = [];
  for (const world of plan.worlds) {
    for (const retrieval of plan.backends) {
      for (let replication = 0; replication < plan.replications; replication++) {
        for (const task of plan.tasks) {
          findTask(task);
          for (const strategy of plan.strategies) {
            for (const { model, thinking } of minds(plan, strategy)) {
              cells.push({ task, strategy, model, retrieval, thinking, world, replication });
            }
          }
        }
      }
    }
  }
  return cells;
}

function minds({ models, thinking }: BenchPlan, strategy: string) {
  if (!findStrategy(strategy).usesModel) return [{ model: null, thinking: null }];
  return models.flatMap((model) => thinking.map((each) => ({ model, thinking: each })));
}

/** A cell's name, fit for a folder; equal names mean equal cells. */
export function cellName({ task, strategy, model, retrieval, thinking, world, replication }: Cell): string {
  const mind = model === null ? "no-model" : `${safe(model)}${thinking === true ? "" : ".direct"}`;
  return `${task}.${strategy}.${mind}.${retrieval}.w${world}.r${replication}`;
}

/** Letters, digits, dots and hyphens stay; anything else becomes its code, so that no two models share a name. */
function safe(model: string): string {
  return model.replace("/", "-").replace(/[^A-Za-z0-9.-]/g, (each) => `_${each.charCodeAt(0).toString(16)}_`);
}

/** What a cell's scenario needs besides the cell. */
export interface CellSetting {
  /** A name or an absolute path. */
  readonly corpus: string;
  readonly queries: number;
  readonly embedder: string;
  /** Calls that one process may have under way at an endpoint. */
  readonly endpointConcurrency: number;
  readonly judge: string | null;
}

/**
 * The scenario of a cell, as YAML: each topic arrives once, at a leisurely rate, at one assistant. All cells have the
 * same seed, so that the draws of a topic are the same in each.
 */
export function cellScenario(cell: Cell, setting: CellSetting): string {
  const { corpus, queries, embedder, endpointConcurrency, judge } = setting;
  const { task, strategy, model, thinking, retrieval } = cell;
  const isJudged = isJudgedCell(cell, judge);
  return stringify({
    name: "bench",
    seed: 1,
    corpus,
    population: {
      users: 100,
      arrivals: { process: "every-topic", rate: "600/h", topics: queries },
      tasks: { [task as TaskName]: 1 },
    },
    assistants: [{ strategy, ...(model !== null && { model, thinking }) }],
    retrieval: { index: retrieval, embedder },
    ...((isJudged || isPaid(model)) && { models: { endpoint: { concurrency: endpointConcurrency } } }),
    ...(isJudged && { judge: { model: judge } }),
  });
}

/** Whether a judge has something to judge in a cell: words, in a task with judged measures. */
function isJudgedCell({ task, model }: Cell, judge: string | null): boolean {
  return judge !== null && model !== null && findTask(task).judged.length > 0;
}

/** Whether answers of a cell are paid for. */
export function isPaidCell(cell: Cell, judge: string | null): boolean {
  return isPaid(cell.model) || isJudgedCell(cell, judge);
}

const isPaid = (model: string | null): boolean => model?.startsWith("openai/") === true;
