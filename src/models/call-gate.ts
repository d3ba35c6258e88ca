/**
 * Lets at most `most` calls be under way at once. The others wait in the order they came, those that the run waits
 * for before those that are asked ahead of it.
 */
export class CallGate {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  readonly #waitingAhead: (() => void)[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  #taken = 0;
  #isClosed = false;
  /** Runs whenever a call has ended and nobody waits for its place. */
  onFree: () => void = () => {};

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether a call would begin at once. */
  get hasPlace(): boolean {
    return this.#taken < this.#most && !this.#isClosed;
  }

  /** How many calls are under way. */
  get underWay(): number {
    return this.#underWay.size;
  }

  /** Makes a call, at once or when there is a place for it; once the gate is closed, never. */
  async run<T>(call: () => Promise<T>, isAhead: boolean): Promise<T> {
    if (this.#isClosed) return never();
    if (this.hasPlace) this.#taken++;
    else await new Promise<void>((resolve) => (isAhead ? this.#waitingAhead : this.#waiting).push(resolve));
    const made = call();
    this.#underWay.add(made);
    try {
      return await made;
    } finally {
      this.#underWay.delete(made);
      this.#passOn();
    }
  }

  #passOn(): void {
    const next = this.#isClosed ? undefined : (this.#waiting.shift() ?? this.#waitingAhead.shift());
    if (next !== undefined) return next();
    this.#taken--;
    if (!this.#isClosed) this.onFree();
  }

  /** Lets no further call begin; resolves when those under way have ended, well or badly. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#underWay);
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}
