import { InputError } from "../errors.ts";
import type { RunInputs } from "../run/inputs.ts";
import { readManifest } from "../run/manifest.ts";
import { lockRun } from "../run/run-lock.ts";
import type { LiveStatistics } from "../statistics/live.ts";
import type { Control } from "../terminal/control.ts";
import type { Fact } from "../trace/facts.ts";
import { TraceTail } from "../trace/trace-tail.ts";
import { statisticsOf } from "./watch-run.ts";

/** A step of the arrow keys: so much of the run. */
const scrubShare = 0.02;
/** What is looked at again when nothing new came for so long, in real ms: whether anybody still writes. */
const quietMs = 2000;
/** The pace of a run that is over, when it is let go on. */
const replaySpeed = 600;

/**
 * The statistics of a run whose trace stands in a directory: followed to its end while another process writes it, and
 * moved to any time of it with the arrow keys. Going back reads the trace from its beginning.
 */
export class RecordedRun implements Control {
  readonly #directory: string;
  readonly #inputs: RunInputs;
  readonly #onStop: () => void;
  #tail: TraceTail;
  #facts: Iterator<Fact> | null = null;
  #next: Fact | null = null;
  #statistics: LiveStatistics;
  /** Facts up to this virtual time are shown. */
  #targetMs = Number.POSITIVE_INFINITY;
  #t = 0;
  #lastMs = 0;
  #paused = false;
  #over = false;
  #quietSinceMs: number | null = null;
  speed: number | null;

  /** @throws InputError when there is no trace */
  constructor(directory: string, inputs: RunInputs, speed: number | null, onStop: () => void) {
    this.#directory = directory;
    this.#inputs = inputs;
    this.#onStop = onStop;
    this.#tail = new TraceTail(directory);
    this.#statistics = statisticsOf(inputs);
    this.speed = speed;
    if (speed !== null) this.#targetMs = 0;
  }

  get statistics(): LiveStatistics {
    return this.#statistics;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Whether all was read and nobody writes any more. */
  get over(): boolean {
    return this.#over;
  }

  pause(): void {
    this.#paused = true;
  }

  /** Goes on: at the pace that is set, or, from a time in the past, at one that can be watched. */
  resume(): void {
    this.#paused = false;
    if (this.speed === null && this.#targetMs !== Number.POSITIVE_INFINITY) this.speed = replaySpeed;
  }

  stop(): void {
    this.#onStop();
  }

  setSpeed(speed: number | null): void {
    this.speed = speed;
    this.#targetMs = speed === null ? Number.POSITIVE_INFINITY : this.#t;
  }

  scrub(steps: number): void {
    const { untilMs } = this.#inputs.loaded.scenario;
    this.#lastMs = Math.max(this.#lastMs, this.#t);
    const stepMs = Math.max(1, scrubShare * (untilMs ?? this.#lastMs));
    this.#targetMs = Math.max(0, Math.min(this.#t, this.#targetMs) + steps * stepMs);
    this.#paused = true;
    if (this.#targetMs < this.#t) this.#rewind();
  }

  /**
   * Takes in what is due, for at most `budgetMs` of real time.
   * @param elapsedMs real time since it was called last
   */
  read(elapsedMs: number, budgetMs: number, now: () => number): void {
    if (!this.#paused && this.speed !== null) this.#targetMs += elapsedMs * this.speed;
    const isHeld = this.#paused && this.#targetMs === Number.POSITIVE_INFINITY;
    const endMs = now() + budgetMs;
    for (let count = 0; !isHeld; count++) {
      if (count % 256 === 255 && now() > endMs) return;
      const fact = this.#peek();
      if (fact === null) return this.#atEnd(now());
      if (fact.t > this.#targetMs) break;
      this.#next = null;
      this.#t = fact.t;
      this.#statistics.listen(fact);
    }
    this.#quietSinceMs = null;
  }

  close(): void {
    this.#tail.close();
  }

  #peek(): Fact | null {
    if (this.#next !== null) return this.#next;
    this.#facts ??= this.#tail.facts();
    const { value, done } = this.#facts.next();
    if (done === true) this.#facts = null;
    else this.#next = value;
    return this.#next;
  }

  #rewind(): void {
    this.#tail.close();
    this.#tail = new TraceTail(this.#directory);
    this.#facts = null;
    this.#next = null;
    this.#t = 0;
    this.#statistics = statisticsOf(this.#inputs);
  }

  #atEnd(nowMs: number): void {
    if (this.#tail.ended) this.#over = true;
    this.#quietSinceMs ??= nowMs;
    if (this.#over || nowMs - this.#quietSinceMs < quietMs) return;
    this.#quietSinceMs = nowMs;
    this.#over = !isWritten(this.#directory);
  }
}

/** Whether some process writes the run. A run that was killed says "running" for ever; its lock tells. */
function isWritten(directory: string): boolean {
  if (readManifest(directory).status !== "running") return false;
  try {
    lockRun(directory).release(false);
    return false;
  } catch (error) {
    if (error instanceof InputError) return true;
    throw error;
  }
}
