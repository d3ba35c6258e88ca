import { join } from "node:path";
import { Command } from "commander";
import { InputError } from "../errors.ts";
import type { RunName, Side } from "../report/comparison/sides.ts";
import { surrogateNotice } from "../run/manifest.ts";
import { readRunInputs } from "../run/replay-run.ts";
import { changeOf } from "../run/what-if/change.ts";
import { openOut } from "../run/what-if/out.ts";
import { type RecordedSide, readSide } from "../run/what-if/recorded-side.ts";
import { tellComparison } from "./tell-comparison.ts";

interface CompareOptions {
  readonly out?: string;
  readonly json?: true;
}

export function compareCommand(): Command {
  return new Command("compare")
    .description("compares two runs on common random numbers: shares, diversion, quality, changed queries")
    .argument("<baseline>", "a completed run's directory")
    .argument("<variant>", "another one of the same corpus and seed")
    .option("--out <dir>", "where it is written (default: runs/compare-<n>)")
    .option("--json", "print the comparison as JSON")
    .addHelpText("after", "\nExample:\n  awesim compare runs/one-day-1 runs/one-day-2")
    .action((baseline: string, variant: string, options: CompareOptions) => compare(baseline, variant, options));
}

function compare(baseline: string, variant: string, options: CompareOptions): void {
  const [before, after] = [readSide(baseline), readSide(variant)];
  requirePair(before, after, variant);
  const [one, other] = [readRunInputs(baseline, before.manifest), readRunInputs(variant, after.manifest)];
  const directory = openOut(options.out ?? null, "compare");
  const usesSurrogate = [before, after].some(({ manifest }) => manifest.surrogate !== null);
  const sites = new Set([...one.sites, ...other.sites].map(({ id }) => id));
  tellComparison(
    directory,
    { baseline, variant },
    {
      change: changeOf(one.loaded, other.loaded),
      pairs: [{ baseline: sideOf(before), variant: sideOf(after) }],
      sites: [...sites],
      tapeCoverage: null,
      counterfactual: null,
      notices: usesSurrogate ? [surrogateNotice] : [],
    },
    options.json === true,
  );
}

export function sideOf({ run, queries }: RecordedSide): Side {
  return { run: run as RunName, queries };
}

/** Only runs with the same draws can be paired query by query. */
function requirePair(before: RecordedSide, after: RecordedSide, variant: string): void {
  const file = join(variant, "manifest.json");
  for (const key of ["seed", "replication"] as const) {
    const [one, other] = [before.manifest[key], after.manifest[key]];
    if (one === other) continue;
    throw new InputError(`expected a run of ${key} ${one}, as the baseline has, got ${other}`, { file, field: key });
  }
  const [one, other] = [before.manifest.corpus, after.manifest.corpus];
  if (one.name === other.name && one.version === other.version) return;
  throw new InputError(`expected a run on the corpus ${one.name} ${one.version}, got ${other.name} ${other.version}`, {
    file,
    field: "corpus",
  });
}
