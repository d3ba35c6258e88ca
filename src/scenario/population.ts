import type { TaskName } from "../corpora/format.ts";
import { Zipf } from "../kernel/distributions.ts";
import { gumbel, hash32, hashUniform, type Stream, type Streams } from "../kernel/random.ts";
import { DayProfile } from "./day-profile.ts";
import { demandFactor, type PopulationThen, populationAt, shockedTopic } from "./population-changes.ts";
import type { TaskShares } from "./interventions.ts";
import type { Arrivals, Scenario } from "./schema.ts";

/** A query that a user puts to an assistant. */
export interface Arrival {
  readonly atMs: number;
  readonly query: string;
  readonly user: string;
  readonly task: TaskName;
  readonly topic: string;
  /** Index into the scenario's assistants. */
  readonly assistant: number;
}

/** The topics of each task, in the order of the corpus. Every task in use has at least one. */
export type Topics = Readonly<Partial<Record<TaskName, readonly Topic[]>>>;

interface Topic {
  readonly id: string;
  /** The sites that hold its relevant pages. */
  readonly goldSites?: readonly string[];
}

/**
 * The queries of a run, made one at a time, in order of time. Each is drawn from the stream of its own id, so that a
 * change of tasks, topics or assistants leaves the times of all queries as they are. A person uses one assistant.
 */
export function arrivals(scenario: Scenario, topics: Topics, streams: Streams): IterableIterator<Arrival> {
  const { arrivals: process } = scenario.population;
  return process.process === "every-topic"
    ? everyTopic(scenario, process, topics, streams)
    : randomTopics(scenario, process, topics, streams);
}

type Process<Name extends Arrivals["process"]> = Extract<Arrivals, { process: Name }>;

/**
 * The arrivals of a process, and where interventions raise its rate, those of copies of it: the n-th copy is drawn like
 * the process itself, its queries are called `<query>-d<n>`. Every query stays or goes by a draw of its own, so that a
 * shock of demand adds queries or takes some out, and changes none of the others.
 */
function* randomTopics(
  scenario: Scenario,
  process: Process<"poisson" | "diurnal" | "trace">,
  topics: Topics,
  streams: Streams,
): Generator<Arrival, undefined> {
  const factor = demandFactor(scenario);
  const chooseTopic = topicChooser(topics, streams);
  const choose = choosers(scenario, streams);
  const keep = (copy: number) => (slot: Slot) =>
    hashUniform(streams.seedFor("demand", slot.query), 0) < factor.at(slot.atMs) - copy;
  const copies = Array.from({ length: Math.max(1, Math.ceil(factor.most)) }, (_, copy) =>
    filtered(slots(scenario, process, copy === 0 ? "" : `-d${copy}`, streams), factor.isConstant ? null : keep(copy)),
  );
  for (const { atMs, query, stream } of merged(copies)) {
    const then = populationAt(scenario, atMs);
    const user = chooseUser(scenario, stream);
    const task = choose.task(then, query);
    const usual = chooseTopic(then, task, stream);
    const topic = shockedTopic(scenario, atMs, query, topics[task] ?? [], streams) ?? usual;
    yield { atMs, query, user, task, topic, assistant: choose.assistant(then, user) };
  }
}

/** A query with its time, and the stream that the rest of it is drawn from. */
interface Slot {
  readonly atMs: number;
  readonly query: string;
  readonly stream: Stream;
}

function* slots(
  { untilMs = Infinity }: Scenario,
  process: Process<"poisson" | "diurnal" | "trace">,
  suffix: string,
  streams: Streams,
): Generator<Slot, undefined> {
  const day = process.process === "diurnal" ? new DayProfile(process.profile) : null;
  let clock = 0;
  for (let n = 1; ; n++) {
    const query = `q${String(n).padStart(6, "0")}${suffix}`;
    const stream = streams.stream("arrival", query);
    clock =
      process.process === "trace" ? (process.timesMs[n - 1] ?? Infinity) : clock + gapMs(process.ratePerHour, stream);
    const atMs = Math.floor(day === null ? clock : day.timeAt(clock));
    if (atMs >= untilMs) return;
    yield { atMs, query, stream };
  }
}

function* filtered(
  all: Generator<Slot, undefined>,
  keep: ((slot: Slot) => boolean) | null,
): Generator<Slot, undefined> {
  for (const slot of all) if (keep === null || keep(slot)) yield slot;
}

/** By time; those of one time in the order of the lists. */
function* merged(lists: readonly Generator<Slot, undefined>[]): Generator<Slot, undefined> {
  const heads = lists.map((list) => ({ list, next: list.next() }));
  for (;;) {
    let first: (typeof heads)[number] | null = null;
    for (const head of heads) {
      if (head.next.done === true) continue;
      if (first === null || head.next.value.atMs < (first.next.value as Slot).atMs) first = head;
    }
    if (first === null) return;
    yield first.next.value as Slot;
    first.next = first.list.next();
  }
}

/** Each task's topics arrive in the order of the corpus, in a Poisson process of the task's share of the rate. */
function* everyTopic(
  scenario: Scenario,
  process: Process<"every-topic">,
  topics: Topics,
  streams: Streams,
): Generator<Arrival, undefined> {
  const safeIds = new SafeIds();
  const slots = taskShares(scenario.population.tasks).flatMap(([task, share]) => {
    let clock = 0;
    return (topics[task] ?? []).slice(0, process.topics).map(({ id }) => {
      const stream = streams.stream("arrival", `${task}/${id}`);
      clock += gapMs(process.ratePerHour * share, stream);
      const user = chooseUser(scenario, stream);
      return { atMs: Math.floor(clock), task, topic: id, user, id: safeIds.make(task, id) };
    });
  });
  // A stable sort: topics of one task keep their order, tasks that of the scenario.
  slots.sort((a, b) => a.atMs - b.atMs);
  for (const { id, ...slot } of slots) {
    if (slot.atMs >= (scenario.untilMs ?? Infinity)) return;
    for (const [index, { madeBy }] of scenario.assistants.entries()) {
      if (madeBy !== undefined) continue;
      const assistant = populationAt(scenario, slot.atMs).standIn[index] ?? index;
      yield { ...slot, query: `${id}-${index}`, assistant };
    }
  }
}

function taskShares(tasks: TaskShares): [TaskName, number][] {
  return Object.entries(tasks) as [TaskName, number][];
}

function gapMs(ratePerHour: number, stream: Stream): number {
  return stream.exponential(3_600_000 / ratePerHour);
}

function chooseUser(scenario: Scenario, stream: Stream): string {
  return `u${stream.integer(scenario.population.users) + 1}`;
}

/**
 * Chooses a name with a probability of its share. Each name's luck with an entity depends on the two alone, so that
 * without a name only its own entities choose another one (the Gumbel-max trick).
 */
function race<Name extends string>(
  purpose: string,
  shares: readonly (readonly [Name, number])[],
  streams: Streams,
): (entity: string) => Name {
  const runners = shares.map(([name, share]) => ({ name, start: Math.log(share), key: hash32(name) }));
  if (runners.length === 1) return () => runners[0]!.name;
  return (entity) => {
    const seed = streams.seedFor(purpose, entity);
    let winner: Name | undefined;
    let best = -Infinity;
    for (const { name, start, key } of runners) {
      const score = start + gumbel(hashUniform(seed, key));
      if (score > best) [winner, best] = [name, score];
    }
    return winner!;
  };
}

/** The choices that hang on the population of the time; each is prepared once for as long as the population stays. */
function choosers({ assistants }: Scenario, streams: Streams) {
  const names = assistants.flatMap(({ name, madeBy }, index) =>
    madeBy === undefined ? [name ?? `assistant ${index}`] : [],
  );
  const tasks = prepared(({ tasks }: PopulationThen) => race("task", taskShares(tasks), streams));
  const assistantsThen = prepared(({ shares }: PopulationThen) => {
    const choose = race(
      "assistant",
      names.map((name, index) => [name, shares[index] as number] as const),
      streams,
    );
    const chosen = new Map<string, number>();
    return (user: string): number => {
      const index = chosen.get(user) ?? names.indexOf(choose(user));
      chosen.set(user, index);
      return index;
    };
  });
  return {
    task: (then: PopulationThen, query: string): TaskName => tasks(then)(query),
    assistant(then: PopulationThen, user: string): number {
      const index = assistantsThen(then)(user);
      return then.standIn[index] ?? index;
    },
  };
}

function prepared<T>(make: (then: PopulationThen) => T): (then: PopulationThen) => T {
  const made = new Map<PopulationThen, T>();
  return (then) => {
    const known = made.get(then) ?? make(then);
    made.set(then, known);
    return known;
  };
}

function topicChooser(
  topics: Topics,
  streams: Streams,
): (then: PopulationThen, task: TaskName, stream: Stream) => string {
  const rankings = new Map<TaskName, string[]>();
  const ranks = new Map<string, Zipf>();
  return ({ interests }, task, stream) => {
    const ranked =
      rankings.get(task) ??
      byPopularity(
        topics[task]!.map(({ id }) => id),
        task,
        streams,
      );
    rankings.set(task, ranked);
    const exponent = interests.topics === "zipf" ? interests.exponent : 0;
    const key = `${ranked.length} ${exponent}`;
    const zipf = ranks.get(key) ?? new Zipf(ranked.length, exponent);
    ranks.set(key, zipf);
    return ranked[zipf.sample(stream) - 1]!;
  };
}

/** A topic's popularity depends on its id and the seed, not on its place in the file. */
function byPopularity(ids: readonly string[], task: TaskName, streams: Streams): string[] {
  const seed = streams.seedFor("popularity", task);
  return ids
    .map((id) => ({ id, luck: hashUniform(seed, hash32(id)) }))
    .sort((a, b) => a.luck - b.luck || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

/** Topic ids fit for query ids (which stand in message ids and file names), made different where they become equal. */
class SafeIds {
  private readonly taken = new Set<string>();

  make(task: TaskName, topic: string): string {
    const safe = topic.replace(/[^A-Za-z0-9._-]/g, "_");
    let id = this.taken.has(safe) ? `${task}.${safe}` : safe;
    for (let n = 2; this.taken.has(id); n++) id = `${task}.${safe}.${n}`;
    this.taken.add(id);
    return id;
  }
}
