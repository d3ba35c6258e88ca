import { assistantName } from "../record/names.ts";
import type { Assistant } from "../record/site-ledger.ts";
import { seriesColour } from "./palette.ts";

/** The colour of each assistant of a run, the same in all of its charts. */
export type AssistantColours = (assistant: Assistant) => string;

/** @param assistants all of the run; one may be in it several times */
export function assistantColours(assistants: readonly Assistant[]): AssistantColours {
  const names = [...new Set(assistants.map(assistantName))].sort();
  return (assistant) => seriesColour(names.indexOf(assistantName(assistant)));
}
