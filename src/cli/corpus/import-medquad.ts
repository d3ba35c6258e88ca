import { importMedquad } from "../../corpora/importers/medquad.ts";
import { print } from "../options.ts";

export async function importMedquadFolder(source: string, { out, json }: { out: string; json?: true }): Promise<void> {
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
}
