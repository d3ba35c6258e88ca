import type { z } from "zod";
import { type Path, valueAt } from "./path.ts";

type Issue = z.core.$ZodIssue;

/** One thing that is wrong with a document: where, and a sentence about it. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
  /** There is no value where one is needed. */
  readonly missing?: boolean;
}

/** The problems that zod found in the data. */
export function problemsOf(error: z.ZodError, data: unknown): Problem[] {
  return error.issues.map((issue) => toProblem(issue, data, []));
}

function toProblem(issue: Issue, data: unknown, parent: Path): Problem {
  const path = [...parent, ...(issue.path as (string | number)[])];
  if (issue.code === "unrecognized_keys") return { path: [...path, ...issue.keys.slice(0, 1)], message: issue.message };
  if (issue.code === "invalid_union") {
    const meant = meantOption(issue.errors);
    if (meant !== undefined) return toProblem(meant, data, path);
  }
  const value = valueAt(data, path);
  if (value === undefined || value === null) {
    return { path, message: `is missing: expected ${expected(issue)}`, missing: true };
  }
  return { path, message: `expected ${expected(issue)}, got ${shown(value)}` };
}

/**
 * What is wrong with the option that the user most likely meant: the one that finds the least, all of it
 * inside the value. Undefined when no option is the nearest.
 */
function meantOption(options: readonly (readonly Issue[])[]): Issue | undefined {
  let best: readonly Issue[] = [];
  let bestFaults = Infinity;
  for (const issues of options) {
    const inside = issues.every(({ code, path }) => path.length > 0 || code === "unrecognized_keys");
    const faults = issues.reduce((sum, issue) => sum + faultsIn(issue), 0);
    if (!inside || faults > bestFaults) continue;
    [best, bestFaults] = [faults === bestFaults ? [] : issues, faults];
  }
  return best.find(({ code }) => code === "unrecognized_keys") ?? best[0];
}

/** A key that looks like one of the option's own speaks for the option. */
function faultsIn(issue: Issue): number {
  if (issue.code !== "unrecognized_keys") return 1;
  return issue.message.includes("did you mean") ? issue.keys.length - 0.5 : issue.keys.length;
}

/** The schemas of this folder say it themselves; zod's own words stand in for the few schemas of others. */
function expected(issue: Issue): string {
  return issue.code === "invalid_type" && issue.message.startsWith("Invalid input")
    ? `a ${issue.expected}`
    : issue.message;
}

function shown(value: unknown): string {
  const text = typeof value === "number" ? String(value) : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
