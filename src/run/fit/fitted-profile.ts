import { parseDocument } from "yaml";
import { readProfileText } from "../../models/surrogate/profile.ts";
import type { KeyEstimate } from "./estimate.ts";

/** Digits of an estimate that are written: more would promise what no data give. */
const digits = 4;

/**
 * A profile's file with estimates in place of the base's values, and a comment that says what it is. It behaves the
 * same with and without thinking, as it was fitted to one of the two.
 * @param base a profile's name or path
 */
export function fittedProfile(base: string, keys: readonly KeyEstimate[], comment: readonly string[]): string {
  const document = parseDocument(readProfileText(base));
  document.delete("without-thinking");
  for (const { key, value } of keys) document.setIn(key.split("."), Number(value.toPrecision(digits)));
  document.commentBefore = comment.map((line) => ` ${line}`).join("\n");
  return document.toString({ lineWidth: 120 });
}
