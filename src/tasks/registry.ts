import type { Task } from "../agents/task.ts";
import { InputError } from "../errors.ts";
import { deepResearch } from "./deep-research.ts";
import { questionAnswering } from "./question-answering.ts";
import { webRecommendation } from "./web-recommendation.ts";
import { webSearch } from "./web-search.ts";

const tasks = new Map<string, Task>(
  [webSearch, webRecommendation, questionAnswering, deepResearch].map((each) => [each.name, each as Task]),
);

/** The task of a name, or an InputError that lists the names there are. */
export function findTask(name: string): Task {
  const task = tasks.get(name);
  if (task !== undefined) return task;
  throw new InputError(`expected a task that runs (${[...tasks.keys()].join(", ")}), got ${name}`);
}

/** The measures that tasks score, those of a judge included, in order, each once. */
export function measuresOf(names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => [...findTask(name).measures, ...findTask(name).judged]))];
}

/** The names of all tasks that run, in the order of their list. */
export function runnableTasks(): string[] {
  return [...tasks.keys()];
}
