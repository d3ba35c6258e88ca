import type { AddressInfo } from "node:net";
import { Command } from "commander";
import { InputError } from "../errors.ts";
import { surrogateServer } from "../models/surrogate-server.ts";
import { collect } from "./options.ts";

interface ServeModelOptions {
  readonly port: number;
  readonly profile: readonly string[];
}

const shippedProfiles = ["qwen3-4b", "gemini-3-flash"];

export function serveCommand(): Command {
  return new Command("serve").description("serves what awesim has to other programs").addCommand(serveModelCommand());
}

function serveModelCommand(): Command {
  return new Command("model")
    .description("serves the surrogate as an OpenAI-compatible model, on loopback only, until it is interrupted")
    .option("--port <n>", "the port; 0 takes a free one", port, 8099)
    .option("--profile <file>", "a profile of your own beside those that awesim has (repeatable)", collect, [])
    .addHelpText(
      "after",
      "\nExample:\n  awesim serve model &\n  OPENAI_BASE_URL=http://127.0.0.1:8099/v1 awesim run scenarios/hello.yaml --model openai/gemini-3-flash",
    )
    .action(async ({ port: wanted, profile }: ServeModelOptions) => {
      const server = surrogateServer([...shippedProfiles, ...profile]);
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(wanted, "127.0.0.1", resolve);
      });
      const { port: taken } = server.address() as AddressInfo;
      process.stdout.write(`OPENAI_BASE_URL=http://127.0.0.1:${taken}/v1\n`);
      await new Promise<void>((resolve) => {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
      });
      server.close();
      server.closeAllConnections();
    });
}

function port(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value < 65_536 && text !== "") return value;
  throw new InputError(`expected a port, 0 to 65535, got ${JSON.stringify(text)}`, { field: "--port" });
}
