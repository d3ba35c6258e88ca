import type { FactOf } from "../trace/facts.ts";

/** What the agents of queries with one model had of it so far. */
export interface LiveModel {
  readonly model: string;
  readonly answers: number;
  readonly promptTokens: number;
  /** Thoughts included. */
  readonly completionTokens: number;
  /** Outputs that were no valid action, and outputs asked for again. */
  readonly invalid: number;
  readonly again: number;
}

/** Counts answers and tokens a model. Holds one entry for each query in flight. */
export class LiveModels {
  readonly #models = new Map<string, { -readonly [K in keyof LiveModel]: LiveModel[K] }>();
  readonly #modelOfQuery = new Map<string, string>();

  arrived({ query, model }: FactOf<"query.arrived">): void {
    if (model !== null) this.#modelOfQuery.set(query, model);
  }

  completed(query: string): void {
    this.#modelOfQuery.delete(query);
  }

  answered({ query, promptTokens, completionTokens, thoughtTokens, retry }: FactOf<"model.answered">): void {
    const counts = this.#of(query);
    if (counts === null) return;
    counts.answers++;
    counts.promptTokens += promptTokens;
    counts.completionTokens += completionTokens + thoughtTokens;
    if (retry !== undefined) counts.again++;
  }

  acted({ query, valid }: FactOf<"action.taken">): void {
    const counts = valid ? null : this.#of(query);
    if (counts !== null) counts.invalid++;
  }

  /** In the order of their first answer. */
  models(): LiveModel[] {
    return [...this.#models.values()].map((counts) => ({ ...counts }));
  }

  #of(query: string) {
    const model = this.#modelOfQuery.get(query);
    if (model === undefined) return null;
    let counts = this.#models.get(model);
    if (counts === undefined) {
      counts = { model, answers: 0, promptTokens: 0, completionTokens: 0, invalid: 0, again: 0 };
      this.#models.set(model, counts);
    }
    return counts;
  }
}
