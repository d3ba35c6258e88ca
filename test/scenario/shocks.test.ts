import { describe, expect, test } from "vitest";
import { Streams } from "../../src/kernel/random.ts";
import { documentSchema } from "../../src/scenario/document.ts";
import { type Arrival, arrivals } from "../../src/scenario/population.ts";
import { toScenario } from "../../src/scenario/schema.ts";

const topics = {
  "web-search": Array.from({ length: 40 }, (_, n) => ({ id: `t${n}`, goldSites: [n < 4 ? "a.example" : "b.example"] })),
};
const hour = 3_600_000;

function queries(...interventions: readonly unknown[]): Arrival[] {
  const scenario = toScenario(
    documentSchema.parse({
      name: "shocks",
      corpus: "none",
      until: "30h",
      population: { users: 50, arrivals: { process: "poisson", rate: "100/h" } },
      assistants: [
        { name: "large", share: 0.5, strategy: "multi-agent" },
        { name: "small", share: 0.5, strategy: "multi-agent" },
      ],
      interventions,
    }),
  );
  return [...arrivals(scenario, topics, new Streams(1, 0))];
}

const usual = queries();
const during = (all: readonly Arrival[]) => all.filter(({ atMs }) => atMs >= 10 * hour && atMs < 20 * hour);
const outside = (all: readonly Arrival[]) => all.filter(({ atMs }) => atMs < 10 * hour || atMs >= 20 * hour);
/** The standard deviation of a Poisson count, times four. */
const about = (count: number): [number, number] => [count - 4 * Math.sqrt(count), count + 4 * Math.sqrt(count)];

function expectAbout(count: number, expected: number): void {
  const [low, high] = about(expected);
  expect(count).toBeGreaterThan(low);
  expect(count).toBeLessThan(high);
}

describe("A shock of demand", () => {
  test.each([1.5, 3])("of %d adds queries, in order of time, and leaves all others as they are", (factor) => {
    const shocked = queries({ at: "10h", demand: factor, for: "10h" });
    expect(shocked.map(({ atMs }) => atMs)).toEqual(shocked.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
    expect(shocked.filter(({ query }) => !query.includes("-d"))).toEqual(usual);
    expect(outside(shocked)).toEqual(outside(usual));
    expectAbout(during(shocked).length, 1000 * factor);
    expect(new Set(shocked.map(({ query }) => query)).size).toBe(shocked.length);
  });

  test("below 1 takes queries out and leaves the rest", () => {
    const shocked = queries({ at: "10h", demand: 0.3, for: "10h" });
    expect(outside(shocked)).toEqual(outside(usual));
    expect(usual).toEqual(expect.arrayContaining(during(shocked)));
    expectAbout(during(shocked).length, 300);
  });

  test("meets another one: they multiply, and when the weaker ends the stronger holds", () => {
    const shocked = queries({ at: "10h", demand: 4, for: "20h" }, { at: "10h", demand: 0.25, for: "10h" });
    expect(during(shocked)).toEqual(during(usual));
    expectAbout(shocked.filter(({ atMs }) => atMs >= 20 * hour).length, 4000);
  });

  test("without end is a rate that is set", () => {
    const set = queries({ at: "10h", set: { population: { rate: "200/h" } } });
    expect(set.filter(({ query }) => !query.includes("-d"))).toEqual(usual);
    expectAbout(set.filter(({ atMs }) => atMs >= 10 * hour).length, 4000);
  });
});

describe("A shock of interest", () => {
  const shock = (share: number) => ({ at: "10h", "topic-shock": { "gold-sites": "a.example", share }, for: "10h" });
  const isMeant = ({ topic }: Arrival) => Number(topic.slice(1)) < 4;

  test("turns its share of the queries to its topics, and changes nothing else of any query", () => {
    const shocked = queries(shock(0.5));
    expect(outside(shocked)).toEqual(outside(usual));
    expect(shocked.map((each) => ({ ...each, topic: "" }))).toEqual(usual.map((each) => ({ ...each, topic: "" })));
    const turned = during(shocked).filter((each, n) => each.topic !== during(usual)[n]?.topic);
    expect(turned.every(isMeant)).toBe(true);
    expectAbout(during(shocked).filter(isMeant).length, 1000 * (0.5 + 0.5 * 0.1));
  });

  test("that grows turns more queries, and those that were turned to the same topics", () => {
    const [weak, strong] = [queries(shock(0.2)), queries(shock(0.6))];
    const turned = weak.filter((each, n) => each.topic !== usual[n]?.topic);
    expect(turned.length).toBeGreaterThan(100);
    expect(strong).toEqual(expect.arrayContaining(turned));
  });
});

describe("An assistant that changes", () => {
  test("in its share gains people of the other, and loses none", () => {
    const set = queries({ at: "10h", set: { assistant: "large", share: 2 } });
    const moved = set.filter((each, n) => each.assistant !== usual[n]?.assistant);
    expect(moved.length).toBeGreaterThan(100);
    expect(moved.every(({ assistant, atMs }) => assistant === 0 && atMs >= 10 * hour)).toBe(true);
  });

  test("in its strategy is another one from then on, with the same people", () => {
    const set = queries({ at: "10h", set: { assistant: "large", strategy: "tool-e" } });
    set.forEach((each, n) => {
      const before = usual[n] as Arrival;
      const expected = before.assistant === 0 && each.atMs >= 10 * hour ? 2 : before.assistant;
      expect(each).toEqual({ ...before, assistant: expected });
    });
  });
});
