import { EventEmitter } from "eventemitter3";
import type { Fact, FactBody } from "./facts.ts";

interface FactEvents {
  fact: (fact: Fact) => void;
}

/**
 * The one emitter of a run's facts. The trace writer, the statistics and the view are its listeners and equals;
 * none of them can change what is emitted.
 */
export class FactStream {
  readonly #emitter = new EventEmitter<FactEvents>();
  readonly #now: () => number;
  #count = 0;

  /** @param now the virtual clock, in ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many facts were stated so far. */
  get count(): number {
    return this.#count;
  }

  listen(listener: (fact: Fact) => void): void {
    this.#emitter.on("fact", listener);
  }

  state(body: FactBody): void {
    this.#emitter.emit("fact", { seq: this.#count++, t: this.#now(), ...body });
  }
}
