import { Future } from "./future.ts";
import { type EventHandle, EventQueue, maxPriority } from "./queue.ts";

export type { EventHandle };

export interface KernelOptions {
  /** A turn is given each time this many events have run. Default 2048. */
  turnEvery?: number;
  /** What a turn is: the time that sockets and views get. Default: one `setImmediate`. */
  turn?: () => Promise<void>;
}

/**
 * The virtual clock and its events. Times are integer milliseconds from 0. Events run in the order of (time,
 * priority, order of scheduling). The lower priority number runs first: of two events at one instant the one with
 * priority -1 precedes the one with priority 0, whichever was scheduled first.
 *
 * A delay or a time that is no integer, negative or in the past is a RangeError that says the value.
 */
export class Kernel {
  private readonly queue = new EventQueue();
  private readonly turnEvery: number;
  private readonly turn: () => Promise<void>;
  private time = 0;
  private count = 0;
  private nextTurn: number;
  private running = false;
  private isStopped = false;
  private interrupted = false; // the synchronous loop ends after this event: stopped, or an answer is missing
  private missing: { answer: Future<unknown>; deliver: () => void } | undefined;
  private wake: (() => void) | undefined; // ends the wait for the missing answer

  constructor(options: KernelOptions = {}) {
    this.turnEvery = options.turnEvery ?? 2048;
    this.turn = options.turn ?? (() => new Promise((resolve) => setImmediate(resolve)));
    if (!(Number.isSafeInteger(this.turnEvery) && this.turnEvery > 0)) {
      throw new RangeError(`turnEvery must be a positive integer, got ${this.turnEvery}`);
    }
    this.nextTurn = this.turnEvery;
  }

  /** The virtual time in ms. */
  get now(): number {
    return this.time;
  }

  /** How many events are scheduled and not cancelled. */
  get pending(): number {
    return this.queue.size;
  }

  /** How many events have run. */
  get executed(): number {
    return this.count;
  }

  /** True from the first `stop` on. */
  get stopped(): boolean {
    return this.isStopped;
  }

  /** Schedules `event` at a time that is not before now. Priority: an integer in [-511, 511], lower first. */
  at(timeMs: number, event: () => void, priority = 0): EventHandle {
    if (!(timeMs >= this.time && isTime(timeMs))) throw timeError("the time of an event", this.time, timeMs);
    if (!isPriority(priority)) throw priorityError(priority);
    return this.queue.push(timeMs, priority, event);
  }

  /** Schedules `event` after a delay. With delay 0 it runs at this very instant, after what is due before it. */
  after(delayMs: number, event: () => void, priority = 0): EventHandle {
    const timeMs = this.time + delayMs;
    if (!(delayMs >= 0 && isTime(delayMs) && isTime(timeMs))) throw timeError("a delay", 0, delayMs);
    if (!isPriority(priority)) throw priorityError(priority);
    return this.queue.push(timeMs, priority, event);
  }

  /** True if the event was pending and will now never run; false if it has run or was cancelled before. */
  cancel(handle: EventHandle): boolean {
    return this.queue.cancel(handle);
  }

  /**
   * A call to the outside, as a future on the virtual timeline: `done` gets the answer `durationMs` from now on the
   * virtual clock, however long the answer really takes. If it is not there by then, virtual time stands still until
   * it is; so calls that overlap in virtual time are in flight together. A rejection makes `runUntil` reject when
   * the call is due, and does nothing if the call has been cancelled.
   */
  call<T>(durationMs: number, answer: T | Promise<T>, done: (answer: T) => void, priority = 0): EventHandle {
    if (!(answer instanceof Promise)) return this.after(durationMs, () => done(answer), priority);
    const future = new Future(answer);
    const deliver = () => done(future.take());
    const due = () => {
      if (future.settled) return deliver();
      this.missing = { answer: future, deliver };
      this.interrupted = true;
    };
    return this.after(durationMs, due, priority);
  }

  /**
   * Runs all events with a time up to and including `untilMs`, among them those scheduled meanwhile; then now is
   * `untilMs`. Synchronous inside, but for the turns and for answers that are missing. Rejects with what an event
   * throws; that event counts as run, now stays at its time, and the kernel can go on.
   */
  async runUntil(untilMs: number): Promise<void> {
    if (this.running) throw new Error("runUntil is already running");
    if (!(untilMs >= this.time && isTime(untilMs))) throw timeError("the time to run until", this.time, untilMs);
    this.running = true;
    try {
      while (!this.isStopped) {
        this.runEvents(untilMs);
        if (this.missing !== undefined) await this.awaitAnswer();
        else if (this.count === this.nextTurn) await this.giveTurn();
        else break;
      }
      if (!this.isStopped) this.time = untilMs;
    } finally {
      this.running = false;
    }
  }

  /** Ends the run after the current event, for good: now stays, what is pending never runs, `runUntil` resolves. */
  stop(): void {
    this.isStopped = true;
    this.interrupted = true;
    this.wake?.();
  }

  private runEvents(untilMs: number): void {
    const queue = this.queue;
    while (this.count < this.nextTurn && !this.interrupted && queue.peekTime() <= untilMs) {
      this.time = queue.peekTime();
      this.count++;
      queue.pop()!();
    }
  }

  private async awaitAnswer(): Promise<void> {
    const { answer, deliver } = this.missing!;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      answer.onSettled(resolve);
    });
    this.wake = undefined;
    this.missing = undefined;
    // Waiting took real time: sockets and views are due, whatever the count of events.
    await this.turn();
    if (this.isStopped) return;
    this.interrupted = false;
    deliver();
  }

  private async giveTurn(): Promise<void> {
    this.nextTurn += this.turnEvery;
    await this.turn();
  }
}

function isTime(value: number): boolean {
  return value <= Number.MAX_SAFE_INTEGER && Math.floor(value) === value;
}

function isPriority(value: number): boolean {
  return value >= -maxPriority && value <= maxPriority && Math.floor(value) === value;
}

function timeError(what: string, earliest: number, got: number): RangeError {
  return new RangeError(`${what} must be an integer of ms, at least ${earliest} and below 2^53, got ${got}`);
}

function priorityError(got: number): RangeError {
  return new RangeError(`a priority must be an integer in [-${maxPriority}, ${maxPriority}], got ${got}`);
}

/** The kernel as the `clock` of xstate's `createActor`: delays in ms, a fraction of a ms is rounded up. */
export function kernelClock(kernel: Kernel) {
  return {
    setTimeout: (event: () => void, delayMs: number): EventHandle => kernel.after(Math.ceil(delayMs), event),
    clearTimeout: (handle: EventHandle): void => void kernel.cancel(handle),
    now: (): number => kernel.now,
  };
}
