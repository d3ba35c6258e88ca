import { Command } from "commander";
import { print } from "../options.ts";

export function importCommand(): Command {
  return new Command("import").description("makes a corpus of a published data set").addCommand(
    new Command("medquad")
      .description("MedQuAD: nine health websites with the judged questions of TREC 2017 LiveQA-Med")
      .argument("<source>", "the folder with the .tar.gz of XML files, the judgements and the questions")
      .option("--out <dir>", "the corpus' directory", "corpora/medquad")
      .option("--json", "print what was found as JSON")
      .addHelpText("after", "\nExample:\n  awesim corpus import medquad ~/data/medquad")
      .action(async (source: string, { out, json }: { out: string; json?: true }) => {
        const { importMedquad } = await import("../../corpora/importers/medquad.ts");
        const report = await importMedquad(source, out);
        const { sites, pages, judgedTopics, knownItemTopics, pagesWithoutText, unresolvedJudgements } = report;
        for (const { record, reason } of report.badRecords) process.stderr.write(`left out ${record}: ${reason}\n`);
        print(
          json,
          { out, ...report },
          [
            `${out}: ${sites} sites, ${pages} pages (${pagesWithoutText} without text),`,
            `${judgedTopics} judged and ${knownItemTopics} known-item questions;`,
            `${unresolvedJudgements} judgements name answers that the set does not hold,`,
            `${report.badRecords.length} records could not be used`,
          ].join(" "),
        );
      }),
  );
}
