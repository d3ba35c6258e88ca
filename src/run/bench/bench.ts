import { writeFileSync } from "node:fs";
import type { TaskName } from "../../corpora/format.ts";
import { topicSchemas } from "../../corpora/format.ts";
import { tasksOf } from "../../corpora/files.ts";
import { readTopics } from "../../corpora/read.ts";
import { InputError } from "../../errors.ts";
import { readPrompts } from "../../agents/templates.ts";
import { packageVersion } from "../../package-root.ts";
import type { IndexKind } from "../../retrieval/document-index.ts";
import type { Progress } from "../../retrieval/progress.ts";
import { openRetrieval } from "../../retrieval/retrieval.ts";
import { loadScenario } from "../../scenario/load.ts";
import { findStrategy } from "../../strategies/registry.ts";
import { sha256 } from "../../trace/hash.ts";
import { openModels } from "../live-ports.ts";
import { cellDirectory, cellScenarioFile, readCell } from "./cell-files.ts";
import { type BenchPlan, type Cell, cellScenario, planCells } from "./plan.ts";
import { worldDirectory } from "./worlds.ts";

export interface PrepareOptions {
  readonly plan: BenchPlan;
  /** The bench's directory: it exists. */
  readonly directory: string;
  /** The corpus' directory, as an absolute path: world 1. */
  readonly corpus: string;
  readonly embedder: string;
  readonly promptsDirectory: string;
  readonly cacheDirectory: string;
  readonly workers: number;
  readonly progress: Progress;
}

/** A cell that is ready to run, or that ran before. */
export interface PreparedCell {
  readonly cell: Cell;
  readonly identity: string;
  readonly scenario: string;
  readonly directory: string;
  /** The topics that it will ask. */
  readonly topics: number;
  /** Whether its figures are there already, made with the same inputs. */
  readonly isDone: boolean;
}

/** Calls under way at an endpoint, all processes together. */
const endpointConcurrency = 64;

/**
 * Makes everything ready that cells share: worlds, vectors, indexes, scenarios. Throws an InputError for whatever the
 * user got wrong, before any cell runs.
 */
export async function prepareBench(options: PrepareOptions): Promise<PreparedCell[]> {
  const { plan, directory, corpus, embedder, promptsDirectory, cacheDirectory, workers, progress } = options;
  const cells = planCells(plan);
  const promptsSha256 = readPrompts(promptsDirectory).sha256;
  const worlds = new Map<number, World>();
  for (const world of plan.worlds) {
    worlds.set(world, await prepareWorld(worldDirectory(corpus, world, cacheDirectory, progress), options));
  }
  const identities = new Map<string, string | null>();
  const prepared: PreparedCell[] = [];
  for (const cell of cells) {
    const world = worlds.get(cell.world) as World;
    const scenario = cellScenarioFile(directory, cell);
    const concurrency = Math.max(1, Math.floor(endpointConcurrency / workers));
    const { queries, judge } = plan;
    const setting = { corpus: world.directory, queries, embedder, endpointConcurrency: concurrency, judge };
    writeFileSync(scenario, cellScenario(cell, setting));
    const loaded = loadScenario(scenario);
    const { model } = cell;
    if (model !== null && !identities.has(model)) {
      const [port] = await openModels(loaded);
      identities.set(model, port?.identity ?? null);
    }
    const modelIdentity = model === null ? null : identities.get(model);
    const parts = [packageVersion, loaded.sha256, world.corpusSha256, promptsSha256, modelIdentity, cell.replication];
    const identity = sha256(JSON.stringify(parts));
    const own = cellDirectory(directory, cell);
    const before = readCell(own);
    prepared.push({
      cell,
      identity,
      scenario,
      directory: own,
      topics: Math.min(plan.queries, world.topics.get(cell.task) as number),
      isDone: before?.status === "completed" && before.identity === identity,
    });
  }
  return prepared;
}

interface World {
  readonly directory: string;
  readonly corpusSha256: string;
  readonly topics: ReadonlyMap<string, number>;
}

/** Checks a world's tasks and builds its indexes, once for all processes. */
async function prepareWorld(directory: string, { plan, embedder, cacheDirectory, progress }: PrepareOptions) {
  const topics = new Map<string, number>();
  for (const task of plan.tasks) topics.set(task, await countTopics(directory, task));
  const vectors = plan.strategies.some((strategy) => findStrategy(strategy).selectsSites === true);
  const indexes = plan.backends as [IndexKind, ...IndexKind[]];
  const retrieval = await openRetrieval(directory, { cacheDirectory, embedder, indexes, vectors, progress });
  const { corpusSha256 } = retrieval;
  retrieval.close();
  return { directory, corpusSha256, topics };
}

async function countTopics(directory: string, task: string): Promise<number> {
  if (!(task in topicSchemas && tasksOf(directory).includes(task as TaskName))) {
    const known = tasksOf(directory).join(", ");
    throw new InputError(`has no topics of ${task}; there are some of ${known}`, { file: directory });
  }
  let count = 0;
  for await (const _ of readTopics(directory, task as TaskName)) count++;
  return count;
}
