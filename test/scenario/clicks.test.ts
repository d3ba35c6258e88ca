import { describe, expect, test } from "vitest";
import { type Clicks, clicked } from "../../src/scenario/clicks.ts";

const places = ["a.example", "b.example", "c.example", "d.example"];
const seeds = Array.from({ length: 40_000 }, (_, seed) => Math.imul(seed, 0x9e3779b1) >>> 0);

/** The share of people who click each place. */
function rates(clicks: Clicks): number[] {
  const counts = new Map(places.map((place) => [place, 0]));
  for (const seed of seeds)
    for (const place of clicked(places, (name) => name, clicks, seed))
      counts.set(place, (counts.get(place) as number) + 1);
  return places.map((place) => (counts.get(place) as number) / seeds.length);
}

describe("Clicks on what an answer cites", () => {
  test("by the position-based model fall from place to place by its factor", () => {
    const found = rates({ model: "position-based", attraction: 0.4, examination: 0.5 });
    [0.4, 0.2, 0.1, 0.05].forEach((expected, rank) => {
      // Five standard deviations of a share of 40,000.
      expect(Math.abs((found[rank] as number) - expected)).toBeLessThan(
        5 * Math.sqrt((expected * (1 - expected)) / 40_000),
      );
    });
  });

  test("by the cascade model come only where no click before them satisfied", () => {
    const found = rates({ model: "cascade", attraction: 0.4, satisfaction: 0.5 });
    let examined = 1;
    for (const rate of found) {
      const expected = 0.4 * examined;
      expect(Math.abs(rate - expected)).toBeLessThan(5 * Math.sqrt((expected * (1 - expected)) / 40_000));
      examined *= 1 - 0.4 * 0.5;
    }
    expect(
      seeds.every(
        (seed) =>
          clicked(places, (name) => name, { model: "cascade", attraction: 1, satisfaction: 1 }, seed).length === 1,
      ),
    ).toBe(true);
  });

  test("without a model there are none", () => {
    expect(rates({ model: "none" })).toEqual([0, 0, 0, 0]);
  });

  test("a place's luck stays its own when a place behind it goes", () => {
    const how: Clicks = { model: "position-based", attraction: 0.5, examination: 0.8 };
    for (const seed of seeds.slice(0, 500)) {
      const all = clicked(places, (name) => name, how, seed).filter((place) => place !== "d.example");
      expect(clicked(places.slice(0, 3), (name) => name, how, seed)).toEqual(all);
    }
  });
});
