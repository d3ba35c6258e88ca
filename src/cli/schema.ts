import { Command } from "commander";
import { scenarioJsonSchema } from "../scenario/json-schema.ts";

export function schemaCommand(): Command {
  return new Command("schema")
    .description("prints the JSON Schema of scenarios, for editors")
    .addHelpText("after", "\nExample:\n  awesim schema > scenario.schema.json")
    .action(() => {
      process.stdout.write(`${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`);
    });
}
