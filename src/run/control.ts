/** Holds virtual time back, so that it goes at most so many times as fast as real time. */
export interface Pacer {
  /** Null is as fast as it goes. */
  speed: number | null;
  /** Resolves when the virtual time may be `nowMs`, or the wait is to end. */
  hold(nowMs: number, isOver: () => boolean): Promise<void>;
}

/** Lets a view hold a run, at its next turn, and end it, at once. */
export class RunControl {
  #paused = false;
  #stopRequested = false;
  #wake: (() => void) | null = null;
  #stopRun: (() => void) | null = null;
  readonly #pacer: Pacer | null;

  /** @param pacer what ties virtual to real time; without it the run goes as fast as it can */
  constructor(pacer: Pacer | null = null) {
    this.#pacer = pacer;
  }

  get speed(): number | null | undefined {
    return this.#pacer?.speed;
  }

  setSpeed(speed: number | null): void {
    if (this.#pacer !== null) this.#pacer.speed = speed;
  }

  get paused(): boolean {
    return this.#paused;
  }

  get stopRequested(): boolean {
    return this.#stopRequested;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#wake?.();
  }

  /** Hands over what ends the run; it is called at once when the end was asked for already. */
  onStop(stopRun: () => void): void {
    this.#stopRun = stopRun;
    if (this.#stopRequested) stopRun();
  }

  /** The run ends cleanly after the event that is under way, or at once while it waits for an answer. */
  stop(): void {
    this.#stopRequested = true;
    this.#stopRun?.();
    this.#wake?.();
  }

  /** Resolves when the run, which has come to `nowMs`, may go on: at once, unless it is paused or paced. */
  async mayGoOn(nowMs: number): Promise<void> {
    while (this.#paused && !this.#stopRequested) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#pacer === null || this.#pacer.speed === null) return;
    await this.#pacer.hold(nowMs, () => this.#stopRequested || this.#paused);
    if (this.#paused) await this.mayGoOn(nowMs);
  }
}
