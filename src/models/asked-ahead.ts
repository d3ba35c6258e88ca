import type { Caller, ModelAnswer, ModelPort } from "../agents/ports.ts";
import type { ModelRequest } from "../agents/prompt.ts";
import { modelRequestKey } from "./request-key.ts";

interface Laid {
  readonly answer: Promise<ModelAnswer>;
  taken: boolean;
}

/**
 * The calls of queries that are walked ahead of the run. Walk and run ask under the same keys, whichever comes first:
 * what one has asked for the other does not ask for again. The run takes an answer only if the whole request is the
 * same.
 */
export class AskedAhead {
  readonly #queries = new Map<string, Map<string, Laid>>();
  #asked = 0;
  #unused = 0;

  /** Calls that were asked for in walks and that the run did not need, of queries that are over. */
  get unused(): number {
    return this.#unused;
  }

  /** Calls in walks so far. */
  get asked(): number {
    return this.#asked;
  }

  begin(query: string): void {
    this.#queries.set(query, new Map());
  }

  /** A query is over in the run: what was not taken by then is of no use. */
  end(query: string): void {
    for (const { taken } of this.#queries.get(query)?.values() ?? []) if (!taken) this.#unused++;
    this.#queries.delete(query);
  }

  /** All queries are over. */
  endAll(): void {
    for (const query of [...this.#queries.keys()]) this.end(query);
  }

  /** What a walk asks. */
  layingModel(model: ModelPort): ModelPort {
    return this.#sharing(model, false);
  }

  /** What the run asks. */
  takingModel(model: ModelPort): ModelPort {
    return this.#sharing(model, true);
  }

  #sharing(model: ModelPort, isRun: boolean): ModelPort {
    const { identity } = model;
    return {
      identity,
      ask: (request, caller) => {
        const ofQuery = this.#queries.get(queryOf(caller));
        if (ofQuery === undefined) return model.ask(request, caller);
        const address = addressOf(identity, request, caller);
        const known = ofQuery.get(address);
        if (known !== undefined) {
          known.taken ||= isRun;
          return known.answer;
        }
        const answer = model.ask(request, caller);
        if (!(answer instanceof Promise)) return answer; // free, or on a tape
        if (!isRun) this.#asked++;
        ofQuery.set(address, { answer, taken: isRun });
        // The run asks again for what a walk could not get.
        answer.catch(() => ofQuery.delete(address));
        return answer;
      },
    };
  }
}

function addressOf(identity: string, request: ModelRequest, caller: Caller): string {
  return `${modelRequestKey(identity, request)} ${caller}`;
}

/** A caller is `<user>/<query>/<agent>/<turn>`. */
function queryOf(caller: Caller): string {
  return caller.split("/", 2)[1] ?? "";
}
