import type { ListedSite } from "../agents/menu.ts";
import type { Prepared } from "../agents/task.ts";
import type { Prompts } from "../agents/templates.ts";
import type { TaskName } from "../corpora/format.ts";
import type { LoadedScenario } from "../scenario/load.ts";

/** A topic with what scoring needs. */
export type PreparedTopic = Prepared<{ readonly id: string }>;

/** All that a run takes in besides the answers of its ports: with the tape, all that a replay needs. */
export interface RunInputs {
  readonly loaded: LoadedScenario;
  readonly sites: readonly ListedSite[];
  readonly topics: Readonly<Partial<Record<TaskName, readonly PreparedTopic[]>>>;
  /** Topics left out because the corpus lacks a document they need, by task. */
  readonly uncovered: Readonly<Partial<Record<TaskName, number>>>;
  readonly prompts: Prompts;
  readonly corpus: {
    readonly name: string;
    readonly version: string;
    readonly sha256: string;
    /** Where it was found. */
    readonly path: string;
  };
  /** Null where no index goes by vectors. */
  readonly vectorsSha256: string | null;
  /** Names the index, its parameters and what it was made of: part of a recorded search's key. */
  readonly indexIdentity: string;
  readonly replication: number;
}
