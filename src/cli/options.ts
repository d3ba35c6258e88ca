import { resolve } from "node:path";
import { InputError } from "../errors.ts";

/** Adds one more value of an option that can be given several times. */
export function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

/** Where stores, vectors and indexes are kept. */
export function cacheDirectory(): string {
  return process.env["AWESIM_CACHE"] ?? resolve(".awesim");
}

/** Prints a result as JSON when it was asked for, else as text. */
export function print(json: true | undefined, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`);
}

/** The reader of an option's whole number, 0 or more. */
export function wholeNumber(option: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= 0) return value;
    throw new InputError(`expected a whole number, got ${JSON.stringify(text)}`, { field: option });
  };
}

/** The reader of an option's whole number, 1 or more. */
export function positiveNumber(option: string): (text: string) => number {
  return (text) => {
    const value = wholeNumber(option)(text);
    if (value > 0) return value;
    throw new InputError(`expected a whole number of at least 1, got ${JSON.stringify(text)}`, { field: option });
  };
}
