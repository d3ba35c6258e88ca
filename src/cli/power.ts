import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { InputError } from "../errors.ts";
import { pairedDifference } from "../metrics/intervals.ts";
import { detectableDifference, type TestPlan, topicsNeeded, usualPlan } from "../metrics/power.ts";
import { mainMeasure } from "../report/bench/cell.ts";
import type { Comparison } from "../report/bench/comparisons.ts";
import { markdownTable } from "../report/markdown.ts";
import { readQueryTable, type TopicRow } from "../report/query-table.ts";

interface PowerOptions {
  readonly sd?: string;
  readonly measure?: string;
  readonly topics?: string;
  readonly difference?: string;
  readonly alpha: string;
  readonly power: string;
  readonly json?: true;
}

/** The spread of the differences between two things compared on the same topics. */
interface Spread {
  readonly what: string;
  readonly measure: string;
  readonly sd: number;
  /** Topics it was estimated from; null where it was given. */
  readonly n: number | null;
}

export function powerCommand(): Command {
  return new Command("power")
    .description("says which paired difference a number of topics can detect")
    .argument("[source]", "a run or bench to take the spread of differences from")
    .option("--sd <x>", "the standard deviation of paired differences instead, such as 0.42")
    .option("--measure <name>", "only this measure (default: the main one of each task)")
    .option("--topics <n>", "topics to plan with (default: those of the source, or 300)")
    .option("--difference <x>", "a difference to plan for, such as 0.032: prints the topics it takes")
    .option("--alpha <x>", "level of the two-sided test", String(usualPlan.alpha))
    .option("--power <x>", "chance to find the difference", String(usualPlan.power))
    .option("--json", "print the table as JSON")
    .addHelpText("after", "\nExample:\n  awesim power --sd 0.42 --topics 300 --difference 0.032")
    .action((source: string | undefined, options: PowerOptions) => power(source, options));
}

function power(source: string | undefined, options: PowerOptions): void {
  const plan = planOf(options);
  const topics = options.topics === undefined ? null : numberOf(options.topics, "--topics", 2, 1e9);
  const difference = options.difference === undefined ? null : numberOf(options.difference, "--difference", 1e-9, 1e9);
  const rows = spreads(source, options).map(({ what, measure, sd, n }) => {
    const planned = Math.round(topics ?? n ?? 300);
    return {
      compared: what,
      measure,
      estimatedFrom: n,
      sd,
      topics: planned,
      detectable: detectableDifference(sd, planned, plan),
      topicsForDifference: difference === null || sd === 0 ? null : topicsNeeded(difference, sd, plan),
    };
  });
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify({ ...plan, difference, rows })}\n`);
    return;
  }
  const wanted = difference === null ? [] : [`topics for ${difference}`];
  const table = markdownTable(
    ["compared", "measure", "sd", "topics", "detectable difference", ...wanted],
    rows.map((row) => [
      row.compared,
      row.measure,
      row.sd.toFixed(3),
      String(row.topics),
      row.detectable === null ? "-" : row.detectable.toFixed(4),
      ...(difference === null ? [] : [row.topicsForDifference === null ? "-" : String(row.topicsForDifference)]),
    ]),
  );
  const head = `Paired comparison on the same topics, two-sided at ${plan.alpha}: differences found with a chance of ${plan.power}.`;
  process.stdout.write(`${[head, "", ...table].join("\n")}\n`);
}

function planOf({ alpha, power: wanted }: PowerOptions): TestPlan {
  const level = numberOf(alpha, "--alpha", 1e-9, 0.5);
  return { alpha: level, power: numberOf(wanted, "--power", level, 0.999999) };
}

function numberOf(text: string, option: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= least && value <= most) return value;
  throw new InputError(`expected a number from ${least} to ${most}, got ${JSON.stringify(text)}`, { field: option });
}

function spreads(source: string | undefined, { sd, measure }: PowerOptions): Spread[] {
  if (sd !== undefined) {
    return [{ what: "given", measure: measure ?? "any", sd: numberOf(sd, "--sd", 0, 1e9), n: null }];
  }
  if (source === undefined) {
    throw new InputError("expected a run or bench, or --sd with the standard deviation of paired differences");
  }
  const found = existsSync(join(source, "bench.json")) ? spreadsOfBench(source) : spreadsOfRun(source, measure);
  const wanted = found.filter((each) => measure === undefined || each.measure === measure);
  if (wanted.length > 0) return wanted;
  throw new InputError(
    measure === undefined
      ? "expected at least two strategies or models on the same topics; nothing here can be paired"
      : `expected a measure that was compared here, got ${measure}; there are ${[...new Set(found.map((each) => each.measure))].join(", ") || "none"}`,
    { file: source },
  );
}

function spreadsOfBench(directory: string): Spread[] {
  const { comparisons } = JSON.parse(readFileSync(join(directory, "bench.json"), "utf8")) as {
    comparisons: readonly Comparison[];
  };
  return comparisons.flatMap(({ task, a, b, setting, measure, sd, n }) =>
    sd === null ? [] : [{ what: `${task}: ${a} - ${b} (${setting})`, measure, sd, n }],
  );
}

/** All pairs of a run's assistants; a topic that arrived several times counts once, with its mean. */
function spreadsOfRun(directory: string, measure: string | undefined): Spread[] {
  const groups = new Map<string, TopicRow[]>();
  for (const row of readQueryTable(join(directory, "queries.csv"))) {
    const key = JSON.stringify([row.task, row.strategy, row.model]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const list = [...groups.values()];
  return list.flatMap((one, index) =>
    list.slice(index + 1).flatMap((other) => {
      const [first, second] = [one[0] as TopicRow, other[0] as TopicRow];
      const name = measure ?? mainMeasure[first.task];
      if (first.task !== second.task || name === undefined) return [];
      const [a, b] = [meansOf(one, name), meansOf(other, name)];
      const shared = [...a.keys()].filter((topic) => b.has(topic));
      const values = (means: Map<string, number>): number[] => shared.map((topic) => means.get(topic) as number);
      const { sd, n } = pairedDifference(values(a), values(b));
      const what = `${first.task}: ${nameOf(first)} - ${nameOf(second)}`;
      return sd === null ? [] : [{ what, measure: name, sd, n }];
    }),
  );
}

function meansOf(rows: readonly TopicRow[], measure: string): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { topic, values } of rows) {
    const value = values[measure] ?? null;
    if (value === null) continue;
    const entry = sums.get(topic) ?? { sum: 0, count: 0 };
    sums.set(topic, { sum: entry.sum + value, count: entry.count + 1 });
  }
  return new Map([...sums].map(([topic, { sum, count }]) => [topic, sum / count]));
}

function nameOf({ strategy, model }: TopicRow): string {
  return model === null ? strategy : `${strategy} ${model}`;
}
