/** The answer to a call to the outside: missing until its promise settles, then at hand without waiting. */
export class Future<T> {
  private outcome: { value: T } | { reason: unknown } | undefined;
  private listener: (() => void) | undefined;

  constructor(answer: PromiseLike<T>) {
    answer.then(
      (value) => this.settle({ value }),
      (reason: unknown) => this.settle({ reason }),
    );
  }

  get settled(): boolean {
    return this.outcome !== undefined;
  }

  /** Calls `listener` once when the answer comes, good or bad; at most one listener. */
  onSettled(listener: () => void): void {
    this.listener = listener;
  }

  /** The answer. Throws what the promise was rejected with. */
  take(): T {
    if (this.outcome === undefined) throw new Error("the answer is missing: wait until the future is settled");
    if ("reason" in this.outcome) throw this.outcome.reason;
    return this.outcome.value;
  }

  private settle(outcome: { value: T } | { reason: unknown }): void {
    this.outcome = outcome;
    this.listener?.();
  }
}
