import { setup } from "xstate";
import type { Action } from "./grammar.ts";
import { type Findings, readFindings } from "./payloads.ts";
import type { Hit } from "./ports.ts";
import { type TurnEvent, TurnTaker, type TurnTakerOptions } from "./turn-taker.ts";

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

type ContentAgentEvent = TurnEvent | { type: "pages.found"; hits: readonly Hit[] };

const outOfTurns = { guard: "isOutOfTurns", target: "#contentAgent.outOfTurns" } as const;
const nextTurn = "#contentAgent.planning";

/** The content agent's protocol, one session a request. */
export const contentAgentMachine = setup({
  types: {
    context: {} as ContentAgentContext,
    events: {} as ContentAgentEvent,
    input: {} as ContentAgentContext,
  },
  guards: {
    isOutOfTurns: ({ context }) => context.session.isOutOfTurns,
    stopsWhenInvalid: ({ context }) => context.session.stopsWhenInvalid,
  },
  actions: {
    ask: ({ context, self }) => context.session.takeTurn((taken) => self.send({ type: taken })),
    search: ({ context, self }) => context.session.search((hits) => self.send({ type: "pages.found", hits })),
    noteHits: ({ context, event }) => {
      if (event.type === "pages.found") context.session.noteHits(event.hits);
    },
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
    planning: {
      initial: "awaitingModel",
      states: {
        awaitingModel: {
          entry: "ask",
          on: {
            "action.search": "#contentAgent.acting.searching",
            "action.summary": "#contentAgent.acting.summarising",
            "action.answer": "#contentAgent.answering",
            "action.invalid": [
              { guard: "stopsWhenInvalid", target: "#contentAgent.stopped" },
              { ...outOfTurns, actions: "remind" },
              { target: "awaitingModel", reenter: true, actions: "remind" },
            ],
          },
        },
      },
    },
    acting: {
      initial: "searching",
      states: {
        searching: {
          entry: "search",
          on: {
            "pages.found": [
              { ...outOfTurns, actions: "noteHits" },
              { target: nextTurn, actions: "noteHits" },
            ],
          },
        },
        summarising: { entry: "summarise", always: [outOfTurns, { target: nextTurn }] },
      },
    },
    answering: { entry: "answer", type: "final" },
    stopped: { entry: "stop", type: "final" },
    outOfTurns: { entry: "giveUp", type: "final" },
  },
});
