import type { Kernel } from "../kernel/kernel.ts";
import type { Streams } from "../kernel/random.ts";
import type { FactStream } from "../trace/fact-stream.ts";
import type { IndexPort, PagePort } from "./ports.ts";
import type { Prompts } from "./templates.ts";

/** The budgets of agents; times in ms, sizes in tokens. */
export interface AgentSettings {
  /** Model turns of a user agent. */
  readonly turns: number;
  /** Model turns of a content agent, per request. */
  readonly contentAgentTurns: number;
  /** Pages a search of one index comes back with. */
  readonly documentsPerSearch: number;
  /** Pages a content agent may hand over. */
  readonly documentsPerAnswer: number;
  readonly maxSitesPerSearch: number;
  /** Sites that a search goes to where the strategy chooses them, not the model. */
  readonly sitesPerSelection: number;
  /** A history longer than this brings the reminder to summarise; null never does. */
  readonly summaryReminder: number | null;
  /** How long a user agent waits for the sites it asked. */
  readonly requestTimeoutMs: number;
}

/** All that agents share in a run: the clock, the facts, chance, and the ports to what is outside. */
export interface Environment {
  readonly kernel: Kernel;
  readonly facts: FactStream;
  readonly streams: Streams;
  readonly index: IndexPort;
  readonly pages: PagePort;
  readonly prompts: Prompts;
  /** Ends the run: something went wrong that no agent can answer for. */
  readonly fail: (error: unknown) => void;
  readonly settings: AgentSettings;
  /** Virtual duration of a model call, drawn for its caller, in ms. */
  modelLatencyMs(caller: string): number;
  /** Virtual time that a site takes for one message or one search, drawn for that message or search, in ms. */
  siteLatencyMs(site: string, entity: string): number;
}
