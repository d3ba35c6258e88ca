import { Command } from "commander";
import { benchCommand } from "../../src/cli/bench.ts";
import { compareCommand } from "../../src/cli/compare.ts";
import { sweepCommand } from "../../src/cli/sweep.ts";
import { whatIfCommand } from "../../src/cli/what-if.ts";
import { corpusCommand } from "../../src/cli/corpus.ts";
import { doctorCommand } from "../../src/cli/doctor.ts";
import { fitCommand } from "../../src/cli/fit.ts";
import { newCommand } from "../../src/cli/new.ts";
import { inspectCommand } from "../../src/cli/inspect.ts";
import { watchCommand } from "../../src/cli/watch.ts";
import { judgeAgreementCommand } from "../../src/cli/judge-agreement.ts";
import { powerCommand } from "../../src/cli/power.ts";
import { replayCommand } from "../../src/cli/replay.ts";
import { reportCommand } from "../../src/cli/report.ts";
import { resumeCommand } from "../../src/cli/resume.ts";
import { runCommand } from "../../src/cli/run.ts";
import { schemaCommand } from "../../src/cli/schema.ts";
import { serveCommand } from "../../src/cli/serve.ts";
import { blocksOf, codeOf, type Page } from "./pages.ts";

/** The commands, fresh: parsing leaves its values in them. */
export function awesim(): Command {
  const report = (): void => {};
  return new Command("awesim")
    .addCommand(runCommand(report))
    .addCommand(replayCommand(report))
    .addCommand(whatIfCommand(report))
    .addCommand(compareCommand())
    .addCommand(sweepCommand(() => {}))
    .addCommand(benchCommand(report))
    .addCommand(fitCommand())
    .addCommand(powerCommand())
    .addCommand(judgeAgreementCommand())
    .addCommand(resumeCommand(report))
    .addCommand(watchCommand())
    .addCommand(inspectCommand())
    .addCommand(reportCommand())
    .addCommand(newCommand())
    .addCommand(serveCommand())
    .addCommand(corpusCommand(report))
    .addCommand(schemaCommand())
    .addCommand(doctorCommand(report));
}

/** The commands that do something, each with its words: `corpus import medquad`. */
export function* leaves(
  command: Command,
  words: readonly string[] = [],
): Generator<{ name: string; command: Command }> {
  if (command.commands.length === 0) yield { name: words.join(" "), command };
  for (const each of command.commands) yield* leaves(each, [...words, each.name()]);
}

export interface CommandLine {
  readonly text: string;
  readonly words: readonly string[];
  /** Stands in a block to be copied, and not in a sentence. */
  readonly whole: boolean;
}

/** The command lines of awesim on a page: in its shell blocks, and in code within sentences. */
export function commandLines(page: Page): CommandLine[] {
  const inBlocks = blocksOf(page)
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) => text.split("\n"));
  return [
    ...inBlocks.map((text) => ({ text, whole: true })),
    ...codeOf(page.prose).map((text) => ({ text, whole: false })),
  ]
    .map(({ text, whole }) => ({ text, whole, words: wordsOf(text) }))
    .map((line) => (line.words[0] === "npx" ? { ...line, words: line.words.slice(1) } : line))
    .filter(({ words }) => words[0] === "awesim")
    .map((line) => ({ ...line, words: line.words.slice(1) }));
}

/** The words of a shell line, up to a comment or a redirection. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/'[^']*'|[^\s']+/g)].map(([word]) => word);
  const end = words.findIndex((word) => word.startsWith("#") || word === ">");
  return (end < 0 ? words : words.slice(0, end)).map((word) => word.replace(/^'|'$/g, ""));
}

/** Parses a command line with commander. Throws when it is none. */
export function parse({ words, whole }: CommandLine): { command: Command; operands: string[] } {
  let command = awesim();
  let rest = [...words];
  for (;;) {
    const next = command.commands.find((each) => each.name() === rest[0]);
    if (next === undefined) break;
    command = next;
    rest = rest.slice(1);
  }
  if (rest.length === 0 && !whole) return { command, operands: [] };
  if (command.commands.length > 0 && rest[0] !== "--help")
    throw new Error(`no command ${rest[0]} in ${command.name()}`);
  command.exitOverride().configureOutput({ writeErr: () => {} });
  const { operands, unknown } = command.parseOptions(rest);
  if (unknown.length > 0) throw new Error(`unknown option ${unknown.join(" ")}`);
  const { registeredArguments } = command;
  const least = registeredArguments.filter(({ required }) => required).length;
  if (operands.length < least || operands.length > registeredArguments.length) {
    throw new Error(`${registeredArguments.length} arguments expected, got ${operands.join(" ")}`);
  }
  return { command, operands };
}
