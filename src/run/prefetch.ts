import type { AskedAhead } from "../models/asked-ahead.ts";
import type { CallGate } from "../models/call-gate.ts";
import { Streams } from "../kernel/random.ts";
import { type Arrival, arrivals } from "../scenario/population.ts";
import type { Fact } from "../trace/facts.ts";
import { RunControl } from "./control.ts";
import type { RunInputs } from "./inputs.ts";
import { type RunPorts, simulate } from "./simulate.ts";

/** Queries that are being walked, and those walked that are not over in the run, for each call that may be under way. */
const walksAtOnce = 2;
const queriesAhead = 4;
/** Unused calls in walks from which on, and their share of all of these above which, nothing more is walked. */
const unusedAllowed = 64;
const unusedShare = 0.1;

export interface PrefetchOptions {
  readonly inputs: RunInputs;
  /** The ports of walks. The model of an assistant whose queries need no walk is null. */
  readonly ports: RunPorts;
  readonly gate: CallGate;
  readonly ahead: AskedAhead;
  readonly concurrency: number;
}

/**
 * Walks queries ahead of the run, so that real calls are in flight together that are far apart in virtual time. A walk
 * is a simulation of one query alone: it meets no queue and no other query. What it asks under the same key as the run
 * the run takes; whatever it asks otherwise is unused. So it changes cost and speed, and never the trace.
 */
export class Prefetch {
  readonly #options: PrefetchOptions;
  readonly #arrivals: Iterator<Arrival>;
  readonly #walks = new Map<string, RunControl>();
  #underWay = 0;
  /** Arrivals that were looked at, and that the run has reached. */
  #seen = 0;
  #arrived = 0;
  #isStopped = false;

  constructor(options: PrefetchOptions) {
    const { inputs, gate } = options;
    const { scenario } = inputs.loaded;
    this.#options = options;
    this.#arrivals = arrivals(scenario, inputs.topics, new Streams(scenario.seed, inputs.replication));
    gate.onFree = () => this.#fill();
    this.#fill();
  }

  readonly listen = (fact: Fact): void => {
    if (fact.type === "query.arrived") this.#arrived++;
    else if (fact.type === "query.completed") this.#over(fact.query);
  };

  #over(query: string): void {
    this.#walks.get(query)?.stop();
    this.#walks.delete(query);
    this.#options.ahead.end(query);
    this.#fill();
  }

  stop(): void {
    this.#isStopped = true;
    for (const control of this.#walks.values()) control.stop();
    this.#options.ahead.endAll();
  }

  #fill(): void {
    const { gate, ahead, concurrency } = this.#options;
    while (
      !this.#isStopped &&
      gate.hasPlace &&
      this.#underWay < walksAtOnce * concurrency &&
      this.#walks.size < queriesAhead * concurrency &&
      ahead.unused <= unusedAllowed + unusedShare * ahead.asked
    ) {
      const next = this.#arrivals.next();
      if (next.done === true) return;
      const isReached = ++this.#seen <= this.#arrived;
      if (!isReached && this.#options.ports.model(next.value.assistant) !== null) this.#walk(next.value);
    }
  }

  #walk(arrival: Arrival): void {
    const { query } = arrival;
    const { inputs, ports, ahead } = this.#options;
    const control = new RunControl();
    this.#walks.set(query, control);
    this.#underWay++;
    ahead.begin(query);
    // What goes wrong in a walk shows in the run, if the run gets there.
    void simulate({ inputs, ports, control, listeners: [], onTurn: () => {}, arrivals: [arrival] }).then(
      ({ failure }) => {
        this.#underWay--;
        if (failure !== null) this.#isStopped = true;
        this.#fill();
      },
    );
  }
}
