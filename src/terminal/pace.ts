import type { LiveSnapshot } from "../statistics/live.ts";

/** How fast a run goes in real time. */
export interface Pace {
  readonly messagesPerSecond: number | null;
  /** Real time until the run is done, in ms. */
  readonly leftMs: number | null;
}

interface Sample {
  readonly atMs: number;
  readonly messages: number;
  readonly done: number | null;
}

const spanMs = 10_000;
const betweenMs = 250;
/** A run is slow at first, while caches are cold and code is compiled: what is left is told from later on only. */
const warmUpMs = 2000;

/** Measures the pace over the last ten seconds in which the run was not paused. */
export class PaceMeter {
  #samples: Sample[] = [];
  #pausedMs = 0;
  #lastMs: number | null = null;
  #startMs: number | null = null;

  /** @param realMs real time, in ms from any origin */
  read(snapshot: LiveSnapshot, realMs: number, paused: boolean): Pace {
    if (paused && this.#lastMs !== null) this.#pausedMs += realMs - this.#lastMs;
    this.#lastMs = realMs;
    const now: Sample = { atMs: realMs - this.#pausedMs, messages: snapshot.messages, done: snapshot.done };
    const latest = this.#samples.at(-1);
    if (latest === undefined || now.atMs - latest.atMs >= betweenMs) this.#samples.push(now);
    this.#startMs ??= now.atMs;
    const isWarm = now.atMs - this.#startMs >= warmUpMs;
    while (this.#samples.length > 2 && now.atMs - this.#samples[1]!.atMs >= spanMs) this.#samples.shift();
    const pace = paceBetween(this.#samples[0]!, now);
    const isUsable = ({ atMs }: Sample): boolean =>
      atMs - this.#startMs! >= warmUpMs / 2 && now.atMs - atMs >= warmUpMs / 2;
    const { leftMs } = paceBetween(this.#samples.find(isUsable) ?? this.#samples[0]!, now);
    return { ...pace, leftMs: isWarm ? leftMs : null };
  }
}

function paceBetween(from: Sample, to: Sample): Pace {
  const ms = to.atMs - from.atMs;
  if (ms < betweenMs) return { messagesPerSecond: null, leftMs: null };
  const progress = (to.done ?? 0) - (from.done ?? 0);
  const leftMs = to.done === 1 ? 0 : progress > 0 ? ((1 - (to.done ?? 0)) * ms) / progress : null;
  return { messagesPerSecond: ((to.messages - from.messages) * 1000) / ms, leftMs };
}
