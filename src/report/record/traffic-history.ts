import { type Concentration, concentration } from "../../metrics/concentration.ts";
import { thinWindow } from "../../statistics/concentration-windows.ts";
import type { Traffic, TrafficMeasure, TrafficWindow } from "../../statistics/traffic.ts";
import { trafficMeasures } from "../../statistics/traffic.ts";

/** The most windows that a report draws; of more, neighbours are put together. */
const mostWindows = 200;

/** What happened to the world, as a chart marks it. */
export interface Mark {
  readonly t: number;
  /** Where it lasts and ends within the run. */
  readonly endMs: number | null;
  readonly label: string;
}

/** The windows of a run in their order. Its size does not grow with the length of the run. */
export class TrafficHistory {
  #windows: TrafficWindow[] = [];
  /** How many of the run's windows stand in one of these. */
  merged = 1;
  #pending: TrafficWindow[] = [];

  add(window: TrafficWindow): void {
    this.#pending.push(window);
    if (this.#pending.length < this.merged) return;
    this.#windows.push(together(this.#pending));
    this.#pending = [];
    if (this.#windows.length < mostWindows) return;
    this.merged *= 2;
    this.#windows = this.#windows
      .filter((_, index) => index % 2 === 0)
      .map((first, index) => together([first, this.#windows[2 * index + 1] as TrafficWindow]));
  }

  get windows(): readonly TrafficWindow[] {
    return this.#pending.length === 0 ? this.#windows : [...this.#windows, together(this.#pending)];
  }
}

/** A window's concentration over the declared sites; null where it is too thin to say. */
export function windowConcentration(
  { traffic }: TrafficWindow,
  measure: TrafficMeasure,
  sites: readonly string[],
): Concentration | null {
  const counts = sites.map((site) => traffic[measure].get(site) ?? 0);
  const result = concentration(counts);
  return result.n < thinWindow ? null : result;
}

export function totalOf(window: TrafficWindow, measure: TrafficMeasure): number {
  let sum = 0;
  for (const value of window.traffic[measure].values()) sum += value;
  return sum;
}

function together(windows: readonly TrafficWindow[]): TrafficWindow {
  const [first, last] = [windows[0], windows.at(-1)] as [TrafficWindow, TrafficWindow];
  if (windows.length === 1) return first;
  const traffic = Object.fromEntries(
    trafficMeasures.map((measure) => {
      const sums = new Map<string, number>();
      for (const window of windows) {
        for (const [site, value] of window.traffic[measure]) sums.set(site, (sums.get(site) ?? 0) + value);
      }
      return [measure, sums];
    }),
  ) as unknown as Traffic;
  return { startMs: first.startMs, endMs: last.endMs, traffic };
}
