const hourMs = 3_600_000;
const hours = 24;

/**
 * How many people are about in each hour of the day, on average 1. The default is assumed: quiet at night, busy from
 * the morning on, busiest in the evening.
 */
export const assumedDay: readonly number[] = [
  0.45, 0.3, 0.2, 0.15, 0.15, 0.25, 0.45, 0.75, 1.05, 1.25, 1.35, 1.35, 1.3, 1.3, 1.3, 1.25, 1.25, 1.3, 1.4, 1.55, 1.65,
  1.6, 1.3, 0.85,
];

/**
 * A day's course of a rate that is constant within each hour. A Poisson process of rate 1 in operational time becomes
 * one of the day's rate by `timeAt` (Çinlar's time change), so that each arrival stays the draw of its own query.
 */
export class DayProfile {
  /** Operational time of each hour, in ms; a day's sum is a day. */
  private readonly weights: readonly number[];

  /** @param weights one an hour, from midnight on; not negative, not all 0 */
  constructor(weights: readonly number[]) {
    const sum = weights.reduce((total, weight) => total + weight, 0);
    this.weights = weights.map((weight) => (weight * hours * hourMs) / sum);
  }

  /** The time in ms at which so much operational time has passed, both from midnight of the first day on. */
  timeAt(operationalMs: number): number {
    const day = hours * hourMs;
    const days = Math.floor(operationalMs / day);
    let rest = operationalMs - days * day;
    let hour = 0;
    while (hour < hours - 1 && rest >= (this.weights[hour] as number)) rest -= this.weights[hour++] as number;
    const weight = this.weights[hour] as number;
    return days * day + hour * hourMs + (weight === 0 ? hourMs : Math.min(hourMs, (rest / weight) * hourMs));
  }
}
