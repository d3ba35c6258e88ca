import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../errors.ts";
import { packageVersion } from "../package-root.ts";
import { type TraceLevel, traceLevels } from "../trace/trace-writer.ts";
import type { Scenario } from "../scenario/schema.ts";
import { type BudgetLimits, noLimits } from "./budget.ts";
import type { RunInputs } from "./inputs.ts";
import type { OnMiss } from "./on-miss.ts";

export type RunStatus = "running" | "completed" | "failed" | `interrupted: ${string}`;

/** How many answers came from where. */
export interface CallCounts {
  live: number;
  tape: number;
  surrogate: number;
  /** Asked ahead and not used. */
  unused: number;
}

export interface ReplayFrom {
  readonly path: string;
  readonly onMiss: OnMiss;
}

/** `manifest.json`: what a run is, what it was made with, how far it got. */
export interface Manifest {
  readonly format: "awesim-manifest";
  readonly version: 1;
  readonly awesim: string;
  readonly node: string;
  readonly scenario: string;
  readonly scenarioSha256: string;
  readonly seed: number;
  readonly replication: number;
  readonly level: TraceLevel;
  readonly corpus: RunInputs["corpus"];
  readonly uncovered: RunInputs["uncovered"];
  readonly vectorsSha256: string | null;
  readonly indexIdentity: string;
  readonly promptsSha256: string;
  /** The user's own modules; their code stands among the inputs. */
  readonly plugins: Scenario["plugins"];
  /** The models with their versions: of the assistants, null where a strategy uses none, and after them of the judge. */
  readonly models: readonly (string | null)[];
  readonly surrogate: string | null;
  readonly status: RunStatus;
  /** The run whose answers were taken over, and what became of requests that it lacks; null where there is none. */
  readonly replayFrom: ReplayFrom | null;
  /** What the run may spend, over all its executions. */
  readonly budget: BudgetLimits;
  readonly calls: CallCounts;
  /** Of all executions together, in the currency of the user's price table; null is unknown, or nothing to pay for. */
  readonly cost: number | null;
  readonly traceSha256: string | null;
}

/** What a run must say about itself as soon as a surrogate answers in it. */
export const surrogateNotice =
  "Answers of surrogate/ models come from a seeded policy that stands in for a language model's behaviour. They are an assumption, not evidence about language models.";

export function newManifest(
  inputs: RunInputs,
  models: readonly (string | null)[],
  level: TraceLevel,
  budget: BudgetLimits = noLimits,
  replayFrom: ReplayFrom | null = null,
): Manifest {
  const { loaded, corpus, uncovered, vectorsSha256, indexIdentity, prompts, replication } = inputs;
  return {
    format: "awesim-manifest",
    version: 1,
    awesim: packageVersion,
    node: process.version,
    scenario: loaded.scenario.name,
    scenarioSha256: loaded.sha256,
    seed: loaded.scenario.seed,
    replication,
    level,
    corpus,
    uncovered,
    vectorsSha256,
    indexIdentity,
    promptsSha256: prompts.sha256,
    plugins: loaded.scenario.plugins,
    models,
    surrogate:
      models.some((model) => model?.startsWith("surrogate/")) || replayFrom?.onMiss === "surrogate"
        ? surrogateNotice
        : null,
    status: "running",
    replayFrom,
    budget,
    calls: { live: 0, tape: 0, surrogate: 0, unused: 0 },
    cost: null,
    traceSha256: null,
  };
}

/** Replaces a run's manifest in one step: a reader sees the old one or the new one. */
export function writeManifest(directory: string, manifest: Manifest): void {
  const file = join(directory, "manifest.json");
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(manifest, null, 2)}\n`);
    renameSync(`${file}.new`, file);
  } catch (error) {
    rmSync(`${file}.new`, { force: true }); // a full disk: the old one stays, and nothing half-written beside it
    throw error;
  }
}

export function readManifest(directory: string): Manifest {
  const file = join(directory, "manifest.json");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new InputError("expected the directory of a run; it has no manifest.json", { file: directory });
  }
  const manifest = parse(text) as Partial<Manifest> | null;
  if (manifest?.format !== "awesim-manifest" || manifest.version !== 1) {
    throw new InputError("expected a manifest of format awesim-manifest, version 1", { file });
  }
  const missing = requiredKeys.find((key) => manifest[key] === undefined);
  if (missing !== undefined) throw new InputError("is missing from the manifest", { file, field: missing });
  if (!Array.isArray(manifest.models) || !manifest.models.every((each) => each === null || typeof each === "string")) {
    throw new InputError("expected a list of models, null where a strategy uses none", { file, field: "models" });
  }
  if (!traceLevels.some((level) => level === manifest.level)) {
    throw new InputError(`expected ${traceLevels.join(", ")}`, { file, field: "level" });
  }
  return { ...manifest, budget: manifest.budget ?? noLimits, replayFrom: manifest.replayFrom ?? null } as Manifest;
}

/** What a replay or a resumption needs of a manifest. */
const requiredKeys = [
  "awesim",
  "level",
  "replication",
  "corpus",
  "uncovered",
  "vectorsSha256",
  "indexIdentity",
  "plugins",
  "models",
  "status",
  "calls",
] as const satisfies readonly (keyof Manifest)[];

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
