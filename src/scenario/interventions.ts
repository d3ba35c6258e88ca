import { type Distribution, toDistribution } from "./distribution.ts";
import type { ScenarioDocument } from "./document.ts";
import { durationMs } from "./units.ts";

/** A change of the world at a virtual time. Sites are in the order of the file. */
export type Intervention =
  | { kind: "outage"; atMs: number; sites: readonly string[]; forMs: number }
  | { kind: "remove"; atMs: number; sites: readonly string[] }
  | { kind: "set"; atMs: number; site: string; capacity?: number | "unlimited"; latency?: Distribution };

/** In order of time; those of one time in the order of the file. */
export function toInterventions(document: ScenarioDocument["interventions"]): Intervention[] {
  return document.map(toIntervention).sort((a, b) => a.atMs - b.atMs);
}

function toIntervention(document: ScenarioDocument["interventions"][number]): Intervention {
  const atMs = durationMs(document.at);
  if ("outage" in document) {
    return { kind: "outage", atMs, sites: [document.outage].flat(), forMs: durationMs(document.for) };
  }
  if ("remove" in document) return { kind: "remove", atMs, sites: [document.remove].flat() };
  const { site, capacity, latency } = document.set;
  return {
    kind: "set",
    atMs,
    site,
    ...(capacity !== undefined && { capacity }),
    ...(latency !== undefined && { latency: toDistribution(latency) }),
  };
}
