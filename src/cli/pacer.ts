import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../errors.ts";
import type { Pacer } from "../run/control.ts";

/** Longest single wait, so that a stop, a pause or another pace is soon noticed. */
const stepMs = 50;
/** Whoever is later than this, after a pause for one, does not hurry to catch up. */
const patienceMs = 500;

/** Ties virtual time to real time. */
export class RealTimePacer implements Pacer {
  speed: number | null;
  #from: { readonly speed: number; readonly virtualMs: number; readonly realMs: number } | null = null;

  constructor(speed: number | null) {
    this.speed = speed;
  }

  async hold(nowMs: number, isOver: () => boolean): Promise<void> {
    while (this.speed !== null && !isOver()) {
      const realMs = performance.now();
      if (this.#from?.speed !== this.speed) this.#from = { speed: this.speed, virtualMs: nowMs, realMs };
      const earlyMs = this.#from.realMs + (nowMs - this.#from.virtualMs) / this.speed - realMs;
      if (earlyMs < -patienceMs) this.#from = null;
      if (earlyMs <= 1) return;
      await sleep(Math.min(stepMs, earlyMs));
    }
  }
}

/** Reads `600x`, the pace of a run: virtual time to real time, above 0. */
export function readPace(text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = /^\d+(\.\d+)?x$/.test(text) ? Number(text.slice(0, -1)) : 0;
  if (value > 0 && Number.isFinite(value)) return value;
  throw new InputError(`expected a pace such as 600x, got ${JSON.stringify(text)}`, { field: "--pace" });
}
