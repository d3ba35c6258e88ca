import type { Task } from "../agents/task.ts";
import type { TaskName } from "../corpora/format.ts";
import { InputError } from "../errors.ts";
import { webSearch } from "./web-search.ts";

const tasks = new Map<string, Task>([[webSearch.name, webSearch]]);

/** The task of a name, or an InputError that lists the names there are. */
export function findTask(name: TaskName): Task {
  const task = tasks.get(name);
  if (task !== undefined) return task;
  throw new InputError(`expected a task that runs (${[...tasks.keys()].join(", ")}), got ${name}`);
}
