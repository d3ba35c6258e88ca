import { resolve } from "node:path";

/** Adds one more value of an option that can be given several times. */
export function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

/** Where stores, vectors and indexes are kept. */
export function cacheDirectory(): string {
  return process.env["AWESIM_CACHE"] ?? resolve(".awesim");
}
