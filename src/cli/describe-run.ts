import { findTemplate } from "../agents/templates.ts";
import { hashUniform, Streams } from "../kernel/random.ts";
import type { RunDescription } from "../report/run-description.ts";
import type { RunInputs } from "../run/inputs.ts";
import { surrogateNotice } from "../run/manifest.ts";
import { strategyNamed } from "../run/plugins.ts";
import { isScored } from "../run/scoring-window.ts";
import { findTask, measuresOf } from "../tasks/registry.ts";
import { sha256 } from "../trace/hash.ts";
import { runFacts } from "./run-facts.ts";

/**
 * What a run's report must know of it.
 * @param hasStandIn whether a surrogate answers in the place of an endpoint
 */
export function describeRun(inputs: RunInputs, hasStandIn = false): RunDescription {
  const { loaded, replication, sites, topics, uncovered } = inputs;
  const { scenario } = loaded;
  const streams = new Streams(scenario.seed, replication);
  const topicsByTask = new Map(
    Object.entries(topics).map(([task, list]) => [task, new Map(list.map((topic) => [topic.id, topic]))]),
  );
  const usesSurrogate =
    hasStandIn ||
    scenario.assistants.some(
      ({ strategy, model }) => strategyNamed(loaded, strategy).usesModel && model.startsWith("surrogate/"),
    );
  return {
    facts: runFacts(inputs),
    scenario: scenario.name,
    seed: scenario.seed,
    replication,
    retrieval: scenario.retrieval.index,
    sites: sites.map(({ id }) => id),
    measures: measuresOf(Object.keys(topics)),
    gradesOf: (task, topic) =>
      (topicsByTask.get(task)?.get(topic) as { relevant?: Record<string, number> })?.relevant ?? {},
    questionOf(task, topic) {
      const found = topicsByTask.get(task)?.get(topic);
      return found === undefined ? topic : findTask(task).question(found);
    },
    relevantTo(task, topic) {
      const found = topicsByTask.get(task)?.get(topic);
      return found === undefined ? [] : findTask(task).relevant(found);
    },
    judging: (task) => judgingOf(inputs, task),
    headline: (task) => findTask(task).headline,
    isScored: (arrivedMs) => isScored(scenario, arrivedMs),
    drawFor: (entity) => {
      // Millions of draws an interval: a counter under a keyed hash is several times quicker than a stream.
      const seed = streams.seedFor("bootstrap", entity);
      let count = 0;
      return () => hashUniform(seed, count++);
    },
    notices: [
      ...(usesSurrogate ? [surrogateNotice] : []),
      ...(scenario.sites.economy === null
        ? []
        : ["What sites earn and pay, and when they leave, is assumed: figures that follow from it are no estimates."]),
      ...(loaded.skippedInterventions === 0
        ? []
        : [`Interventions after the end, left out: ${loaded.skippedInterventions}.`]),
      ...Object.entries(uncovered)
        .filter(([, count]) => count > 0)
        .map(([task, count]) => `${count} topics of ${task} were left out: the corpus lacks a document they need.`),
    ],
  };
}

function judgingOf({ loaded, prompts }: RunInputs, task: string): ReturnType<RunDescription["judging"]> {
  const { judged: measures, judgePrompts } = findTask(task);
  const { judge } = loaded.scenario;
  if (judge === undefined || judgePrompts.length === 0) return { measures, judge: null };
  const texts = judgePrompts.map((role) => prompts.files.get(`${findTemplate(prompts, role, null, null).name}.md`));
  return { measures, judge: { kind: "llm", ...judge, promptSha256: sha256(texts.join("\n")) } };
}
