import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";
import { EndpointError } from "./endpoint-error.ts";

/** Pauses before the second and later tries, where the server asks for none. */
const pausesMs = [500, 1000, 2000, 4000];
const longestPauseMs = 60_000;

/**
 * Calls an endpoint until it answers, at most 5 times. What may pass is tried again: no connection, a time-out, a
 * connection that breaks, 408, 409, 429 and 5xx; after the pause the server asks for (Retry-After, at most 60 s), or
 * 0.5 s, 1 s, 2 s, 4 s.
 * @throws EndpointError with the endpoint's own words
 */
export async function withRetries<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const pauseMs = pausesMs[attempt - 1];
      if (pauseMs === undefined || !mayPass(error)) throw new EndpointError(describe(error, attempt), { cause: error });
      await sleep(Math.min(longestPauseMs, askedPauseMs(error) ?? pauseMs), undefined, { signal });
    }
  }
}

function mayPass(error: unknown): boolean {
  if (!(error instanceof OpenAI.APIError) || error.status === undefined) return true;
  return error.status === 408 || error.status === 409 || error.status === 429 || error.status >= 500;
}

function askedPauseMs(error: unknown): number | null {
  const header = error instanceof OpenAI.APIError ? error.headers?.get("retry-after") : null;
  const seconds = header === null || header === undefined ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

function describe(error: unknown, attempts: number): string {
  const message = error instanceof Error ? error.message : String(error);
  return `the model's endpoint failed ${attempts === 1 ? "and will not be asked again" : `${attempts} times`}: ${message}`;
}
