import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";
import { EndpointError } from "./endpoint-error.ts";

/** Pauses before the second and later tries, where the server asks for none. */
const pausesMs = [500, 1000, 2000, 4000];
const longestPauseMs = 60_000;

/**
 * Calls an endpoint until it answers, at most 5 times. What may pass is tried again: no connection, a time-out, a
 * connection or an answer that breaks, what is no answer of a model, 408, 409, 429 and 5xx; after the pause the server asks for (Retry-After, at most 60 s), or
 * 0.5 s, 1 s, 2 s, 4 s.
 * @param readable takes out of the endpoint's own words what nobody may read
 * @throws EndpointError with the endpoint's own words
 */
export async function withRetries<T>(
  call: () => Promise<T>,
  address: string,
  noMore: AbortSignal,
  readable: (text: string) => string,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const pauseMs = pausesMs[attempt - 1];
      if (pauseMs === undefined || !mayPass(error))
        throw new EndpointError(readable(describe(error, address, attempt)));
      await sleep(Math.min(longestPauseMs, askedPauseMs(error) ?? pauseMs), undefined, { signal: noMore });
    }
  }
}

function mayPass(error: unknown): boolean {
  if (!(error instanceof OpenAI.APIError) || error.status === undefined) return true;
  return error.status === 408 || error.status === 409 || error.status === 429 || error.status >= 500;
}

/** Retry-After is in seconds or a date; a date is compared with the server's own. */
function askedPauseMs(error: unknown): number | null {
  const headers = error instanceof OpenAI.APIError ? error.headers : undefined;
  const asked = headers?.get("retry-after");
  if (asked === null || asked === undefined || asked.trim() === "") return null;
  const seconds = Number(asked);
  const pauseMs = Number.isNaN(seconds) ? Date.parse(asked) - Date.parse(headers?.get("date") ?? "") : seconds * 1000;
  return Number.isFinite(pauseMs) && pauseMs >= 0 ? pauseMs : null;
}

function describe(error: unknown, address: string, attempts: number): string {
  const message = error instanceof Error ? error.message : String(error);
  const cause = rootCode(error);
  const tries = attempts === 1 ? "and will not be asked again" : `${attempts} times`;
  return `the model's endpoint ${address} failed ${tries}: ${message}${cause === null ? "" : ` (${cause})`}`;
}

/** What the network says, such as ECONNREFUSED: it stands at the bottom of the causes. */
function rootCode(error: unknown): string | null {
  let code: string | null = null;
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") code = at.code;
  }
  return error instanceof OpenAI.APIError && error.status !== undefined ? null : code;
}
