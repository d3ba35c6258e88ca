import type { Hit, IndexPort, ModelAnswer, ModelPort } from "../agents/ports.ts";
import type { TapeWriter } from "../trace/tape-writer.ts";
import { KeySet } from "./key-set.ts";
import { modelRequestKey, modelRequestParts, searchKey, selectionKey } from "./request-key.ts";

/**
 * A model whose answers go on the tape before anybody uses them.
 * @param paid each answer is made to survive a kill at once
 * @param by who answers in the place of the model, if somebody else does
 */
export function recordedModel(
  model: ModelPort,
  tape: TapeWriter,
  paid: boolean,
  now: () => number,
  by: string | null = null,
): ModelPort {
  const { identity } = model;
  return {
    identity,
    ask(request, caller) {
      const record = (answer: ModelAnswer, realMs?: number): ModelAnswer => {
        const line = {
          key: modelRequestKey(identity, request),
          port: "model" as const,
          caller,
          ordinal: 0,
          parts: modelRequestParts(identity, request),
          answer,
          ...(by === null ? {} : { by }),
        };
        tape.record(realMs === undefined ? line : { ...line, realMs }, paid);
        return answer;
      };
      const answer = model.ask(request, caller);
      if (!(answer instanceof Promise)) return record(answer);
      const asked = now();
      return answer.then((value) => record(value, Math.round(now() - asked)));
    },
  };
}

/** An index whose answers go on the tape, each once. */
export function recordedIndex(index: IndexPort, identity: string, tape: TapeWriter): IndexPort {
  const recorded = new KeySet();
  const record = (key: string, parts: Record<string, unknown>, answer: () => unknown): void => {
    if (!recorded.add(key)) return;
    tape.record({ key, port: "index", parts: { index: identity, ...parts }, answer: answer() }, false);
  };
  return {
    search(query, site, k) {
      const note = (hits: readonly Hit[]): readonly Hit[] => {
        record(searchKey(identity, query, site, k), { query, site, k }, () => hits.map(tapedHit));
        return hits;
      };
      const hits = index.search(query, site, k);
      return hits instanceof Promise ? hits.then(note) : note(hits);
    },
    selectSites(query, by, k) {
      const note = (sites: readonly string[]): readonly string[] => {
        record(selectionKey(identity, query, by, k), { query, by, k }, () => sites);
        return sites;
      };
      const sites = index.selectSites(query, by, k);
      return sites instanceof Promise ? sites.then(note) : note(sites);
    },
  };
}

function tapedHit({ id, site, textSha256, tokens, url }: Hit): Hit {
  return { id, site, textSha256, tokens, ...(url !== undefined && { url }) };
}
