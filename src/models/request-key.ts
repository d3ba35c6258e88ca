import type { SiteSelection } from "../agents/ports.ts";
import type { ModelRequest } from "../agents/prompt.ts";
import { sha256 } from "../trace/hash.ts";

/** Enough of a hash to tell parts apart when a miss is explained; the key itself is whole. */
const partCharacters = 16;

/**
 * The content of a model request as a key: who answers, with what parameters and seed, and every part of the prompt.
 * Nothing is left out; addresses, keys and headers of an endpoint are not part of a request.
 */
export function modelRequestKey(identity: string, { parts, parameters, seed }: ModelRequest): string {
  let content = `model\n${identity}\n${parameters.thinking}\n${parameters.maxTokens}\n${seed}`;
  for (const part of parts) content += `\n${part.hash}`;
  return sha256(content);
}

/** What a model request's key is made of, for the tape. */
export function modelRequestParts(
  identity: string,
  { parts, parameters, seed }: ModelRequest,
): Record<string, unknown> {
  return { model: identity, ...parameters, seed, prompt: parts.map(({ hash }) => hash.slice(0, partCharacters)) };
}

/** The content of a selection of sites as a key. */
export function selectionKey(index: string, query: string, by: SiteSelection, k: number): string {
  return sha256(JSON.stringify(["selection", index, query, by, k]));
}

/** The content of a search as a key. */
export function searchKey(index: string, query: string, site: string | null, k: number): string {
  return sha256(JSON.stringify(["index", index, query, site, k]));
}
