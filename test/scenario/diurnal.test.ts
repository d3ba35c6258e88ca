import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Streams } from "../../src/kernel/random.ts";
import { DayProfile } from "../../src/scenario/day-profile.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { arrivals } from "../../src/scenario/population.ts";
import { temporaryFolder } from "./scenario-file.ts";

const hour = 3_600_000;
const { write } = temporaryFolder();

/** Night, half a day at one rate, an evening at three times that rate. */
const profile = [...Array<number>(6).fill(0), ...Array<number>(12).fill(1), ...Array<number>(6).fill(3)];

describe("A day's profile", () => {
  test("keeps the mean: after a day of operational time a day has passed", () => {
    const day = new DayProfile(profile);
    for (const days of [1, 2, 7]) expect(day.timeAt(days * 24 * hour - 1e-6)).toBeCloseTo(days * 24 * hour, 0);
    expect(day.timeAt(0)).toBe(6 * hour);
  });

  test("never goes back in time, and is the clock itself where all hours are alike", () => {
    const times = fc.array(fc.integer({ min: 0, max: 5 * 24 * hour }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 24, maxLength: 24 }), times, (weights, at) => {
        const day = new DayProfile(weights);
        const sorted = [...at].sort((a, b) => a - b).map((time) => day.timeAt(time));
        for (const [index, time] of sorted.slice(1).entries())
          expect(time).toBeGreaterThanOrEqual(sorted[index] as number);
        const even = new DayProfile(Array<number>(24).fill(weights[0] as number));
        for (const time of at) expect(even.timeAt(time)).toBeCloseTo(time, 3);
      }),
    );
  });
});

describe("Diurnal arrivals", () => {
  const scenario = (process: string) =>
    loadScenario(
      write(
        `${process.length}.yaml`,
        `name: diurnal
corpus: atlas
until: 10d
population:
  arrivals: ${process}
assistants: [{ strategy: classic-ir }]
`,
      ),
    ).scenario;
  const topics = { "web-search": [{ id: "one" }] };
  const drawn = (process: string) => [...arrivals(scenario(process), topics, new Streams(1, 0))];

  test("come at the rate of each hour, and at the mean rate over days", () => {
    const times = drawn(`{ process: diurnal, rate: 100/h, profile: [${profile}] }`).map(({ atMs }) => atMs);
    // 24,000 are expected; five standard deviations are 775.
    expect(Math.abs(times.length - 24_000)).toBeLessThan(775);
    const inHours = (from: number, to: number) =>
      times.filter((time) => (time / hour) % 24 >= from && (time / hour) % 24 < to).length;
    expect(inHours(0, 6)).toBe(0);
    expect(inHours(18, 24) / inHours(6, 18)).toBeCloseTo(1.5, 1);
  });

  test("of an even day are those of a Poisson process of the same rate", () => {
    const even = drawn(`{ process: diurnal, rate: 20/h, profile: [${Array<number>(24).fill(2)}] }`);
    const poisson = drawn("{ process: poisson, rate: 20/h }");
    expect(even.length).toBe(poisson.length);
    even.forEach((arrival, index) => {
      expect(Math.abs(arrival.atMs - (poisson[index]?.atMs as number))).toBeLessThanOrEqual(1);
      expect({ ...arrival, atMs: 0 }).toEqual({ ...poisson[index], atMs: 0 });
    });
  });

  test("want 24 weights", () => {
    expect(() => scenario("{ process: diurnal, rate: 20/h, profile: [1, 2] }")).toThrow(/a list of 24 weights/);
    expect(() => scenario(`{ process: diurnal, rate: 20/h, profile: [${Array<number>(24).fill(0)}] }`)).toThrow(
      /not all 0/,
    );
  });
});
