import { Command } from "commander";
import { print, wholeNumber } from "../options.ts";
import { progressLine } from "../progress-line.ts";

export function generateCommand(): Command {
  return new Command("generate")
    .description("generates a corpus of fictional websites; the defaults are those of corpora/atlas")
    .option("--sites <n>", "how many websites", wholeNumber("--sites"), 100)
    .option("--documents <n>", "how many pages in all", wholeNumber("--documents"), 9000)
    .option("--seed <n>", "another seed, another world", wholeNumber("--seed"), 1)
    .requiredOption("--out <dir>", "the corpus' directory, such as corpora/mine")
    .option("--json", "print what was made as JSON")
    .addHelpText(
      "after",
      "\nExample:\n  awesim corpus generate --sites 40 --documents 4000 --seed 3 --out corpora/small",
    )
    .action(async (options: { sites: number; documents: number; seed: number; out: string; json?: true }) => {
      const { sites, documents, seed, out } = options;
      const { generateCorpus } = await import("../../corpora/generator/generate.ts");
      const shown = progressLine(process.stderr);
      const made = generateCorpus({ sites, documents, seed }, out, (done) =>
        shown.progress(done, documents, "pages written"),
      );
      shown.end();
      const topics = Object.entries(made.topics).map(([task, count]) => `${count} topics of ${task}`);
      print(
        options.json,
        { out, ...made },
        `${out}: ${made.sites} sites, ${made.documents} pages, ${topics.join(", ")}`,
      );
    });
}
