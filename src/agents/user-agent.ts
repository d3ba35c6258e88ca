import { and, setup } from "xstate";
import { UserAgentSession } from "./user-agent-session.ts";
import type { SiteResult } from "./site.ts";
import type { Hit } from "./ports.ts";
import type { TurnEvent } from "./turn-taker.ts";

interface UserAgentContext {
  readonly session: UserAgentSession;
}

type UserAgentEvent =
  | TurnEvent
  | { type: "pages.found"; hits: readonly Hit[] }
  | { type: "sites.chosen"; sites: readonly string[] }
  | { type: "site.replied"; result: SiteResult };

const planning = "#userAgent.planning";
const outOfTurns = { guard: "isOutOfTurns", target: "#userAgent.outOfTurns" } as const;

/** The next turn, or the end where none is left. */
function nextTurn<Action extends string>(actions: Action) {
  return [
    { ...outOfTurns, actions },
    { target: planning, actions },
  ] as const;
}

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
    hasAllReplies: ({ context }) => context.session.hasAllReplies,
  },
  actions: {
    ask: ({ context, self }) => context.session.takeTurn((taken) => self.send({ type: taken })),
    search: ({ context, self }) =>
      context.session.search(
        (hits) => self.send({ type: "pages.found", hits }),
        (sites) => self.send({ type: "sites.chosen", sites }),
      ),
    askSites: ({ context, event, self }) => {
      if (event.type !== "sites.chosen") return;
      context.session.askSites(event.sites, (result) => self.send({ type: "site.replied", result }));
    },
    takeAsAnswer: ({ context, event }) => {
      if (event.type === "pages.found") context.session.takeAsAnswer(event.hits);
    },
    noteHits: ({ context, event }) => {
      if (event.type === "pages.found") context.session.noteHits(event.hits);
    },
    takeReply: ({ context, event }) => {
      if (event.type === "site.replied") context.session.takeReply(event.result);
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
  initial: "arrived",
  states: {
    arrived: { always: [{ guard: "needsNoModel", target: "#userAgent.acting.searching" }, { target: planning }] },
    planning: {
      initial: "awaitingModel",
      states: {
        awaitingModel: {
          entry: "ask",
          on: {
            "action.search": "#userAgent.acting.searching",
            "action.summary": "#userAgent.acting.summarising",
            "action.answer": "#userAgent.answering",
            "action.plan": nextTurn("noteNothing"),
            "action.scripts": nextTurn("noteNothing"),
            "action.invalid": nextTurn("remind"),
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
            "sites.chosen": { target: "awaitingSites", actions: "askSites" },
            "pages.found": [
              { guard: "needsNoModel", target: "#userAgent.answering", actions: "takeAsAnswer" },
              ...nextTurn("noteHits"),
            ],
          },
        },
        awaitingSites: {
          on: { "site.replied": { actions: "takeReply" } },
          always: [
            { ...outOfTurns, guard: and(["hasAllReplies", "isOutOfTurns"]), actions: "noteReplies" },
            { guard: "hasAllReplies", target: planning, actions: "noteReplies" },
          ],
          after: { requestTimeout: { actions: "timeOut" } },
        },
        summarising: { entry: "summarise", always: [outOfTurns, { target: planning }] },
      },
    },
    answering: { entry: "answer", type: "final" },
    outOfTurns: { entry: "giveUp", type: "final" },
  },
});
