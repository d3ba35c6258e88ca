import { hash32, hashUniform, type Streams } from "../kernel/random.ts";
import type { Interests, Intervention, TaskShares } from "./interventions.ts";
import type { Arrivals, Scenario } from "./schema.ts";

/** The population from a time on, until the next intervention sets something else. */
export interface PopulationThen {
  readonly fromMs: number;
  readonly ratePerHour: number | null;
  readonly interests: Interests;
  readonly tasks: TaskShares;
  /** The shares of the assistants that the run begins with; they need not sum to 1. */
  readonly shares: readonly number[];
  /** The assistant in the place of each of these; undefined where it is itself. */
  readonly standIn: readonly (number | undefined)[];
}

const known = new WeakMap<Scenario, readonly PopulationThen[]>();

/** The population at a time; the same object for all times between two changes. */
export function populationAt(scenario: Scenario, atMs: number): PopulationThen {
  const all = known.get(scenario) ?? changes(scenario);
  known.set(scenario, all);
  return all.findLast(({ fromMs }) => fromMs <= atMs) as PopulationThen;
}

function changes({ population, assistants, interventions }: Scenario): PopulationThen[] {
  const first = assistants.filter(({ madeBy }) => madeBy === undefined);
  const { arrivals } = population;
  let now: PopulationThen = {
    fromMs: 0,
    ratePerHour: rateOf(arrivals),
    interests: population.interests,
    tasks: population.tasks,
    shares: first.map(({ share }) => share),
    standIn: first.map(() => undefined),
  };
  const all = [now];
  for (const each of interventions) {
    if (each.kind === "set-population") {
      const { atMs, ratePerHour = now.ratePerHour, interests = now.interests, tasks = now.tasks } = each;
      all.push((now = { ...now, fromMs: atMs, ratePerHour, interests, tasks }));
    } else if (each.kind === "set-assistant") {
      const { share, becomes } = each;
      const index = first.findIndex(({ name }) => name === each.assistant);
      const shares = share === undefined ? now.shares : now.shares.with(index, share);
      const standIn = becomes === undefined ? now.standIn : now.standIn.with(index, becomes);
      all.push((now = { ...now, fromMs: each.atMs, shares, standIn }));
    }
  }
  return all;
}

/** The rate that an intervention can change; null where there is none. */
function rateOf(arrivals: Arrivals): number | null {
  return arrivals.process === "poisson" || arrivals.process === "diurnal" ? arrivals.ratePerHour : null;
}

/** How many times the rate of the arrival process there is at a time, and at most. */
export function demandFactor(scenario: Scenario): {
  readonly at: (atMs: number) => number;
  readonly most: number;
  readonly isConstant: boolean;
} {
  const { interventions } = scenario;
  const shocks = interventions.filter((each): each is Demand => each.kind === "demand");
  const rate = rateOf(scenario.population.arrivals);
  const at = (atMs: number): number => {
    const now = populationAt(scenario, atMs).ratePerHour;
    const factor = now === null || rate === null ? 1 : now / rate;
    return shocks.reduce((product, shock) => (lasts(shock, atMs) ? product * shock.factor : product), factor);
  };
  const turns = [0, ...interventions.map(({ atMs }) => atMs), ...shocks.map(({ atMs, forMs }) => atMs + forMs)];
  const isConstant = turns.every((atMs) => at(atMs) === 1);
  return { at, most: Math.max(...turns.map(at)), isConstant };
}

type Demand = Extract<Intervention, { kind: "demand" }>;
type TopicShock = Extract<Intervention, { kind: "topic-shock" }>;

function lasts({ atMs: from, forMs }: Demand | TopicShock, atMs: number): boolean {
  return from <= atMs && atMs < from + forMs;
}

/**
 * The topic that a shock of interest turns a query to; null where it keeps its own. Each query has its own luck, and
 * each topic its own luck with the query, whatever else there is.
 */
export function shockedTopic(
  { interventions }: Scenario,
  atMs: number,
  query: string,
  topics: readonly { readonly id: string; readonly goldSites?: readonly string[] }[],
  streams: Streams,
): string | null {
  const shock = interventions.findLast((each): each is TopicShock => each.kind === "topic-shock" && lasts(each, atMs));
  if (shock === undefined) return null;
  const seed = streams.seedFor("topic-shock", query);
  if (hashUniform(seed, 0) >= shock.share) return null;
  let best: string | null = null;
  let least = Infinity;
  for (const { id, goldSites = [] } of topics) {
    const isMeant = shock.topics?.includes(id) ?? goldSites.some((site) => shock.goldSites?.includes(site));
    const luck = isMeant ? hashUniform(seed, hash32(id)) : Infinity;
    if (luck < least) [best, least] = [id, luck];
  }
  return best;
}
