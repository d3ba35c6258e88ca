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
  /** Infinity when there is no limit. */
  readonly maxSitesPerSearch: number;
  /** Sites that a search goes to where the strategy chooses them, not the model. */
  readonly sitesPerSelection: number;
  /** More tokens than this bring the reminder to summarise; null never does. */
  readonly summaryReminder: number | null;
  /** Whether these tokens are those of the turns alone, or of the whole prompt. */
  readonly summaryReminderCounts: "history" | "prompt";
  /**
   * Of an agent out of turns. forced: a user agent is asked once more, a content agent hands over what it found. none:
   * both end with nothing.
   */
  readonly finalAnswer: "forced" | "none";
  /** How often a user agent's model is asked again within a turn when its output is no action. */
  readonly formatRetries: number;
  /** What a content agent does after an output that is no action: it ends with nothing, or is reminded and goes on. */
  readonly contentAgentOnInvalid: "stop" | "remind";
  /** Whether a model sees its earlier thoughts again. */
  readonly thoughts: "fed-back" | "dropped";
  /** Whether content agents see, beside the query, what the person wants. */
  readonly contentAgentSees: "query" | "query+task";
  /** In which order a user agent sees the replies of sites: as it asked them, or as they came. */
  readonly resultOrder: "request" | "completion";
  /** Whether an answer may hold ids that were not shown to the user agent. */
  readonly answerIds: "any" | "retrieved-only";
  /** How long a user agent waits for the sites it asked. */
  readonly requestTimeoutMs: number;
}

/** All that agents share in a run: the clock, the facts, chance, and the ports to what is outside. */
export interface Environment {
  readonly kernel: Kernel;
  readonly facts: FactStream;
  readonly streams: Streams;
  readonly index: IndexPort;
  /** Pages as content agents see them: whole. */
  readonly pages: PagePort;
  /** Pages as user agents see them. */
  readonly shownPages: PagePort;
  readonly prompts: Prompts;
  /** Keeps the text of an answer for those who read the run later; returns its SHA-256. */
  keepText(text: string): string;
  /** Ends the run: something went wrong that no agent can answer for. */
  readonly fail: (error: unknown) => void;
  readonly settings: AgentSettings;
  /** Virtual duration of a model call, drawn for its caller, in ms. */
  modelLatencyMs(caller: string): number;
  /** Virtual time that a site takes for one message or one search, drawn for that message or search, in ms. */
  siteLatencyMs(site: string, entity: string): number;
}
