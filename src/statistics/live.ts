import type { Fact, FactOf, MessageKind } from "../trace/facts.ts";
import { Ring } from "./live-ring.ts";
import { type LiveModel, LiveModels } from "./live-models.ts";
import { type LiveGroup, LiveScores } from "./live-scores.ts";
import { LiveSites, type SiteActivity } from "./live-sites.ts";
import { LiveStories, type SiteStory } from "./live-stories.ts";
import type { QueryTimeline } from "./query-timeline.ts";

export type { LiveModel } from "./live-models.ts";
export type { LiveGroup } from "./live-scores.ts";
export type { SiteActivity } from "./live-sites.ts";
export type { SiteStory } from "./live-stories.ts";

/** Where the answer of a port came from. */
export type CallSource = "live" | "tape" | "surrogate";

export interface LiveMessage {
  readonly t: number;
  readonly query: string;
  readonly from: string;
  readonly to: string;
  readonly kind: MessageKind;
}

/** Something that happened to the world: an intervention, or what it did to a site. */
export type LiveEvent =
  | { readonly t: number; readonly intervention: Readonly<Record<string, unknown>> }
  | { readonly t: number; readonly site: string; readonly change: string };

/** A run at one moment: all that a live view shows of it, as plain data. */
export interface LiveSnapshot {
  /** Virtual time, in ms. */
  readonly t: number;
  readonly untilMs: number | null;
  /** Of the run, in [0, 1]: by virtual time, or by queries completed where no end is set; null where neither is. */
  readonly done: number | null;
  readonly facts: number;
  readonly messages: number;
  readonly queries: {
    readonly expected: number | null;
    readonly arrived: number;
    readonly answered: number;
    readonly unanswered: number;
    readonly failed: number;
    readonly inFlight: number;
  };
  /** The 100 sites with most contacts, busiest first. */
  readonly sites: readonly SiteActivity[];
  /** How many sites were contacted or cited so far. */
  readonly siteCount: number;
  /** Of the last windows of virtual time that are over, oldest first; null for a thin one. */
  readonly effectiveSites: readonly (number | null)[];
  readonly groups: readonly LiveGroup[];
  readonly models: readonly LiveModel[];
  /** The last 50, oldest first. */
  readonly lastMessages: readonly LiveMessage[];
  /** The last 50, oldest first. */
  readonly lastEvents: readonly LiveEvent[];
  readonly calls: Readonly<Record<CallSource, number>>;
  /** What endpoints cost so far, with its limit, in the currency of the price table; null where nothing is known of it. */
  readonly cost: { readonly spent: number; readonly limit: number | null; readonly currency: string } | null;
}

const shownSites = 100;
const shownMessages = 50;
const shownEvents = 50;

/**
 * What a live view shows, counted as the facts come: the view's one source. Its memory grows with the sites and the
 * queries in flight, not with the length of the run.
 */
export class LiveStatistics {
  readonly #untilMs: number | null;
  readonly #expectedQueries: number | null;
  readonly #sites: LiveSites;
  readonly #scores = new LiveScores();
  readonly #models = new LiveModels();
  readonly #stories = new LiveStories();
  readonly #messages = new Ring<FactOf<"message.sent">>(shownMessages);
  readonly #events = new Ring<FactOf<"intervention.applied"> | FactOf<"site.changed">>(shownEvents);
  readonly #calls = { live: 0, tape: 0, surrogate: 0 };
  readonly #outcomes = { answered: 0, unanswered: 0, failed: 0 };
  #t = 0;
  #factCount = 0;
  #messageCount = 0;
  #arrived = 0;

  /**
   * @param options.untilMs the virtual time at which the run ends, in ms; null where the queries end it
   * @param options.expectedQueries how many queries are to come, where that is known
   * @param options.windowMs the window over which a change of shares is told, in ms, above 0
   */
  constructor(options: { untilMs: number | null; expectedQueries: number | null; windowMs: number }) {
    this.#untilMs = options.untilMs;
    this.#expectedQueries = options.expectedQueries;
    this.#sites = new LiveSites(options.windowMs);
  }

  /** Takes in a fact; an arrow function, so that it can be handed over as a listener. */
  readonly listen = (fact: Fact): void => {
    this.#t = fact.t;
    this.#factCount += 1;
    this.#stories.listen(fact);
    switch (fact.type) {
      case "message.sent":
        this.#messageCount += 1;
        this.#messages.push(fact);
        break;
      case "site.contacted":
        this.#sites.contact(fact.site, fact.t);
        break;
      case "citation.made":
        this.#sites.cite(fact.site);
        break;
      case "query.arrived":
        this.#arrived += 1;
        this.#scores.arrived(fact);
        this.#models.arrived(fact);
        break;
      case "query.completed":
        this.#outcomes[fact.outcome] += 1;
        this.#scores.completed(fact.query);
        this.#models.completed(fact.query);
        break;
      case "query.scored":
        this.#scores.scored(fact);
        break;
      case "model.answered":
        this.#models.answered(fact);
        break;
      case "action.taken":
        this.#models.acted(fact);
        break;
      case "intervention.applied":
      case "site.changed":
        this.#events.push(fact);
        break;
      default:
        break;
    }
  };

  /** Counts an answer of a port by its source, which is no fact: a replay answers from the tape. */
  note(call: CallSource): void {
    this.#calls[call] += 1;
  }

  snapshot(): LiveSnapshot {
    const { answered, unanswered, failed } = this.#outcomes;
    const completed = answered + unanswered + failed;
    return {
      t: this.#t,
      untilMs: this.#untilMs,
      done: this.#done(completed),
      facts: this.#factCount,
      messages: this.#messageCount,
      queries: {
        expected: this.#expectedQueries,
        arrived: this.#arrived,
        answered,
        unanswered,
        failed,
        inFlight: this.#arrived - completed,
      },
      sites: this.#sites.busiest(shownSites),
      siteCount: this.#sites.count,
      effectiveSites: this.#sites.effectiveSites,
      groups: this.#scores.groups(),
      models: this.#models.models(),
      lastMessages: this.#messages.items().map(({ t, query, from, to, kind }) => ({ t, query, from, to, kind })),
      lastEvents: this.#events.items().map(toEvent),
      calls: { ...this.#calls },
      cost: null,
    };
  }

  /** How a site fares so far; null for one that nobody asked. */
  readonly site = (site: string): SiteStory | null => this.#stories.site(site);

  /** The steps of a query in flight or done lately; null where they are not kept. */
  readonly timeline = (query: string): QueryTimeline | null => this.#stories.timeline(query);

  #done(completed: number): number | null {
    if (this.#untilMs !== null) return this.#untilMs === 0 ? 1 : Math.min(1, this.#t / this.#untilMs);
    if (this.#expectedQueries === null) return null;
    return this.#expectedQueries === 0 ? 1 : Math.min(1, completed / this.#expectedQueries);
  }
}

function toEvent(fact: FactOf<"intervention.applied"> | FactOf<"site.changed">): LiveEvent {
  if (fact.type === "intervention.applied") return { t: fact.t, intervention: fact.intervention };
  return { t: fact.t, site: fact.site, change: fact.change };
}
