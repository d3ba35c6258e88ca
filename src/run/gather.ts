import { join, resolve } from "node:path";
import { findTemplate, readPrompts } from "../agents/templates.ts";
import { tasksOf } from "../corpora/files.ts";
import type { TaskName } from "../corpora/format.ts";
import { readCoveredTopics, readDocuments, readHead, readSites } from "../corpora/read.ts";
import { InputError } from "../errors.ts";
import { packageRoot } from "../package-root.ts";
import type { Progress } from "../retrieval/progress.ts";
import { openRetrieval, type Retrieval } from "../retrieval/retrieval.ts";
import { checkAdded, checkAgainstCorpus } from "../scenario/check.ts";
import { resolveCorpus } from "../scenario/corpus.ts";
import type { LoadedScenario } from "../scenario/load.ts";
import type { Path } from "../scenario/path.ts";
import { assistantPath, tasksInUse } from "../scenario/schema.ts";
import type { BlocksDocument } from "../scenario/site-document.ts";
import { findTask } from "../tasks/registry.ts";
import { checkPrompts } from "./check-prompts.ts";
import { namedInScenario } from "./name-in-scenario.ts";
import type { PreparedTopic, RunInputs } from "./inputs.ts";
import { strategyNamed } from "./plugins.ts";

export interface GatherOptions {
  readonly loaded: LoadedScenario;
  /** A user's own prompts; null for awesim's. */
  readonly promptsDirectory: string | null;
  readonly cacheDirectory: string;
  readonly replication: number;
  readonly progress: Progress;
}

export interface Gathered {
  readonly inputs: RunInputs;
  readonly retrieval: Retrieval;
}

/** Reads all that a fresh run takes in, and checks the scenario against it, before anything is written. */
export async function gatherInputs(options: GatherOptions): Promise<Gathered> {
  const { loaded, promptsDirectory, cacheDirectory, replication, progress } = options;
  const { scenario } = loaded;
  for (const [index, { strategy }] of scenario.assistants.entries()) {
    const path = [...assistantPath(scenario, index), "strategy"];
    await namedInScenario(loaded, path, () => strategyNamed(loaded, strategy));
  }
  await checkBlockedStrategies(loaded);
  const tasks = tasksInUse(scenario);
  for (const task of tasks) await namedInScenario(loaded, ["population", "tasks", task], () => findTask(task));
  const prompts = readPrompts(promptsDirectory ?? join(packageRoot, "prompts"));
  const directory = resolveCorpus(scenario.corpus, loaded.file);
  const head = readHead(directory);
  const without = tasks.find((task) => !tasksOf(directory).includes(task));
  if (without !== undefined) {
    const place = loaded.place(["population", "tasks", without]);
    throw new InputError(`the corpus ${head.name} has no topics of ${without}`, place);
  }
  await checkAddedIds(loaded, directory);
  const retrieval = await openRetrievalOf(loaded, directory, cacheDirectory, progress);
  try {
    const sites = retrieval.sites();
    const ofCorpus = sites.slice(0, sites.length - loaded.added.length).map(({ id }) => id);
    const { topics, uncovered } = await readTopics(directory, tasks, retrieval);
    checkAgainstCorpus(loaded, ofCorpus, topics);
    for (const task of tasks) {
      const judged = scenario.judge === undefined ? [] : findTask(task).judgePrompts;
      for (const role of judged) findTemplate(prompts, role, null, null);
      for (const { strategy } of scenario.assistants) {
        checkPrompts(
          prompts,
          strategyNamed(loaded, strategy),
          findTask(task),
          topics[task]?.[0] as PreparedTopic,
          scenario.agents.contentAgentSees,
        );
      }
    }
    const { vectorsSha256, corpusSha256 } = retrieval;
    const inputs: RunInputs = {
      loaded,
      sites: sites.map((site) => ({ ...site, documents: retrieval.documentCount(site.id) })),
      topics,
      uncovered,
      prompts,
      corpus: { name: head.name, version: head.version, sha256: corpusSha256, path: resolve(directory) },
      vectorsSha256,
      indexIdentity: retrieval.indexIdentity(),
      replication,
    };
    return { inputs, retrieval };
  } catch (error) {
    retrieval.close();
    throw error;
  }
}

/** Before anything is built: what is added must have ids of its own. */
async function checkAddedIds(loaded: LoadedScenario, directory: string): Promise<void> {
  if (loaded.added.length === 0) return;
  const wanted = new Set(loaded.added.flatMap(({ documents }) => documents.map(({ id }) => id)));
  const taken = new Set<string>();
  for await (const { document } of readDocuments(directory)) if (wanted.has(document.id)) taken.add(document.id);
  const sites = (await readSites(directory)).map(({ id }) => id);
  checkAdded(loaded, sites, (id) => taken.has(id));
}

/** The search engine of a corpus as a scenario wants it. */
export function openRetrievalOf(
  loaded: LoadedScenario,
  corpusDirectory: string,
  cacheDirectory: string,
  progress: Progress,
): Promise<Retrieval> {
  const { scenario } = loaded;
  const strategies = scenario.assistants.map(({ strategy }) => strategyNamed(loaded, strategy));
  return openRetrieval(corpusDirectory, {
    cacheDirectory,
    embedder: scenario.retrieval.embedder,
    indexes: [scenario.retrieval.index],
    bm25: scenario.retrieval.bm25,
    hybrid: scenario.retrieval.hybrid,
    vectors: strategies.some(({ selectsSites }) => selectsSites === true),
    central: strategies.some(({ reaches }) => reaches === "central-index"),
    added: loaded.added,
    progress,
  });
}

/** The strategies that sites block by name. */
async function checkBlockedStrategies(loaded: LoadedScenario): Promise<void> {
  const { sites, interventions } = loaded.document;
  const check = async (blocks: BlocksDocument | undefined, path: Path): Promise<void> => {
    if (typeof blocks !== "object") return;
    for (const name of [blocks.strategy ?? []].flat()) {
      await namedInScenario(loaded, [...path, "blocks", "strategy"], () => strategyNamed(loaded, name));
    }
  };
  for (const [id, site] of Object.entries(sites)) {
    await check(site !== undefined && "blocks" in site ? site.blocks : undefined, ["sites", id]);
  }
  for (const [index, each] of interventions.entries()) {
    if ("set" in each && "site" in each.set) await check(each.set.blocks, ["interventions", index, "set"]);
  }
}

async function readTopics(directory: string, tasks: readonly TaskName[], retrieval: Retrieval) {
  const topics: Partial<Record<TaskName, PreparedTopic[]>> = {};
  const uncovered: Partial<Record<TaskName, number>> = {};
  for (const name of tasks) {
    const task = findTask(name);
    const siteOf = (id: string): string | undefined => retrieval.document(id)?.site;
    const covered = await readCoveredTopics(directory, name, (id) => siteOf(id) !== undefined);
    topics[name] = covered.topics.map((topic) => ({
      ...topic,
      goldSites: [...new Set(task.relevant(topic).map((id) => siteOf(id) as string))],
    }));
    uncovered[name] = covered.uncovered;
  }
  return { topics, uncovered };
}
