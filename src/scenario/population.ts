import type { TaskName } from "../corpora/format.ts";
import { Zipf } from "../kernel/distributions.ts";
import { gumbel, hash32, hashUniform, type Stream, type Streams } from "../kernel/random.ts";
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
export type Topics = Readonly<Partial<Record<TaskName, readonly { readonly id: string }[]>>>;

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

function* randomTopics(
  scenario: Scenario,
  process: Process<"poisson" | "trace">,
  topics: Topics,
  streams: Streams,
): Generator<Arrival, undefined> {
  const chooseTask = race("task", taskShares(scenario), streams);
  const chooseTopic = topicChooser(scenario, topics, streams);
  const chooseAssistant = assistantChooser(scenario, streams);
  let clock = 0;
  for (let n = 1; ; n++) {
    const query = `q${String(n).padStart(6, "0")}`;
    const stream = streams.stream("arrival", query);
    clock =
      process.process === "poisson" ? clock + gapMs(process.ratePerHour, stream) : (process.timesMs[n - 1] ?? Infinity);
    const atMs = Math.floor(clock);
    if (atMs >= (scenario.untilMs ?? Infinity)) return;
    const user = chooseUser(scenario, stream);
    const task = chooseTask(query);
    yield { atMs, query, user, task, topic: chooseTopic(task, stream), assistant: chooseAssistant(user) };
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
  const slots = taskShares(scenario).flatMap(([task, share]) => {
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
    for (const assistant of scenario.assistants.keys()) yield { ...slot, query: `${id}-${assistant}`, assistant };
  }
}

function taskShares({ population }: Scenario): [TaskName, number][] {
  return Object.entries(population.tasks) as [TaskName, number][];
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

function assistantChooser({ assistants }: Scenario, streams: Streams): (user: string) => number {
  const names = assistants.map(({ name }, index) => name ?? `assistant ${index}`);
  const choose = race(
    "assistant",
    names.map((name, index) => [name, assistants[index]!.share] as const),
    streams,
  );
  const chosen = new Map<string, number>();
  return (user) => {
    const index = chosen.get(user) ?? names.indexOf(choose(user));
    chosen.set(user, index);
    return index;
  };
}

function topicChooser(
  { population: { interests } }: Scenario,
  topics: Topics,
  streams: Streams,
): (task: TaskName, stream: Stream) => string {
  const exponent = interests.topics === "zipf" ? interests.exponent : 0;
  const tables = new Map<TaskName, { ranked: string[]; ranks: Zipf }>();
  return (task, stream) => {
    let table = tables.get(task);
    if (table === undefined) {
      const ranked = byPopularity(
        topics[task]!.map(({ id }) => id),
        task,
        streams,
      );
      table = { ranked, ranks: new Zipf(ranked.length, exponent) };
      tables.set(task, table);
    }
    return table.ranked[table.ranks.sample(stream) - 1]!;
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
