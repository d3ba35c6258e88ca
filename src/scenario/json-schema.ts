import { z } from "zod";
import { documentSchema } from "./document.ts";

/** The JSON Schema of a scenario file, for editors. Rules that join several fields are only in `loadScenario`. */
export function scenarioJsonSchema(): Record<string, unknown> {
  return { title: "awesim scenario", ...z.toJSONSchema(documentSchema, { io: "input" }) };
}
