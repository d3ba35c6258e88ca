import { setup } from "xstate";
import { UserAgentSession } from "./user-agent-session.ts";
import type { SiteResult } from "./site.ts";
import type { Hit, ModelAnswer } from "./ports.ts";

interface UserAgentContext {
  readonly session: UserAgentSession;
}

type UserAgentEvent =
  | { type: "model.answered"; answer: ModelAnswer }
  | { type: "pages.found"; hits: readonly Hit[] }
  | { type: "sites.chosen"; sites: readonly string[] }
  | { type: "site.replied"; result: SiteResult };

/** The user agent's protocol, one session a query. */
export const userAgentMachine = setup({
  types: {
    context: {} as UserAgentContext,
    events: {} as UserAgentEvent,
    input: {} as UserAgentContext,
  },
  delays: { requestTimeout: ({ context }) => context.session.requestTimeoutMs },
  guards: {
    needsNoModel: ({ context }) => context.session.needsNoModel,
    isOutOfTurns: ({ context }) => context.session.isOutOfTurns,
    isInvalid: ({ context }) => context.session.action === null,
    isSearch: ({ context }) => context.session.action?.kind === "search",
    isSummary: ({ context }) => context.session.action?.kind === "summary",
    isAnswer: ({ context }) => context.session.action?.kind === "answer",
    hasAllReplies: ({ context }) => context.session.hasAllReplies,
  },
  actions: {
    ask: ({ context, self }) => context.session.ask((answer) => self.send({ type: "model.answered", answer })),
    search: ({ context, self }) =>
      context.session.search(
        (hits) => self.send({ type: "pages.found", hits }),
        (sites) => self.send({ type: "sites.chosen", sites }),
      ),
    askSites: ({ context, event, self }) => {
      if (event.type !== "sites.chosen") return;
      context.session.askSites(event.sites, (result) => self.send({ type: "site.replied", result }));
    },
    noteReplies: ({ context }) => context.session.noteReplies(),
    timeOut: ({ context }) => context.session.timeOut(),
    summarise: ({ context }) => context.session.summarise(),
    noteNothing: ({ context }) => context.session.observe(null),
    remind: ({ context }) => context.session.remind(),
    answer: ({ context }) => context.session.complete("answered"),
    giveUp: ({ context }) => context.session.complete("unanswered"),
  },
}).createMachine({
  id: "userAgent",
  context: ({ input }) => input,
  initial: "planning",
  states: {
    planning: {
      always: [
        { guard: "needsNoModel", target: "searching" },
        { guard: "isOutOfTurns", target: "outOfTurns" },
        { target: "awaitingModel" },
      ],
    },
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
        { guard: "isInvalid", target: "planning", actions: "remind" },
        { guard: "isSearch", target: "searching" },
        { guard: "isSummary", target: "summarising" },
        { guard: "isAnswer", target: "answering" },
        { target: "planning", actions: "noteNothing" },
      ],
    },
    searching: {
      entry: "search",
      on: {
        "sites.chosen": { target: "awaitingSites", actions: "askSites" },
        "pages.found": [
          {
            guard: "needsNoModel",
            target: "answering",
            actions: ({ context, event }) => context.session.takeAsAnswer(event.hits),
          },
          { target: "planning", actions: ({ context, event }) => context.session.noteHits(event.hits) },
        ],
      },
    },
    awaitingSites: {
      on: { "site.replied": { actions: ({ context, event }) => context.session.takeReply(event.result) } },
      always: { guard: "hasAllReplies", target: "planning", actions: "noteReplies" },
      after: { requestTimeout: { actions: "timeOut" } },
    },
    summarising: { entry: "summarise", always: "planning" },
    answering: { entry: "answer", type: "final" },
    outOfTurns: { entry: "giveUp", type: "final" },
  },
});
