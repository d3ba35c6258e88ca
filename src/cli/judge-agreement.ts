import { join } from "node:path";
import { Command } from "commander";
import { InputError } from "../errors.ts";
import { cohenKappa, kendall } from "../metrics/rank-correlation.ts";
import { markdownTable } from "../report/markdown.ts";
import { readQueryTable, type TopicRow } from "../report/query-table.ts";

/** Which measure by words stands in for which of a judge; kappa where both are 0 or 1. */
const pairs = [
  { lexical: "exactMatch", judged: "accuracy", isBinary: true },
  { lexical: "answerContainment", judged: "accuracy", isBinary: true },
  { lexical: "f1", judged: "accuracy", isBinary: false },
  { lexical: "keyPointMatch", judged: "kpr", isBinary: false },
] as const;

interface Agreement {
  readonly lexical: string;
  readonly judged: string;
  readonly n: number;
  readonly kappa: number | null;
  readonly tauB: number | null;
}

export function judgeAgreementCommand(): Command {
  return new Command("judge-agreement")
    .description("says how far measures by words agree with a language model's judgements in a run")
    .argument("<run>", "the directory of a run with a judge")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  awesim judge-agreement runs/judged-1")
    .action((run: string, { json }: { json?: true }) => {
      const file = join(run, "queries.csv");
      const rows = readQueryTable(file);
      const found = pairs.map((pair) => agreementOf(rows, pair)).filter(({ n }) => n > 0);
      if (found.length === 0) {
        throw new InputError("expected a run with judged answers or reports; set judge.model and run it again", {
          file,
        });
      }
      process.stdout.write(json === true ? `${JSON.stringify(found)}\n` : tableOf(found));
    });
}

/** Over the queries that have both measures. */
function agreementOf(rows: readonly TopicRow[], { lexical, judged, isBinary }: (typeof pairs)[number]): Agreement {
  const both = rows.flatMap(({ values }) => {
    const [x, y] = [values[lexical] ?? null, values[judged] ?? null];
    return x === null || y === null ? [] : [[x, y] as const];
  });
  const [x, y] = [both.map(([value]) => value), both.map(([, value]) => value)];
  return {
    lexical,
    judged,
    n: both.length,
    kappa: isBinary ? cohenKappa(x, y) : null,
    tauB: kendall(x, y).tauB,
  };
}

function tableOf(found: readonly Agreement[]): string {
  const text = (value: number | null): string => (value === null ? "-" : value.toFixed(3));
  const rows = found.map(({ lexical, judged, n, kappa, tauB }) => [
    lexical,
    judged,
    String(n),
    text(kappa),
    text(tauB),
  ]);
  return `${markdownTable(["by words", "by the judge", "n", "kappa", "tau-b"], rows).join("\n")}\n`;
}
