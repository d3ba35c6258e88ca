/** Lets a view hold a run, at its next turn, and end it, at once. */
export class RunControl {
  #paused = false;
  #stopRequested = false;
  #wake: (() => void) | null = null;
  #stopRun: (() => void) | null = null;

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

  /** Resolves when the run may go on: at once, unless it is paused. */
  async mayGoOn(): Promise<void> {
    while (this.#paused && !this.#stopRequested) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
