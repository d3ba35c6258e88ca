import { accessSync, constants, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Command } from "commander";
import { InputError } from "../errors.ts";
import { loadProfile } from "../models/surrogate/profile.ts";
import { markdownTable } from "../report/markdown.ts";
import { collectEvidence } from "../run/fit/collect.ts";
import { estimateProfile, type ProfileFit } from "../run/fit/estimate.ts";
import type { Evidence } from "../run/fit/evidence.ts";
import { fittedProfile } from "../run/fit/fitted-profile.ts";
import { requireFree } from "../run/run-directory.ts";

interface FitOptions {
  readonly out: string;
  readonly model?: string;
  readonly base: string;
  readonly json?: true;
}

export function fitCommand(): Command {
  return new Command("fit")
    .description("estimates a profile of the surrogate from what a model did in recorded runs")
    .argument("<run...>", "completed runs of one model")
    .requiredOption("--out <file>", "where the profile is written, such as profile.yaml")
    .option("--model <model>", "which of the runs' models, where there are several")
    .option("--base <profile>", "where the values come from that are not estimated", "qwen3-4b")
    .option("--json", "print the estimates as JSON")
    .addHelpText("after", "\nExample:\n  awesim fit runs/hello-1 --model surrogate/qwen3-4b --out my-model.yaml")
    .action(fit);
}

async function fit(runs: readonly string[], options: FitOptions): Promise<void> {
  const { out, base } = options;
  if (!/\.ya?ml$/.test(out)) {
    throw new InputError("expected a file that ends in .yaml: a model's name points to it", { field: "--out" });
  }
  requireFree(out);
  requireDirectory(dirname(out));
  const { thinking: start } = loadProfile(base);
  const evidence: Evidence[] = [];
  let model = options.model ?? null;
  for (const [index, run] of runs.entries()) {
    const collected = await collectEvidence(run, model, start);
    model = collected.model;
    // A query id says nothing across runs.
    for (const each of collected.evidence) evidence.push({ ...each, query: `${index}/${each.query}` });
  }
  const fitted = estimateProfile(evidence, start);
  if (fitted.keys.length === 0) throw new InputError("expected outputs of a model; there are none in these runs");
  const comment = [
    `Estimated from what ${model as string} did in ${fitted.queries.fitted} queries. It resembles that model in what is`,
    `estimated, in the setting of those runs, and is an assumption elsewhere. Values without an estimate are those of ${base}.`,
  ];
  writeFileSync(out, fittedProfile(base, fitted.keys, comment));
  loadProfile(out); // what was written is a profile
  process.stdout.write(options.json === true ? `${JSON.stringify({ out, model, ...fitted })}\n` : page(out, fitted));
}

/** Told before the estimation, which takes a while. */
function requireDirectory(directory: string): void {
  try {
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw new InputError(`no profile can be written there (${(error as Error).message}); choose another --out`, {
      file: directory,
    });
  }
}

function page(out: string, { keys, siteChoice, heldOut, queries }: ProfileFit): string {
  const number = (value: number | null): string => (value === null ? "-" : value.toPrecision(3));
  const baselines = [...new Set(heldOut.flatMap((each) => Object.keys(each.baselines)))];
  return [
    `Estimated from ${queries.fitted} queries; ${queries.heldOut} were held out.`,
    "",
    ...markdownTable(
      ["key", "estimate", "standard error", "n"],
      keys.map(({ key, value, standardError, n }) => [key, number(value), number(standardError), String(n)]),
    ),
    "",
    "Choice of sites by all that is known here, also by what a profile has no key for:",
    "",
    ...markdownTable(
      ["feature", "weight", "standard error"],
      siteChoice.map(({ feature, weight, standardError }) => [feature, number(weight), number(standardError)]),
    ),
    "",
    "Held-out decisions: the mean of -log of the chance given to what happened; lower is better.",
    "",
    ...markdownTable(
      ["decision", "n", "fitted", ...baselines],
      heldOut.map((each) => [
        each.decision,
        String(each.n),
        number(each.fitted),
        ...baselines.map((name) => number(each.baselines[name] ?? null)),
      ]),
    ),
    "",
    `The profile is in ${out}; a scenario uses it as surrogate/${out}`,
    "",
  ].join("\n");
}
