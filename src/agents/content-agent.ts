import { setup } from "xstate";
import type { Action } from "./grammar.ts";
import { type Findings, readFindings } from "./payloads.ts";
import type { Hit, ModelAnswer } from "./ports.ts";
import { TurnTaker, type TurnTakerOptions } from "./turn-taker.ts";

/** What a content agent works on: one request to its site. */
export interface ContentAgentOptions extends TurnTakerOptions {
  readonly site: string;
  /** Takes the ids of the pages that its searches find: for measures, no agent sees them. */
  readonly found: Set<string>;
  /** Runs once, when the agent is done. */
  readonly done: (findings: Findings) => void;
}

export const contentAgentActions = ["search", "summary", "answer"] as const;

/** One content agent at work on one request. It knows the query and its own pages, nothing else. */
export class ContentAgentSession extends TurnTaker {
  readonly #options: ContentAgentOptions;
  #findings: Findings | null = null;

  constructor(options: ContentAgentOptions) {
    super(options);
    this.#options = options;
  }

  /** An output that is no action ends the session with nothing. */
  get stopsWhenInvalid(): boolean {
    return this.#options.environment.settings.contentAgentOnInvalid === "stop";
  }

  protected override check(action: Action): boolean {
    if (action.kind === "search") return action.payload !== "";
    if (action.kind !== "answer") return true;
    this.#findings = readFindings(
      action.payload,
      this.retrieved,
      this.#options.environment.settings.documentsPerAnswer,
    );
    return this.#findings !== null;
  }

  search(found: (hits: readonly Hit[]) => void): void {
    const { environment, site, query, agent } = this.#options;
    const text = this.action?.payload ?? "";
    const durationMs = environment.siteLatencyMs(site, `${query}/${agent}/${this.turn}`);
    const hits = environment.index.search(text, site, environment.settings.documentsPerSearch);
    this.await(durationMs, hits, found);
  }

  noteHits(hits: readonly Hit[]): void {
    const { environment, site, query, agent, found } = this.#options;
    environment.facts.state({ type: "search.answered", query, agent, site, documents: hits.map(({ id }) => id) });
    this.remember(hits);
    for (const { id } of hits) found.add(id);
    this.observe(environment.pages.information(hits));
  }

  answer(): void {
    this.#options.done(this.#findings as Findings);
  }

  /** Out of turns without an answer: what was found so far is handed over all the same, if that is wanted. */
  giveUp(): void {
    const { documentsPerAnswer, finalAnswer } = this.#options.environment.settings;
    const documents = finalAnswer === "none" ? [] : [...this.retrieved.values()].slice(0, documentsPerAnswer);
    this.#options.done({ summary: "", documents });
  }

  stop(): void {
    this.#options.done({ summary: "", documents: [] });
  }
}

interface ContentAgentContext {
  readonly session: ContentAgentSession;
}

type ContentAgentEvent =
  | { type: "model.answered"; answer: ModelAnswer }
  | { type: "pages.found"; hits: readonly Hit[] };

/** The content agent's protocol, one session a request. */
export const contentAgentMachine = setup({
  types: {
    context: {} as ContentAgentContext,
    events: {} as ContentAgentEvent,
    input: {} as ContentAgentContext,
  },
  guards: {
    isOutOfTurns: ({ context }) => context.session.isOutOfTurns,
    isInvalid: ({ context }) => context.session.action === null,
    stopsWhenInvalid: ({ context }) => context.session.action === null && context.session.stopsWhenInvalid,
    isSearch: ({ context }) => context.session.action?.kind === "search",
    isSummary: ({ context }) => context.session.action?.kind === "summary",
  },
  actions: {
    ask: ({ context, self }) => context.session.ask((answer) => self.send({ type: "model.answered", answer })),
    search: ({ context, self }) => context.session.search((hits) => self.send({ type: "pages.found", hits })),
    summarise: ({ context }) => context.session.summarise(),
    remind: ({ context }) => context.session.remind(),
    answer: ({ context }) => context.session.answer(),
    giveUp: ({ context }) => context.session.giveUp(),
    stop: ({ context }) => context.session.stop(),
  },
}).createMachine({
  id: "contentAgent",
  context: ({ input }) => input,
  initial: "planning",
  states: {
    planning: { always: [{ guard: "isOutOfTurns", target: "outOfTurns" }, { target: "awaitingModel" }] },
    awaitingModel: {
      entry: "ask",
      on: {
        "model.answered": {
          target: "acting",
          actions: ({ context, event }) => context.session.read(event.answer),
        },
      },
    },
    acting: {
      always: [
        { guard: "stopsWhenInvalid", target: "stopped" },
        { guard: "isInvalid", target: "planning", actions: "remind" },
        { guard: "isSearch", target: "searching" },
        { guard: "isSummary", target: "summarising" },
        { target: "answering" },
      ],
    },
    searching: {
      entry: "search",
      on: {
        "pages.found": { target: "planning", actions: ({ context, event }) => context.session.noteHits(event.hits) },
      },
    },
    summarising: { entry: "summarise", always: "planning" },
    answering: { entry: "answer", type: "final" },
    stopped: { entry: "stop", type: "final" },
    outOfTurns: { entry: "giveUp", type: "final" },
  },
});
