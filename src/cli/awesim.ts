import { Command, CommanderError } from "commander";
import { InputError } from "../errors.ts";
import { packageVersion } from "../package-root.ts";
import { DamagedFile } from "../trace/damaged-file.ts";
import { benchCommand } from "./bench.ts";
import { corpusCommand } from "./corpus.ts";
import { doctorCommand } from "./doctor.ts";
import { fitCommand } from "./fit.ts";
import { inspectCommand } from "./inspect.ts";
import { watchCommand } from "./watch.ts";
import { judgeAgreementCommand } from "./judge-agreement.ts";
import { isSystemError, messageOf } from "./message.ts";
import { newCommand } from "./new.ts";
import { powerCommand } from "./power.ts";
import { replayCommand } from "./replay.ts";
import { reportCommand } from "./report.ts";
import { resumeCommand } from "./resume.ts";
import { runCommand } from "./run.ts";
import { schemaCommand } from "./schema.ts";
import { compareCommand } from "./compare.ts";
import { sweepCommand } from "./sweep.ts";
import { whatIfCommand } from "./what-if.ts";
import { serveCommand } from "./serve.ts";

/**
 * Runs the command that the arguments name.
 * @returns the exit code: 0 done, 1 the run or check failed, 2 bad usage or input, 130 interrupted
 */
export async function awesim(args: readonly string[]): Promise<number> {
  let code = 0;
  const report = (result: number): void => {
    code = result;
  };
  const program = new Command("awesim")
    .description("Simulates the Agentic Web: user agents and content agents on a virtual clock.")
    .version(packageVersion)
    .exitOverride()
    .showSuggestionAfterError()
    .addCommand(runCommand(report))
    .addCommand(replayCommand(report))
    .addCommand(whatIfCommand(report))
    .addCommand(compareCommand())
    .addCommand(sweepCommand(report))
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
  for (const command of allCommands(program)) command.exitOverride();
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof InputError) {
      process.stderr.write(`awesim: ${messageOf(error)}\n`);
      return 2;
    }
    if (error instanceof DamagedFile || isSystemError(error)) {
      process.stderr.write(`awesim: ${messageOf(error)}\n`);
      return 1;
    }
    process.stderr.write(`awesim: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 1;
  }
}

function* allCommands(command: Command): Generator<Command> {
  for (const each of command.commands) {
    yield each;
    yield* allCommands(each);
  }
}
