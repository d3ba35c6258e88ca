import type { ModelPort } from "../../agents/ports.ts";
import type { TaskName } from "../../corpora/format.ts";
import { InputError } from "../../errors.ts";
import { TapeMiss } from "../../models/replaying.ts";
import type { Profile } from "../../models/surrogate/profile.ts";
import type { Fact } from "../../trace/facts.ts";
import { TapeReader } from "../../trace/tape-reader.ts";
import { RunControl } from "../control.ts";
import { readManifest } from "../manifest.ts";
import { readRunInputs, replayPorts } from "../replay-run.ts";
import { type RunPorts, simulate } from "../simulate.ts";
import { type Background, type Evidence, evidenceOf } from "./evidence.ts";

/** What one model did in a recorded run. */
export interface Collected {
  readonly model: string;
  readonly evidence: readonly Evidence[];
}

/**
 * Re-executes a completed run from its tape and reads every output of one of its models beside its prompt.
 * @param wanted the model, as the scenario names it; null where the run has only one
 * @param base reads from a history what is asked
 * @throws InputError when the run is not completed, or has several models, or thinks and does not
 */
export async function collectEvidence(directory: string, wanted: string | null, base: Profile): Promise<Collected> {
  const manifest = readManifest(directory);
  if (manifest.status !== "completed") {
    throw new InputError(`expected a completed run; its status is ${manifest.status}`, { file: directory });
  }
  const inputs = readRunInputs(directory, manifest);
  const assistants = inputs.loaded.scenario.assistants.map((assistant, index) => ({
    ...assistant,
    index,
    usesModel: manifest.models[index] !== null,
  }));
  const models = [...new Set(assistants.flatMap(({ model, usesModel }) => (usesModel ? [model] : [])))];
  const model = wanted ?? models[0];
  if (model === undefined || !models.includes(model) || (wanted === null && models.length > 1)) {
    const there = models.length === 0 ? "it has none" : `it has ${models.join(", ")}`;
    throw new InputError(`expected one model to fit, given by --model; ${there}`, { file: directory });
  }
  const own = assistants.filter((assistant) => assistant.usesModel && assistant.model === model);
  if (new Set(own.map(({ thinking }) => thinking)).size > 1) {
    throw new InputError(`${model} both thinks and does not in this run; a profile is fitted to one of the two`, {
      file: directory,
    });
  }
  const tape = new TapeReader(directory);
  const evidence: Evidence[] = [];
  const topicOf = new Map<string, { task: TaskName; topic: string }>();
  const popularity = new Map(inputs.sites.map(({ id, priors }) => [id, priors?.popularity ?? 0]));
  const goldSites = new Map(
    Object.entries(inputs.topics).flatMap(([task, topics]) =>
      topics.map(({ id, goldSites: sites }) => [`${task}/${id}`, new Set(sites)] as const),
    ),
  );
  const backgroundOf = (query: string): Background => {
    const { task, topic } = topicOf.get(query) ?? { task: "", topic: "" };
    return { popularity, goldSites: goldSites.get(`${task}/${topic}`) ?? new Set() };
  };
  const observed = (port: ModelPort): ModelPort => ({
    identity: port.identity,
    ask(request, caller) {
      const answer = port.ask(request, caller);
      const query = caller.split("/")[1] as string;
      // An answer that the tape lacks is a promise that fails: the run ends with it.
      if (!(answer instanceof Promise)) {
        evidence.push(evidenceOf(query, request.parts, answer.text, backgroundOf(query), base));
      }
      return answer;
    },
  });
  const ports = replayPorts(directory, manifest, tape, { ...manifest.calls });
  const indexes = new Set(own.map(({ index }) => index));
  const watched: RunPorts = {
    ...ports,
    model(assistant) {
      const port = ports.model(assistant);
      return port !== null && indexes.has(assistant) ? observed(port) : port;
    },
  };
  const listen = (fact: Fact): void => {
    if (fact.type === "query.arrived") {
      topicOf.set(fact.query, { task: fact.task as TaskName, topic: fact.topic });
    }
  };
  const control = new RunControl();
  const end = await simulate({ inputs, ports: watched, control, listeners: [listen], onTurn: () => {} });
  const failure = end.failure === null ? null : told(end.failure.error, directory);
  tape.close();
  if (failure !== null) throw failure;
  return { model, evidence };
}

/** What is missing on the tape is found while it is open, and is the user's to mend. */
function told(error: unknown, directory: string): unknown {
  return error instanceof TapeMiss ? new InputError(error.message, { file: directory }) : error;
}
