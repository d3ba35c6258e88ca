import { type Draw, percentileEnds } from "../metrics/bootstrap.ts";
import { concentration, herfindahlBand } from "../metrics/concentration.ts";
import { rankBiasedOverlap, kendall } from "../metrics/rank-correlation.ts";
import type { Fact } from "../trace/facts.ts";
import { TrafficCounter, type TrafficMeasure } from "./traffic.ts";

/** Below so many events a window says little: its Herfindahl index is left out. */
export const thinWindow = 200;

const measures = ["contacts", "documents", "citations"] as const satisfies readonly TrafficMeasure[];
const resamples = 200;
/** The persistence of rank-biased overlap: the first ten places have 86 % of the weight. */
const persistence = 0.9;
const topPlaces = 10;

const herfindahlLike = new Set(["hhi", "hhiUnbiased", "effectiveSites"]);
const ratios = ["hhi", "hhiUnbiased", "gini", "top1", "top5", "top10", "coverage"] as const;
const statistics = [...ratios, "theil"] as const;
type Statistic = (typeof statistics)[number];

/** A figure of a window; ends are null where there is no interval. */
export interface WindowFigure {
  readonly startMs: number;
  readonly endMs: number;
  readonly measure: TrafficMeasure;
  readonly statistic: string;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  /** Events that it rests on. */
  readonly n: number;
  /** Sites of the declared set. */
  readonly sites: number;
}

/** One event of a window: a site got something from a query. */
interface Event {
  readonly site: number;
  readonly topic: string;
  readonly user: string;
}

/**
 * Concentration of traffic over time: for each window that closes, the measures of `concentration` with intervals that
 * resample topics and users (never single events), the band in which the Herfindahl index stays while nothing changes,
 * the same measures cumulated, and how ranks moved since the window before. Its size grows with the events of a window
 * and the number of sites, not with the run.
 */
export class ConcentrationWindows {
  readonly #sites: ReadonlyMap<string, number>;
  readonly #draw: Draw;
  readonly #onFigure: (figure: WindowFigure) => void;
  readonly #askers = new Map<string, { topic: string; user: string }>();
  readonly #traffic: TrafficCounter;
  readonly #events = new Map<TrafficMeasure, Event[]>(measures.map((measure) => [measure, []]));
  readonly #total = new Map<TrafficMeasure, number[]>();
  readonly #before = new Map<TrafficMeasure, number[]>();

  /**
   * @param sites the declared set: all sites of the corpus
   * @param draw a source of random numbers of its own
   */
  constructor(sites: readonly string[], draw: Draw, onFigure: (figure: WindowFigure) => void) {
    this.#sites = new Map(sites.map((site, index) => [site, index]));
    this.#draw = draw;
    this.#onFigure = onFigure;
    for (const measure of measures)
      this.#total.set(
        measure,
        sites.map(() => 0),
      );
    this.#traffic = new TrafficCounter(
      () => false,
      ({ startMs, endMs }) => this.#close(startMs, endMs),
      (measure, site, query) => this.#note(measure, site, query),
    );
  }

  readonly listen = (fact: Fact): void => {
    if (fact.type === "query.arrived")
      this.#askers.set(fact.query, { topic: `${fact.task} ${fact.topic}`, user: fact.user });
    this.#traffic.listen(fact);
    if (fact.type === "query.completed") this.#askers.delete(fact.query);
  };

  #note(measure: TrafficMeasure, site: string, query: string): void {
    const asker = this.#askers.get(query);
    const index = this.#sites.get(site);
    if (asker === undefined || index === undefined) return;
    this.#events.get(measure)?.push({ site: index, ...asker });
  }

  #close(startMs: number, endMs: number): void {
    for (const measure of measures) {
      const events = this.#events.get(measure) as Event[];
      this.#events.set(measure, []);
      const counts = this.#countsOf(events);
      const total = this.#total.get(measure) as number[];
      counts.forEach((count, site) => {
        total[site] = (total[site] as number) + count;
      });
      const place = { startMs, endMs, measure, sites: this.#sites.size };
      this.#stateWindow(place, counts, events);
      this.#stateBand(place, total, events.length);
      this.#stateMobility(place, counts, events.length);
      if (startMs > 0) this.#stateCumulated({ ...place, startMs: 0 }, total);
      this.#before.set(measure, counts);
    }
  }

  #stateWindow(place: Place, counts: readonly number[], events: readonly Event[]): void {
    const found = concentration(counts);
    const ends = this.#intervals(counts, events);
    const isThin = found.n < thinWindow;
    for (const statistic of statistics) {
      const value = found[statistic];
      if (value === null || (isThin && herfindahlLike.has(statistic))) continue;
      this.#onFigure({ ...place, statistic, value, n: found.n, ...(ends.get(statistic) ?? noEnds) });
    }
    if (found.effectiveSites === null || isThin) return;
    const { low, high } = ends.get("hhiUnbiased") ?? noEnds;
    const inverse = (end: number | null) => (end === null || end === 0 ? null : 1 / end);
    const figure = { statistic: "effectiveSites", value: found.effectiveSites, n: found.n };
    this.#onFigure({ ...place, ...figure, low: inverse(high), high: inverse(low) });
  }

  /**
   * Percentile intervals of the pigeonhole bootstrap, around the mean of the resamples moved to the value: resampling
   * repeats whole queries, which by itself raises concentration.
   */
  #intervals(counts: readonly number[], events: readonly Event[]): Map<Statistic, { low: number; high: number }> {
    const topics = numbered(events.map(({ topic }) => topic));
    const users = numbered(events.map(({ user }) => user));
    const found = new Map<Statistic, { low: number; high: number }>();
    if (topics.size < 2 || users.size < 2) return found;
    const drawn = new Map(statistics.map((statistic) => [statistic, [] as number[]]));
    for (let round = 0; round < resamples; round++) {
      const topicTimes = this.#multiplicities(topics.size);
      const userTimes = this.#multiplicities(users.size);
      const resampled = counts.map(() => 0);
      events.forEach(({ site }, index) => {
        const times =
          (topicTimes[topics.of[index] as number] as number) * (userTimes[users.of[index] as number] as number);
        resampled[site] = (resampled[site] as number) + times;
      });
      const result = concentration(resampled);
      for (const statistic of statistics) {
        const value = result[statistic];
        if (value !== null) drawn.get(statistic)?.push(value);
      }
    }
    const actual = concentration(counts);
    for (const [statistic, values] of drawn) {
      const value = actual[statistic];
      if (value === null || values.length < resamples / 2) continue;
      const shift = value - values.reduce((sum, each) => sum + each, 0) / values.length;
      const { low, high } = percentileEnds(values, 0.95);
      const top = statistic === "theil" ? Math.log(counts.length) : 1;
      found.set(statistic, { low: Math.max(0, low + shift), high: Math.min(top, high + shift) });
    }
    return found;
  }

  #multiplicities(size: number): Uint32Array {
    const times = new Uint32Array(size);
    for (let i = 0; i < size; i++) {
      const drawn = (this.#draw() * size) | 0;
      times[drawn] = (times[drawn] as number) + 1;
    }
    return times;
  }

  /** What the unbiased index of a window of this size would be while the run's shares so far stay as they are. */
  #stateBand(place: Place, total: readonly number[], n: number): void {
    if (n < thinWindow) return;
    const band = herfindahlBand(total, n);
    if (band !== null) this.#onFigure({ ...place, statistic: "hhiUnbiasedNoChange", n, ...band });
  }

  #stateCumulated(place: Place, total: readonly number[]): void {
    const found = concentration(total);
    for (const statistic of [...statistics, "effectiveSites"] as const) {
      const value = found[statistic];
      if (value !== null) this.#onFigure({ ...place, statistic, value, n: found.n, ...noEnds });
    }
  }

  #stateMobility(place: Place, counts: readonly number[], n: number): void {
    const before = this.#before.get(place.measure);
    if (before === undefined || n === 0 || before.every((count) => count === 0)) return;
    const common = [...counts.keys()].filter((site) => (counts[site] as number) > 0 && (before[site] as number) > 0);
    const pick = (of: readonly number[]) => common.map((site) => of[site] as number);
    const { tauB } = kendall(pick(before), pick(counts));
    const [old, now] = [ranking(before), ranking(counts)];
    const { ext } = rankBiasedOverlap(old, now, persistence);
    const top = new Set(old.slice(0, topPlaces));
    const newcomers = now.slice(0, topPlaces).filter((site) => !top.has(site)).length;
    const figure = { ...place, n, ...noEnds };
    if (tauB !== null) this.#onFigure({ ...figure, statistic: "kendallTauB", value: tauB });
    this.#onFigure({ ...figure, statistic: "rankBiasedOverlap", value: ext });
    this.#onFigure({ ...figure, statistic: "top10Flux", value: newcomers / Math.min(topPlaces, now.length) });
  }

  #countsOf(events: readonly Event[]): number[] {
    const counts = new Array<number>(this.#sites.size).fill(0);
    for (const { site } of events) counts[site] = (counts[site] as number) + 1;
    return counts;
  }
}

type Place = Pick<WindowFigure, "startMs" | "endMs" | "measure" | "sites">;

const noEnds = { low: null, high: null };

/** The places of sites with traffic, the busiest first, ties in the order of the declared set. */
function ranking(counts: readonly number[]): string[] {
  const busy = [...counts.keys()].filter((site) => (counts[site] as number) > 0);
  return busy.sort((a, b) => (counts[b] as number) - (counts[a] as number) || a - b).map(String);
}

function numbered(names: readonly string[]): { of: Int32Array; size: number } {
  const index = new Map<string, number>();
  for (const name of names) if (!index.has(name)) index.set(name, index.size);
  return { of: Int32Array.from(names, (name) => index.get(name) as number), size: index.size };
}
