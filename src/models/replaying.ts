import type { Caller, Hit, IndexPort, ModelAnswer, ModelPort } from "../agents/ports.ts";
import type { ModelRequest } from "../agents/prompt.ts";
import { tapeAddress } from "../trace/tape-line.ts";
import type { TapeReader } from "../trace/tape-reader.ts";
import { explainIndexMiss, explainModelMiss } from "./nearest-request.ts";
import { modelRequestKey, modelRequestParts, searchKey, selectionKey } from "./request-key.ts";

/**
 * A replay asked for what is not on the tape: the code, the prompts or the inputs are not those of the recorded run.
 * Its message is found when it is read: that takes reading the whole tape.
 */
export class TapeMiss extends Error {
  override readonly name = "TapeMiss";

  constructor(explain: () => string) {
    super();
    Object.defineProperty(this, "message", { get: explain });
  }
}

/**
 * A model that answers from a tape where it can, and otherwise asks.
 * @param found runs for each answer from the tape
 */
export function tapedModel(
  model: ModelPort,
  tape: TapeReader,
  found: (request: ModelRequest, caller: Caller, answer: ModelAnswer) => void,
): ModelPort {
  const { identity } = model;
  return {
    identity,
    ask(request, caller) {
      const line = tape.get(tapeAddress({ key: modelRequestKey(identity, request), caller, ordinal: 0 }));
      if (line === undefined) return model.ask(request, caller);
      const answer = line.answer as ModelAnswer;
      found(request, caller, answer);
      return answer;
    },
  };
}

/** An index that answers from a tape where it can, and otherwise searches. */
export function tapedIndex(index: IndexPort, identity: string, tape: TapeReader): IndexPort {
  return {
    search(query, site, k) {
      const line = tape.get(searchKey(identity, query, site, k));
      return line === undefined ? index.search(query, site, k) : (line.answer as Hit[]);
    },
    selectSites(query, by, k) {
      const line = tape.get(selectionKey(identity, query, by, k));
      return line === undefined ? index.selectSites(query, by, k) : (line.answer as string[]);
    },
  };
}

/** A model that answers from a tape alone. */
export function replayedModel(identity: string, tape: TapeReader, found: () => void = () => {}): ModelPort {
  return tapedModel(missingModel(identity, tape), tape, found);
}

/** A model that answers nothing: what it is asked is not on the tape, and it says why. */
export function missingModel(identity: string, tape: TapeReader): ModelPort {
  return {
    identity,
    ask(request, caller) {
      const parts = modelRequestParts(identity, request);
      return missing(() => `the tape has no answer for ${caller}: ${explainModelMiss(tape, caller, parts)}`);
    },
  };
}

/** An index that answers from a tape alone. */
export function replayedIndex(identity: string, tape: TapeReader): IndexPort {
  const miss = (what: string, parts: Record<string, unknown>) =>
    missing(() => `the tape has no ${what}: ${explainIndexMiss(tape, { index: identity, ...parts })}`);
  const nobody: IndexPort = {
    search: (query, site, k) =>
      miss(`search for ${JSON.stringify(query)} in ${site ?? "all sites"} (k ${k})`, { query, site, k }),
    selectSites: (query, by, k) =>
      miss(`selection of sites for ${JSON.stringify(query)} by ${by} (k ${k})`, { query, by, k }),
  };
  return tapedIndex(nobody, identity, tape);
}

/** A call that was under way when the recorded run ended has no answer there, and nobody waits for one: a miss counts when it is due. */
function missing(explain: () => string): Promise<never> {
  return Promise.reject(new TapeMiss(explain));
}
