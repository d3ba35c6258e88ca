import { Command } from "commander";
import { generateCommand } from "./corpus/generate.ts";
import { calibrateCommand } from "./corpus/calibrate.ts";
import { importCommand } from "./corpus/import.ts";
import { indexCommand } from "./corpus/index-corpus.ts";
import { infoCommand } from "./corpus/info.ts";

export function corpusCommand(report: (code: number) => void): Command {
  return new Command("corpus")
    .description("generates, imports, indexes and describes corpora")
    .addCommand(generateCommand())
    .addCommand(calibrateCommand())
    .addCommand(importCommand(report))
    .addCommand(indexCommand())
    .addCommand(infoCommand());
}
