import { describe, expect, test } from "vitest";
import { Streams } from "../../src/kernel/random.ts";
import { type LoadOptions, loadScenario } from "../../src/scenario/load.ts";
import { type Arrival, arrivals, type Topics } from "../../src/scenario/population.ts";
import { temporaryFolder } from "./scenario-file.ts";

const { write } = temporaryFolder();
const file = write(
  "population.yaml",
  `name: population
corpus: atlas
until: 5d
population:
  users: 200
  arrivals: { process: poisson, rate: 100/h }
  tasks: { web-search: 0.7, question-answering: 0.3 }
assistants:
  - { share: 0.5, strategy: multi-agent, name: one }
  - { share: 0.3, strategy: multi-agent, name: two }
  - { share: 0.2, strategy: classical, name: three }
`,
);
const topicsOf = (prefix: string, n: number) => Array.from({ length: n }, (_, i) => ({ id: `${prefix}-${i}` }));
const topics: Topics = { "web-search": topicsOf("ws", 50), "question-answering": topicsOf("qa", 30) };

function draw(set: LoadOptions["set"] = [], from: Topics = topics, streams = new Streams(1, 0)): Arrival[] {
  return [...arrivals(loadScenario(file, { set }).scenario, from, streams)];
}

function share(of: readonly Arrival[], which: (arrival: Arrival) => boolean): number {
  return of.filter(which).length / of.length;
}

describe("Poisson arrivals", () => {
  const day = draw();

  test("come at the rate, with exponential gaps, in order of time, before until", () => {
    // 12,000 expected: five standard deviations of a Poisson count are 548.
    expect(Math.abs(day.length - 12_000)).toBeLessThan(548);
    const gaps = day.slice(1).map(({ atMs }, i) => atMs - day[i]!.atMs);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const variance = gaps.reduce((sum, gap) => sum + (gap - mean) * (gap - mean), 0) / gaps.length;
    expect(Math.sqrt(variance) / mean).toBeCloseTo(1, 1);
    expect(day.at(-1)!.atMs).toBeLessThan(5 * 86_400_000);
    for (const { atMs } of day.slice(0, 100)) expect(Number.isInteger(atMs)).toBe(true);
  });

  test("have ids from q000001 on, users u1 to u200, tasks by share, topics evenly", () => {
    expect(day.slice(0, 2).map(({ query }) => query)).toEqual(["q000001", "q000002"]);
    expect(new Set(day.map(({ query }) => query)).size).toBe(day.length);
    expect(new Set(day.map(({ user }) => user))).toEqual(new Set(Array.from({ length: 200 }, (_, i) => `u${i + 1}`)));
    expect(share(day, ({ task }) => task === "web-search")).toBeCloseTo(0.7, 1.5);
    expect(share(day, ({ topic }) => topic === "qa-3")).toBeCloseTo(0.3 / 30, 2);
    for (const { task, topic } of day.slice(0, 200)) {
      expect(topic.startsWith(task === "web-search" ? "ws-" : "qa-")).toBe(true);
    }
  });

  test("a user stays with one assistant; assistants have their shares of the users", () => {
    const many = draw(["population.users=5000"]);
    const assistantOf = new Map(many.map(({ user, assistant }) => [user, assistant]));
    expect(many.filter(({ user, assistant }) => assistantOf.get(user) !== assistant)).toEqual([]);
    const users = [...assistantOf.values()];
    for (const [index, expected] of [0.5, 0.3, 0.2].entries()) {
      expect(users.filter((assistant) => assistant === index).length / users.length).toBeCloseTo(expected, 1.4);
    }
  });

  test("the same seed gives the same sequence, another seed or replication another one", () => {
    expect(JSON.stringify(draw())).toBe(JSON.stringify(day));
    expect(draw([], topics, new Streams(2, 0)).slice(0, 5)).not.toEqual(day.slice(0, 5));
    expect(draw([], topics, new Streams(1, 1)).slice(0, 5)).not.toEqual(day.slice(0, 5));
  });

  test("are made one at a time: a run without an end would never be drawn whole", () => {
    const { scenario } = loadScenario(file, { set: ["until=100000d"] });
    expect(arrivals(scenario, topics, new Streams(1, 0)).next().value).toEqual(day[0]);
  });
});

describe("common random numbers", () => {
  const day = draw(["until=2d"]);
  const pairs = (other: Arrival[]) => day.map((arrival, i) => [arrival, other[i]!] as const);

  test("without one assistant only its own users change", () => {
    const two = draw([
      "until=2d",
      "assistants=[{share: 0.5, strategy: multi-agent, name: one}, {share: 0.3, strategy: multi-agent, name: two}]",
    ]);
    expect(two).toHaveLength(day.length);
    for (const [before, after] of pairs(two)) {
      expect({ ...after, assistant: 0 }).toEqual({ ...before, assistant: 0 });
      if (before.assistant < 2) expect(after.assistant).toBe(before.assistant);
    }
    expect(day.some(({ assistant }) => assistant === 2)).toBe(true);
  });

  test("other topics leave times, users, tasks and assistants as they are", () => {
    const fewer = draw(["until=2d"], { ...topics, "web-search": topicsOf("ws", 20) });
    expect(fewer).toHaveLength(day.length);
    for (const [before, after] of pairs(fewer)) {
      expect({ ...after, topic: "" }).toEqual({ ...before, topic: "" });
      if (before.task === "question-answering") expect(after.topic).toBe(before.topic);
    }
  });

  test("without one task only its own queries change", () => {
    const one = draw(["until=2d", "population.tasks={ web-search: 1 }"]);
    for (const [before, after] of pairs(one)) {
      expect([after.atMs, after.user, after.assistant]).toEqual([before.atMs, before.user, before.assistant]);
      if (before.task === "web-search") expect(after.topic).toBe(before.topic);
    }
  });

  test("a longer run begins like a shorter one", () => {
    expect(draw(["until=3d"]).slice(0, day.length)).toEqual(day);
  });
});

describe("interests", () => {
  test("zipf: popularity falls with rank, by an order that is not the file's", () => {
    const zipf = ["population.interests={ topics: zipf, exponent: 1 }", "population.tasks={ web-search: 1 }"];
    const counts = new Map<string, number>();
    for (const { topic } of draw(zipf)) counts.set(topic, (counts.get(topic) ?? 0) + 1);
    const ranked = [...counts].sort((a, b) => b[1] - a[1]);
    // Harmonic number of 50: 4.4992.
    expect(ranked[0]![1] / 12_000).toBeCloseTo(1 / 4.4992, 1.4);
    expect(ranked[0]![1] / ranked[9]![1]).toBeCloseTo(10, -0.6);
    expect(ranked.slice(0, 5).map(([topic]) => topic)).not.toEqual(topicsOf("ws", 5).map(({ id }) => id));
    const reversed = draw(zipf, { "web-search": topicsOf("ws", 50).reverse() });
    expect(JSON.stringify(reversed)).toBe(JSON.stringify(draw(zipf)));
  });
});

describe("every topic", () => {
  const set = ["population.arrivals={ process: every-topic, rate: 60/h }"];

  test("arrives once at every assistant, at the same time, from the same user", () => {
    const all = draw(set);
    expect(all).toHaveLength(80 * 3);
    const ids = new Set(all.map(({ topic }) => topic));
    expect(ids.size).toBe(80);
    for (const id of ids) {
      const group = all.filter(({ topic }) => topic === id);
      expect(group.map(({ query }) => query)).toEqual([0, 1, 2].map((index) => `${id}-${index}`));
      expect(group.map(({ assistant }) => assistant)).toEqual([0, 1, 2]);
      expect(new Set(group.map(({ atMs, user }) => `${atMs} ${user}`)).size).toBe(1);
    }
    expect(all.map(({ atMs }) => atMs)).toEqual(all.map(({ atMs }) => atMs).sort((a, b) => a - b));
  });

  test("comes at the rate", () => {
    const many = draw([...set, "until=20d"], {
      "web-search": topicsOf("ws", 7000),
      "question-answering": topicsOf("qa", 3000),
    });
    // 10,000 topics at 60 an hour take 10,000 minutes.
    expect(many.at(-1)!.atMs / 60_000 / 10_000).toBeCloseTo(1, 1.3);
  });

  test("the number of topics, the other task's topics and the assistants shift nobody's time", () => {
    const times = (arrivals: Arrival[]) => new Map(arrivals.map(({ topic, atMs, user }) => [topic, `${atMs} ${user}`]));
    const all = times(draw(set));
    const first = draw(["population.arrivals={ process: every-topic, rate: 60/h, topics: 10 }"]);
    expect(first).toHaveLength(2 * 10 * 3);
    for (const [topic, time] of times(first)) expect(all.get(topic)).toBe(time);
    expect(times(draw([...set, "assistants=[{ strategy: classical }]"]))).toEqual(all);
    const fewer = times(draw(set, { ...topics, "question-answering": topicsOf("qa", 1) }));
    for (const [topic, time] of fewer) expect(all.get(topic)).toBe(time);
  });

  test("query ids are fit for file names and differ even where topic ids do not", () => {
    const odd = draw(set, {
      "web-search": [{ id: "a/b" }, { id: "a b" }, { id: "1" }],
      "question-answering": [{ id: "1" }, { id: "../x" }],
    });
    const ids = odd.map(({ query }) => query);
    expect(new Set(ids).size).toBe(15);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9._-]+$/);
    expect(ids).toContain("a_b-0");
    expect(ids).toContain("question-answering.1-0");
  });

  test("until cuts it", () => {
    const cut = draw([...set, "until=10m"]);
    expect(cut.length).toBeGreaterThan(0);
    expect(cut.length).toBeLessThan(60);
    expect(cut).toEqual(draw(set).slice(0, cut.length));
  });
});

test("a trace's queries come at its times, before until", () => {
  const set = ["population.arrivals={ process: trace, times: [3s, 1s, 1s, 2h] }", "until=1h"];
  expect(draw(set).map(({ atMs, query }) => [atMs, query])).toEqual([
    [1000, "q000001"],
    [1000, "q000002"],
    [3000, "q000003"],
  ]);
});
