import { readFileSync, writeFileSync } from "node:fs";
import { Command } from "commander";
import { parse, stringify } from "yaml";
import { headFile } from "../../corpora/files.ts";
import { readDocuments } from "../../corpora/read.ts";
import type { Parameters } from "../../corpora/generator/parameters.ts";
import { measureWorld, type MeasuredWorld, textFacts } from "../../run/corpus-calibration/measure.ts";
import { searchParameters } from "../../run/corpus-calibration/search.ts";
import {
  meanReached,
  misfit,
  quantities,
  type Reached,
  residuals,
  targets,
} from "../../run/corpus-calibration/targets.ts";
import { resolveCorpus } from "../../scenario/corpus.ts";
import { table } from "../../terminal/table.ts";
import { cacheDirectory, collect, wholeNumber } from "../options.ts";
import { progressLine } from "../progress-line.ts";

interface CalibrateOptions {
  readonly seed: number;
  readonly heldOut: readonly string[];
  readonly search: number;
  readonly compare?: string;
  readonly into?: string;
  readonly json?: true;
}

export function calibrateCommand(): Command {
  return new Command("calibrate")
    .description("measures the corpora that the generator makes against their targets, and searches better parameters")
    .option("--seed <n>", "the world that is measured, and fitted", wholeNumber("--seed"), 1)
    .option("--held-out <seed>", "measure this world too, which nothing is fitted to (repeatable)", collect, [])
    .option("--search <n>", "try so many changes of parameters and keep those that help", wholeNumber("--search"), 0)
    .option("--compare <corpus>", "print how its text differs from that of a corpus of real pages")
    .option("--into <corpus>", "keep the residuals in this corpus' corpus.yaml")
    .option("--json", "print what was reached as JSON")
    .addHelpText("after", "\nExample:\n  awesim corpus calibrate --held-out 2 --held-out 3 --compare medquad")
    .action(async (options: CalibrateOptions) => {
      const { progress, end } = progressLine(process.stderr);
      const measure = (seed: number, parameters: Partial<Parameters>): Promise<MeasuredWorld> =>
        measureWorld({ seed, parameters }, cacheDirectory(), progress);
      const { parameters, measured } = await searchParameters(
        (changes) => measure(options.seed, changes),
        options.search,
      );
      const others: MeasuredWorld[] = [];
      for (const seed of options.heldOut) others.push(await measure(wholeNumber("--held-out")(seed), parameters));
      const heldOut = others.length === 0 ? undefined : meanReached(others.map(({ reached }) => reached));
      end();
      const seeds = options.heldOut.map(Number);
      const kept = {
        residuals: residuals(measured.reached),
        ...(heldOut === undefined ? {} : { heldOut: { seeds, ...residuals(heldOut) } }),
      };
      const real = options.compare === undefined ? undefined : await textOf(options.compare);
      const { text, templateGuard } = measured;
      if (options.into !== undefined) keep(resolveCorpus(options.into, null), kept);
      const shown = options.json
        ? JSON.stringify(
            { seed: options.seed, parameters, misfit: misfit(measured.reached), ...kept, text, templateGuard, real },
            null,
            2,
          )
        : [
            `seed ${options.seed}, changed parameters: ${JSON.stringify(parameters)}`,
            reachedTable(measured.reached, heldOut),
            `misfit ${misfit(measured.reached).toFixed(1)}`,
            `gold pages told from others by words without content: ${templateGuard.toFixed(3)} (chance .500)`,
            `text of this world: ${JSON.stringify(text)}`,
            ...(real === undefined ? [] : [`text of ${options.compare}: ${JSON.stringify(real)}`]),
          ].join("\n");
      process.stdout.write(`${shown}\n`);
    });
}

function reachedTable(reached: Reached, heldOut: Reached | undefined): string {
  const number = (title: string) => ({ title, format: (value: number) => value.toFixed(3) });
  const columns = [{ title: "quantity" }, { title: "rule" }, number("target"), number("reached")];
  return table(
    heldOut === undefined ? columns : [...columns, number("held out")],
    quantities.map((quantity) => {
      const { value, rule } = targets[quantity];
      const row = [quantity, rule, value, reached[quantity]];
      return heldOut === undefined ? row : [...row, heldOut[quantity]];
    }),
  );
}

async function textOf(corpus: string) {
  const texts: string[] = [];
  for await (const { document } of readDocuments(resolveCorpus(corpus, null))) texts.push(document.text);
  return textFacts(texts);
}

/** Adds to the head of a corpus, in place of what a calibration before has left there. */
function keep(directory: string, more: object): void {
  const file = headFile(directory);
  const head = parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  delete head["heldOut"];
  writeFileSync(file, stringify({ ...head, ...more }, { lineWidth: 0 }));
}
