import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import type { ListedSite } from "../agents/menu.ts";
import { readPrompts } from "../agents/templates.ts";
import type { TaskName } from "../corpora/format.ts";
import { InputError } from "../errors.ts";
import { replayedIndex, replayedModel } from "../models/replaying.ts";
import { loadScenario } from "../scenario/load.ts";
import { DamagedFile } from "../trace/damaged-file.ts";
import { readTexts, type TapeReader } from "../trace/tape-reader.ts";
import type { PreparedTopic, RunInputs } from "./inputs.ts";
import type { CallCounts, Manifest } from "./manifest.ts";
import { pagePort } from "./pages.ts";
import { taskFiles } from "./run-directory.ts";
import type { RunPorts } from "./simulate.ts";

const siteSchema = z.looseObject({ id: z.string(), name: z.string(), description: z.string() });
const topicSchema = z.looseObject({ id: z.string(), goldSites: z.array(z.string()) });

/** The inputs of a recorded run, from its directory alone. */
export function readRunInputs(directory: string, manifest: Manifest): RunInputs {
  const inputs = join(directory, "inputs");
  if (!existsSync(inputs)) throw new InputError("expected the inputs of a run; they are not there", { file: inputs });
  const topics: Partial<Record<TaskName, PreparedTopic[]>> = {};
  const files = taskFiles(directory);
  if (files.length === 0)
    throw new InputError("expected the topics of a run; there are none", { file: join(inputs, "tasks") });
  for (const name of files) {
    const read = readLines<PreparedTopic>(join(inputs, "tasks", name), topicSchema);
    if (read.length === 0)
      throw new InputError("expected topics; the file is empty", { file: join(inputs, "tasks", name) });
    topics[basename(name, ".jsonl") as TaskName] = read;
  }
  const loaded = loadScenario(join(inputs, "scenario.yaml"));
  for (const { name, sha256 } of loaded.plugins) {
    if (manifest.plugins.some((each) => each.name === name && each.sha256 === sha256)) continue;
    throw new InputError("is not the plugin that the run was made with", { file: join(inputs, "plugins", name) });
  }
  return {
    loaded,
    sites: readLines<ListedSite>(join(inputs, "sites.jsonl"), siteSchema),
    topics,
    prompts: readPrompts(join(inputs, "prompts")),
    corpus: manifest.corpus,
    uncovered: manifest.uncovered,
    vectorsSha256: manifest.vectorsSha256,
    indexIdentity: manifest.indexIdentity,
    replication: manifest.replication,
  };
}

/** Ports that answer from a tape alone. */
export function replayPorts(directory: string, manifest: Manifest, tape: TapeReader, calls: CallCounts): RunPorts {
  const texts = readTexts(directory);
  const models = manifest.models.map((identity) =>
    identity === null ? null : replayedModel(identity, tape, () => calls.tape++),
  );
  return {
    model: (assistant) => models[assistant] ?? null,
    index: replayedIndex(manifest.indexIdentity, tape),
    pages: pagePort((sha256) => {
      const text = texts.get(sha256);
      if (text === undefined) {
        throw new DamagedFile(join(directory, "texts.jsonl"), null, `no text has the hash ${sha256}`);
      }
      return text;
    }),
    recordText: () => {}, // the recorded run has it
  };
}

function readLines<T>(file: string, schema: z.ZodType<T>): T[] {
  if (!existsSync(file)) throw new InputError("expected this file of a run's inputs; it is not there", { file });
  return readFileSync(file, "utf8")
    .split("\n")
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(({ text }) => text !== "")
    .map(({ text, line }) => {
      try {
        const value: unknown = JSON.parse(text);
        schema.parse(value);
        return value as T; // as it was written, its keys in their order
      } catch {
        throw new InputError("this line of a run's inputs is damaged", { file, line });
      }
    });
}
