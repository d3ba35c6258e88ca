import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { InputError } from "../errors.ts";
import { strategyNames } from "../strategies/registry.ts";
import { strategyFiles } from "./strategy-template.ts";

export function newCommand(): Command {
  return new Command("new")
    .description("writes files to start from")
    .addCommand(
      new Command("strategy")
        .description("writes a strategy that runs, its test, and a scenario that runs it")
        .argument("<name>", "lower-case letters, digits and hyphens")
        .option("--out <dir>", "where the files go", ".")
        .option("--json", "print the files' paths as JSON")
        .addHelpText("after", "\nExample:\n  awesim new strategy my-strategy --out strategies")
        .action(newStrategy),
    );
}

function newStrategy(name: string, { out, json }: { out: string; json?: true }): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new InputError(`expected a name of lower-case letters, digits and hyphens, got ${JSON.stringify(name)}`);
  }
  if (strategyNames().includes(name)) throw new InputError(`${name} is a strategy of awesim; choose another name`);
  const files = Object.entries(strategyFiles(name)).map(([file, text]) => ({ path: join(out, file), text }));
  const taken = files.find(({ path }) => existsSync(path));
  if (taken !== undefined)
    throw new InputError("is there already; remove it or choose another --out", { file: taken.path });
  try {
    mkdirSync(out, { recursive: true });
    for (const { path, text } of files) writeFileSync(path, text);
  } catch (error) {
    throw new InputError(`no strategy can be written there (${(error as Error).message}); choose another --out`, {
      file: out,
    });
  }
  const paths = files.map(({ path }) => path);
  if (json === true) {
    process.stdout.write(`${JSON.stringify({ files: paths })}\n`);
    return;
  }
  const [, test, scenario] = paths;
  process.stdout.write(
    `Written: ${paths.join(", ")}\n\nRun it:   npx awesim run ${scenario}\nTest it:  npx vitest run ${test}\n`,
  );
}
