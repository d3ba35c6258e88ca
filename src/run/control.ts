/** Lets a view hold a run and end it. The kernel asks at every turn. */
export class RunControl {
  #paused = false;
  #stopRequested = false;
  #wake: (() => void) | null = null;

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

  /** The run ends cleanly at its next turn. */
  stop(): void {
    this.#stopRequested = true;
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
