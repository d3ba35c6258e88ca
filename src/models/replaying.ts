import type { Caller, Hit, IndexPort, ModelAnswer, ModelPort } from "../agents/ports.ts";
import type { ModelRequest } from "../agents/prompt.ts";
import { tapeAddress } from "../trace/tape-line.ts";
import type { TapeReader } from "../trace/tape-reader.ts";
import { modelRequestKey, modelRequestParts, searchKey, selectionKey } from "./request-key.ts";

/** A replay asked for what is not on the tape: the code, the prompts or the inputs are not those of the recorded run. */
export class TapeMiss extends Error {
  override readonly name = "TapeMiss";
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
      const why = explainMiss(tape, caller, modelRequestParts(identity, request));
      return missing(`the tape has no answer for ${caller}: ${why}`);
    },
  };
}

/** An index that answers from a tape alone. */
export function replayedIndex(identity: string, tape: TapeReader): IndexPort {
  const nobody: IndexPort = {
    search: (query, site, k) =>
      missing(`the tape has no search for ${JSON.stringify(query)} in ${site ?? "all sites"} (k ${k})`),
    selectSites: (query, by, k) =>
      missing(`the tape has no selection of sites for ${JSON.stringify(query)} by ${by} (k ${k})`),
  };
  return tapedIndex(nobody, identity, tape);
}

/** A call that was under way when the recorded run ended has no answer there, and nobody waits for one: a miss counts when it is due. */
function missing(message: string): Promise<never> {
  return Promise.reject(new TapeMiss(message));
}

/** What differs from the request that the same caller made in the recorded run. */
function explainMiss(tape: TapeReader, caller: string, parts: Record<string, unknown>): string {
  for (const line of tape.lines()) {
    if (line.caller !== caller) continue;
    const differing = Object.keys(parts)
      .filter((name) => JSON.stringify(parts[name]) !== JSON.stringify(line.parts[name]))
      .map((name) => (name === "prompt" ? whereDiffers(parts[name], line.parts[name]) : name));
    return `it recorded a request of that caller which differs in ${differing.join(", ")}`;
  }
  return "it recorded no request of that caller";
}

/** A prompt's parts are the pieces of its template, the list of sites, and then its turns. */
function whereDiffers(asked: unknown, recorded: unknown): string {
  const [one, other] = [asked, recorded] as [readonly string[], readonly string[]];
  const first = one.findIndex((hash, index) => hash !== other[index]);
  return `prompt (from part ${first < 0 ? one.length + 1 : first + 1}; ${one.length} asked, ${other.length} recorded)`;
}
