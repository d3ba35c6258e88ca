import { hashUniform, Streams } from "../kernel/random.ts";
import { compareRuns, type ComparisonInput } from "../report/comparison/compare.ts";
import { writeComparison } from "../report/comparison/comparison-report.ts";
import { type Timelines, timeline } from "../report/comparison/timelines.ts";
import type { Fact } from "../trace/facts.ts";
import { readFacts } from "../trace/trace-reader.ts";

/** Changed queries whose timelines are shown. */
const timelinesShown = 3;

/** Compares, writes the files, prints the page or the JSON. The runs are those that the first pair is of. */
export function tellComparison(
  directory: string,
  runs: { readonly baseline: string; readonly variant: string },
  input: Omit<ComparisonInput, "drawFor">,
  json: boolean,
): void {
  const comparison = compareRuns({ ...input, drawFor: drawsOf(input.pairs[0]?.baseline.run.seed ?? 0) });
  const shown = comparison.queries.changed.map((id) => id.replace(/^r\d+\//, ""));
  const ofFirst = comparison.queries.changed.filter((id) => !/^r[1-9]/.test(id)).length;
  const timelines = timelinesOf(runs, shown.slice(0, Math.min(ofFirst, timelinesShown)));
  const { page, json: object } = writeComparison(directory, comparison, timelines);
  const text = json ? JSON.stringify({ directory, comparison: object }) : `${page}\nEverything is in ${directory}`;
  process.stdout.write(`${text}\n`);
}

function timelinesOf(runs: { baseline: string; variant: string }, queries: readonly string[]): Timelines[] {
  const [baseline, variant] = [factsOf(runs.baseline, queries), factsOf(runs.variant, queries)];
  return queries.map((query) => ({
    query,
    baseline: timeline(baseline.get(query) ?? []),
    variant: timeline(variant.get(query) ?? []),
  }));
}

function factsOf(run: string, queries: readonly string[]): ReadonlyMap<string, Fact[]> {
  const found = new Map<string, Fact[]>(queries.map((query) => [query, []]));
  if (queries.length === 0) return found;
  for (const fact of readFacts(run)) if ("query" in fact) found.get(fact.query)?.push(fact);
  return found;
}

/** A counter under a keyed hash: the same numbers for the same interval. */
function drawsOf(seed: number): (entity: string) => () => number {
  const streams = new Streams(seed, 0);
  return (entity) => {
    const key = streams.seedFor("bootstrap", entity);
    let count = 0;
    return () => hashUniform(key, count++);
  };
}
