import type { Caller, ModelAnswer, ModelPort } from "../agents/ports.ts";
import type { ModelRequest } from "../agents/prompt.ts";
import { type TapeLine, tapeAddress } from "../trace/tape-line.ts";
import type { TapeReader } from "../trace/tape-reader.ts";
import { modelRequestParts } from "./request-key.ts";

/**
 * A model that gives the user agents of some queries the answers that they got in a recorded run, although one part of
 * their prompt, the list of sites, is another one now. A request that differs in anything else is asked.
 * @param keeps whether a query keeps its answers
 */
export function assumedModel(
  model: ModelPort,
  tape: TapeReader,
  keeps: (query: string) => boolean,
  found: (request: ModelRequest, caller: Caller, answer: ModelAnswer) => void,
): ModelPort {
  const { identity } = model;
  let addresses: ReadonlyMap<Caller, string> | null = null;
  return {
    identity,
    ask(request, caller) {
      if (!keeps(queryOf(caller)) || !isUserAgent(caller)) return model.ask(request, caller);
      addresses ??= addressesOf(tape, keeps);
      const address = addresses.get(caller);
      const line = address === undefined ? undefined : tape.get(address);
      if (line === undefined || !isSameButForOne(modelRequestParts(identity, request), line)) {
        return model.ask(request, caller);
      }
      const answer = line.answer as ModelAnswer;
      found(request, caller, answer);
      return answer;
    },
  };
}

/** A caller is `<user>/<query>/<agent>/<turn>`. */
function queryOf(caller: Caller): string {
  return caller.split("/")[1] ?? "";
}

function isUserAgent(caller: Caller): boolean {
  return caller.split("/")[2] === "user";
}

function addressesOf(tape: TapeReader, keeps: (query: string) => boolean): Map<Caller, string> {
  const addresses = new Map<Caller, string>();
  for (const line of tape.lines()) {
    const { caller } = line;
    if (line.port !== "model" || caller === undefined || !isUserAgent(caller) || !keeps(queryOf(caller))) continue;
    addresses.set(caller, tapeAddress(line));
  }
  return addresses;
}

function isSameButForOne(asked: Readonly<Record<string, unknown>>, { parts }: TapeLine): boolean {
  const { prompt, ...rest } = asked as { prompt: readonly string[] };
  const { prompt: recorded, ...others } = parts as { prompt: readonly string[] };
  if (JSON.stringify(rest) !== JSON.stringify(others) || prompt.length !== recorded.length) return false;
  return prompt.filter((hash, index) => hash !== recorded[index]).length <= 1;
}
