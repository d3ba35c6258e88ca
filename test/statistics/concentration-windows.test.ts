import { describe, expect, it } from "vitest";
import { Categorical } from "../../src/kernel/categorical.ts";
import { Streams } from "../../src/kernel/random.ts";
import { herfindahlBand, unbiasedHerfindahl } from "../../src/metrics/concentration.ts";
import { ConcentrationWindows, type WindowFigure } from "../../src/statistics/concentration-windows.ts";
import type { FactBody } from "../../src/trace/facts.ts";
import { cited, completed, state } from "./facts.ts";

const sites = Array.from({ length: 20 }, (_, index) => `s${index}.example`);
const shares = new Categorical(sites.map((_, index) => 1 / (index + 1)));

/** Windows of a minute with so many queries each, of which each cites three sites drawn by their shares. */
function watched(queries: readonly number[], seed = 1): WindowFigure[] {
  const figures: WindowFigure[] = [];
  const stream = new Streams(seed, 0).stream("test", "citations");
  const facts: [number, FactBody][] = [];
  queries.forEach((count, window) => {
    for (let n = 0; n < count; n++) {
      const query = `w${window}q${n}`;
      const arrived = { task: "web-search", strategy: "classical", model: "m", thinking: true } as const;
      facts.push([
        window * 60_000,
        { type: "query.arrived", query, topic: `t${n % 60}`, user: `u${n % 40}`, ...arrived },
      ]);
      for (let rank = 0; rank < 3; rank++) {
        const site = sites[stream.categorical(shares)] as string;
        facts.push([window * 60_000, cited(query, site, `${site}/${rank}`)]);
      }
      facts.push([window * 60_000, completed(query)]);
    }
    facts.push([
      (window + 1) * 60_000,
      { type: "window.closed", startMs: window * 60_000, endMs: (window + 1) * 60_000 },
    ]);
  });
  const draws = new Streams(seed, 0).stream("test", "bootstrap");
  state(
    new ConcentrationWindows(
      sites,
      () => draws.uniform(),
      (figure) => figures.push(figure),
    ).listen,
    facts,
  );
  return figures;
}

const of = (figures: readonly WindowFigure[], statistic: string, endMs: number, startMs = endMs - 60_000) =>
  figures.find(
    (each) =>
      each.statistic === statistic && each.endMs === endMs && each.startMs === startMs && each.measure === "citations",
  );

describe("Concentration of windows", () => {
  const figures = watched([120, 120, 30]);

  it("has the values of the measures, with intervals around them that are not points", () => {
    const hhi = of(figures, "hhiUnbiased", 60_000) as WindowFigure;
    expect(hhi.n).toBe(360);
    expect(hhi.sites).toBe(20);
    expect(hhi.low).toBeLessThan(hhi.value);
    expect(hhi.high).toBeGreaterThan(hhi.value);
    const effective = of(figures, "effectiveSites", 60_000) as WindowFigure;
    expect(effective.value).toBeCloseTo(1 / hhi.value, 9);
    expect(effective.low).toBeCloseTo(1 / (hhi.high as number), 9);
  });

  it("leaves the Herfindahl index of a thin window out, and keeps the rest", () => {
    expect(of(figures, "hhiUnbiased", 180_000)).toBeUndefined();
    expect(of(figures, "effectiveSites", 180_000)).toBeUndefined();
    expect(of(figures, "hhiUnbiasedNoChange", 180_000)).toBeUndefined();
    expect(of(figures, "top10", 180_000)?.n).toBe(90);
  });

  it("cumulates, and says how ranks moved since the window before", () => {
    expect(of(figures, "coverage", 180_000, 0)?.n).toBe(810);
    expect(of(figures, "coverage", 60_000, 0)).toBe(of(figures, "coverage", 60_000));
    expect(of(figures, "kendallTauB", 60_000)).toBeUndefined();
    for (const statistic of ["kendallTauB", "rankBiasedOverlap"]) {
      expect(of(figures, statistic, 120_000)?.value).toBeGreaterThan(0.3);
    }
    expect(of(figures, "top10Flux", 120_000)?.value).toBeLessThan(0.5);
  });

  it("covers the true index in about 95 of 100 windows, and erring on the wide side", () => {
    const truth = sites.reduce((sum, _, index) => sum + shares.probability(index) ** 2, 0);
    let covered = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const { low, high } = of(watched([100], seed), "hhiUnbiased", 60_000) as WindowFigure;
      if ((low as number) <= truth && truth <= (high as number)) covered++;
    }
    expect(covered).toBeGreaterThanOrEqual(53); // 0.95 of 60, less two and a half standard deviations
  });
});

describe("The no-change band of the Herfindahl index", () => {
  it("holds 95 of 100 multinomial samples", () => {
    const stream = new Streams(3, 0).stream("test", "band");
    const weights = sites.map((_, index) => 1 / (index + 1));
    for (const n of [20, 200, 1000]) {
      const band = herfindahlBand(weights, n) as { value: number; low: number; high: number };
      let inside = 0;
      for (let sample = 0; sample < 1000; sample++) {
        const counts = sites.map(() => 0);
        for (let event = 0; event < n; event++) {
          const site = stream.categorical(shares);
          counts[site] = (counts[site] as number) + 1;
        }
        const index = unbiasedHerfindahl(counts) as number;
        if (band.low <= index && index <= band.high) inside++;
      }
      // The estimate is skewed to the right when few events are seen.
      expect(inside).toBeGreaterThan(n < 100 ? 920 : 930);
      expect(inside).toBeLessThan(975);
    }
  });

  it("is none without events", () => {
    expect(herfindahlBand([0, 0], 10)).toBeNull();
    expect(herfindahlBand([1, 2], 1)).toBeNull();
  });
});
